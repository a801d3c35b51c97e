import CommandKit
import Portraying

extension Feature {
  package static let reporting = Feature([.report, .man], jobs: [PortraitJob.self])
}
