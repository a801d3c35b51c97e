import CommandKit
import Comparing
import Rendering

extension Feature {
  /// The commands that play pieces on sound devices. `watch` also renders and compares. `widgets` registers the FL
  /// opcodes; a program without them has a piece that needs them played by the program `opcodekit-pieces`.
  package static func playing(_ widgets: WidgetInstaller? = nil) -> Feature {
    Feature(
      [.play(widgets), .watch, .panels, .devices],
      jobs: [CompareJob.self, RenderJob.self])
  }
}
