import CommandKit
import Comparing
import HarnessBase
import Rendering

extension Feature {
  /// The commands that make packages and plugins, and list what these contain.
  package static let building = Feature(
    [.list, .new, .add, .build, .install(), .uninstall()])

  /// The commands that compare and time opcodes. The plugins that the kit's own pairs need are
  /// built first; they are for Csound 6, as their rivals are.
  package static let speed =
    CsoundVersion.tools == .seven
    ? Feature.speed(building: nil, code: PluginBuild.code(_:of:))
    : Feature.speed(
      building: { product throws(Failure) in try PluginBuild(ofKit: product).renew() },
      code: PluginBuild.code(_:of:))
}
