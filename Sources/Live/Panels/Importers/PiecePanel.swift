import Foundation
public import HarnessBase

/// The panel of a piece, from the first source that has one. A widget that cannot be read goes into its `leftOut`.
public enum PiecePanel {
  /// The panel of a piece: that of its panel file, or else the one in its text.
  public static func panel(
    ofPiece path: String, text: String, hints: [ChannelImporter.Hint] = []
  ) throws(Failure) -> Panel {
    if let own = try PanelFile(forPiece: path).read() { return own }
    let title = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    return try panel(of: text, title: title, hints: hints)
  }

  /// The panel in the text of a CSD: from its section `<Cabbage>`, its section `<bsbPanel>`, or else its channels.
  ///
  /// A panel of FL opcodes is known only after the piece has called them. It then takes precedence over the channels.
  public static func panel(
    of csd: String, title: String, hints: [ChannelImporter.Hint] = []
  ) throws(Failure) -> Panel {
    let drawn =
      if let panel = try CabbageImporter.panel(of: csd, title: title) {
        panel
      } else {
        try BsbPanelImporter.panel(of: csd, title: title)
      }
    guard var drawn else { return ChannelImporter.panel(of: csd, title: title, hints: hints) }
    keepTypes(of: csd, &drawn)
    return drawn
  }

  /// Removes the initial numbers of string channels: setting a number would make the channel a control channel, and the
  /// piece would fail.
  private static func keepTypes(of csd: String, _ panel: inout Panel) {
    let uses = ChannelUse.scan(OrchestraText(ofCSD: csd)).uses
    let texts = Set(uses.filter { $0.rate == .text }.map(\.name))
    for widget in panel.widgets.indices {
      for (index, channel) in panel.widgets[widget].channels.enumerated()
      where texts.contains(channel) && index < panel.widgets[widget].ranges.count {
        panel.widgets[widget].ranges[index].initial = nil
      }
    }
  }
}
