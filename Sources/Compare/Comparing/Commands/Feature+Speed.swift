import CommandKit
import HarnessBase
import Rendering

/// How the plugin that a command plays is compiled.
package typealias CodeSource = @Sendable (Arguments) throws(Failure) -> CodeBuild

extension Feature {
  package static func speed(building build: ProductBuild?, code: @escaping CodeSource) -> Feature {
    Feature(
      [.bench(building: build, code: code), .compare(building: build)],
      jobs: [
        CompileJob.self, CompareJob.self, BenchmarkJob.self, CountJob.self, AddressCountJob.self,
      ],
      reports: [CompareReport.self])
  }
}
