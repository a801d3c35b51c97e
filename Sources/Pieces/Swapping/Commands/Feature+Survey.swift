import CommandKit
import Linting
import PanelTrials
import Swapping

extension Feature {
  package static let surveying = Feature(
    [.survey, .faster, .spent, .panels],
    jobs: [
      PieceJob.self, PieceTimingJob.self, PanelTrialJob.self, BuiltinsJob.self, LintJob.self,
    ],
    reports: [SurveyReport.self, FasterReport.self, SpentReport.self, PanelReport.self])
}
