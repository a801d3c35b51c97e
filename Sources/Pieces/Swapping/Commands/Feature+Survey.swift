import CommandKit
import Linting

extension Feature {
  package static let surveying = Feature(
    [.survey, .faster, .spent],
    jobs: [PieceJob.self, PieceTimingJob.self, BuiltinsJob.self, LintJob.self],
    reports: [SurveyReport.self, FasterReport.self, SpentReport.self])
}
