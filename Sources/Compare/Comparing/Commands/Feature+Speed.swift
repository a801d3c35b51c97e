import CommandKit
import HarnessBase
import Rendering

/// How the plugin that a command plays is compiled, or that of another product of the kit's package.
package typealias CodeSource =
  @Sendable (Arguments, _ product: String?) throws(Failure) -> CodeBuild

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
