import CommandKit
import Comparing
import Rendering

extension Feature {
  /// The commands that play pieces on sound devices. `watch` also renders and compares; its jobs are those of other
  /// features.
  package static let playing = Feature([.play, .watch, .devices, .convert])

  /// The same with all jobs that they need, for programs without those features.
  package static let playingAlone = Feature(
    playing.commands, jobs: [CompareJob.self, RenderJob.self])
}
