import CommandKit
import HarnessBase
import Linting
import Rendering
import SpeedCommands

extension Feature {
  /// The command that lists what a plugin contains; its job is that of linting.
  package static let listing = Feature([.list])

  /// The commands that make packages and plugins, and list what these contain.
  package static let building = Feature([.list, .new, .add, .build, .install(), .uninstall()])

  /// The jobs of these commands that belong to `lint` and `render`, for a program that has neither.
  package static let buildingAlone = Feature([], jobs: [LintJob.self, RenderJob.self])

  /// The commands that compare and time opcodes. The plugins that the kit's own pairs need are
  /// built first.
  package static let speed = Feature.speed { product throws(Failure) in
    try PluginBuild(ofKit: product).renew()
  }
}
