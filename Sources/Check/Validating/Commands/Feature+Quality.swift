import CommandKit
import Goldens
import Linting
import Rendering
import Validating

extension Feature {
  package static let linting = Feature([.lint], jobs: [LintJob.self, BuiltinsJob.self])
  package static let validation = Feature(
    [.validate, .trust], jobs: [ExploreJob.self, ValidateJob.self],
    reports: [ValidationReport.self, TrustReport.self])
  package static let goldens = Feature(
    [.record, .check], jobs: [RecordJob.self, CheckJob.self], reports: [CheckReport.self])
  package static let rendering = Feature([.render], jobs: [RenderJob.self])
}
