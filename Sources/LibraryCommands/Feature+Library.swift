import CommandKit
import OpcodeKit

extension Feature {
  /// What the tool has opcodes of its own for.
  package static func library(
    _ overloads: @escaping @Sendable () -> [Overload],
    generators: @escaping @Sendable () -> [String]
  ) -> Feature {
    Feature([.list(overloads, generators: generators), .build(overloads)])
  }
}
