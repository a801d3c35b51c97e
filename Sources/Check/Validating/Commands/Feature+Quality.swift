import CommandKit
import Linting
import Rendering

extension Feature {
  package static let linting = Feature([.lint], jobs: [LintJob.self, BuiltinsJob.self])
  package static let validation = Feature(
    [.validate, .trust], jobs: [ExploreJob.self, ValidateJob.self],
    reports: [ValidationReport.self, TrustReport.self])
  package static let goldens = Feature(
    [.record, .check], jobs: [RecordJob.self, CheckJob.self], reports: [RecordingsReport.self])
  package static let versions = Feature([.versions, .atlas], reports: [VersionsReport.self])
  package static let rendering = Feature([.render], jobs: [RenderJob.self])
}
