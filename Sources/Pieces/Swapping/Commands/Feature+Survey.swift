import CommandKit
import Linting
import Profiling

extension Feature {
  package static let surveying = Feature(
    [.survey, .faster, .port],
    jobs: [
      PieceJob.self, PieceTimingJob.self, OpcodesJob.self, ProfileJob.self, BuiltinsJob.self,
      LintJob.self,
    ],
    reports: [SurveyReport.self, FasterReport.self])
}
