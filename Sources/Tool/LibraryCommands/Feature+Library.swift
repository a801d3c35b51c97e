import CommandKit
import HarnessBase
import SpeedCommands

extension Feature {
  /// Makes packages of opcodes and plugins of them, and tells what is in these.
  package static let building = Feature([.list, .new, .add, .build, .install(), .uninstall()])

  /// Compares and times opcodes; what the kit's own pairs need is built.
  package static let speed = Feature.speed { product throws(Failure) in
    try PluginBuild(ofKit: product).renew()
  }
}
