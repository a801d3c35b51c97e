import CommandKit
import Comparing
import Rendering

extension Feature {
  /// The commands that play pieces on sound devices. `watch` also renders and compares.
  package static let playing = Feature(
    [.play, .watch, .panels, .devices, .convert], jobs: [CompareJob.self, RenderJob.self])
}
