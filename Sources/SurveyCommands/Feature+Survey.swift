import CommandKit
import PanelSurveying
import Surveying

extension Feature {
  package static let surveying = Feature(
    [.survey, .panels], jobs: [SurveyJob.self, PanelTrialJob.self])
}
