import CommandKit
import Goldens
import Linting
import Rendering
import Validating

extension Feature {
  package static let linting = Feature([.lint], jobs: [LintJob.self, BuiltinsJob.self])
  package static let validation = Feature(
    [.validate, .trust], jobs: [ExploreJob.self, ValidateJob.self])
  package static let goldens = Feature([.record, .check], jobs: [RecordJob.self, CheckJob.self])
  package static let rendering = Feature([.render], jobs: [RenderJob.self])
}
