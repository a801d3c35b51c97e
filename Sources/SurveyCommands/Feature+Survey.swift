import CommandKit
import Surveying

extension Feature {
  package static let surveying = Feature([.survey], jobs: [SurveyJob.self])
}
