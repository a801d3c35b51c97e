import Benchmarking
import CommandKit
import Comparing
import Rendering

extension Feature {
  package static let speed = Feature(
    [.bench, .compare], jobs: [CompileJob.self, CompareJob.self, BenchmarkJob.self, CountJob.self],
    reports: [CompareReport.self])
}
