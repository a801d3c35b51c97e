import CommandKit
import HarnessBase
import SpeedCommands

extension Feature {
  /// The command that lists what a plugin contains; its job is that of `lint`.
  package static let listing = Feature([.list])

  /// The commands that make packages and plugins, and list what these contain.
  package static let building = Feature([.list, .new, .add, .build, .install(), .uninstall()])

  /// The commands that compare and time opcodes. The plugins that the kit's own pairs need are
  /// built first.
  package static let speed = Feature.speed { product throws(Failure) in
    try PluginBuild(ofKit: product).renew()
  }
}
