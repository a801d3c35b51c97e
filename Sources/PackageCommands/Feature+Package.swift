import CommandKit
import OpcodeKit

extension Feature {
  /// Makes what can be given away; `overloads` are the kit's own opcodes.
  package static func packaging(_ overloads: @escaping @Sendable () -> [Overload]) -> Feature {
    Feature([.package(overloads)])
  }
}
