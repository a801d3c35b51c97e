import CommandKit
import Linting

extension Feature {
  package static let surveying = Feature(
    [.survey, .faster],
    jobs: [PieceJob.self, PieceTimingJob.self, BuiltinsJob.self, LintJob.self],
    reports: [SurveyReport.self, FasterReport.self])
}
