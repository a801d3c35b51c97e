import CommandKit
import Linting
import Profiling

extension Feature {
  package static let pieces = Feature(
    [.faster, .port],
    jobs: [
      PieceJob.self, PieceTimingJob.self, OpcodesJob.self, ProfileJob.self, BuiltinsJob.self,
      LintJob.self,
    ],
    reports: [FasterReport.self])
}
