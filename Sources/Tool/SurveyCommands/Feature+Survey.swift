import Swapping
import CommandKit
import PanelTrials

extension Feature {
  package static let surveying = Feature(
    [.survey, .faster, .spent, .panels],
    jobs: [PieceJob.self, PieceTimingJob.self, PanelTrialJob.self],
    reports: [SurveyReport.self, FasterReport.self, SpentReport.self, PanelReport.self])
}
