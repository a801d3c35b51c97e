import CommandKit
import Rendering

extension Feature {
  package static func speed(building build: ProductBuild?) -> Feature {
    Feature(
      [.bench(building: build), .compare(building: build)],
      jobs: [CompileJob.self, CompareJob.self, BenchmarkJob.self, CountJob.self],
      reports: [CompareReport.self])
  }
}
