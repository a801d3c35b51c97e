import CommandKit
import OpcodeKit

extension Feature {
  /// Lists the tool's own opcodes and GEN routines.
  package static func listing(
    _ overloads: @escaping @Sendable () -> [Overload],
    generators: @escaping @Sendable () -> [String]
  ) -> Feature {
    Feature([.list(overloads, generators: generators)])
  }

  /// Makes packages of opcodes, and plugins of them and of the tool's own opcodes.
  package static func building(_ overloads: @escaping @Sendable () -> [Overload]) -> Feature {
    Feature([.new, .add, .build(overloads), .watch, .install(), .uninstall()])
  }
}
