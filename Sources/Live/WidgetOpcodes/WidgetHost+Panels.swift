import HarnessBase
import Panels
public import Rendering

extension WidgetHost {
  /// The host for FLTK's and Cabbage's widgets.
  public static let panels = WidgetHost(
    register: { WidgetBoard.install(in: $0, for: $1) },
    channels: { csd throws(Failure) in
      let panel = try CabbageImporter.panel(of: csd, title: "")
      return Channels(numbers: panel?.initialNumbers ?? [:], texts: panel?.initialTexts ?? [:])
    })
}
