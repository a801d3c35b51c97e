import CommandKit

extension Feature {
  package static let profiling = Feature(
    [.profile], jobs: [ProfileJob.self, VariantsJob.self, ThreadsJob.self, VoicesJob.self])
}
