import CommandKit

extension Feature {
  /// The commands that make pages about opcodes and measure their sound.
  package static let reporting = Feature([.report, .man, .sound], jobs: [PortraitJob.self])
}
