import CommandKit
import HarnessBase
import Rendering

extension PluginBuild {
  /// Lets a command take its opcodes from the plugin of the current package, or of the kit, and builds that first if
  /// needed. Outside a package and the kit, says that the opcodes are the kit's.
  package static func supply(
    _ arguments: inout Arguments, of command: Command
  ) throws(Failure) {
    guard command.has(.plugin), arguments[.plugin] == nil, command.takesPlugin(arguments) else {
      return
    }
    if let library = arguments[.playedCsound].library,
      let reason = try library.unfitness(kit: Project.kit)
    {
      guard command.name == "render" else { return try library.requireFitness() }
      printError("opcodekit: \(library.title) takes no opcodes of the kit, because \(reason).")
      return
    }
    let target = arguments.target
    guard let package = AuthorPackage.current else {
      // An instrument of the kit, which is named without a path, needs no package.
      let isKits = command.name == "play" && !arguments.operands.contains { $0.contains(/[.\/]/) }
      if !AuthorPackage.isInKit, !isInstalled, !isKits {
        printError("opcodekit: no package of opcodes here; these are the kit's own.")
      }
      arguments.take(builtPlugin: try pack.renewed(for: target))
      return
    }
    arguments.take(builtPlugin: try PluginBuild(package).renewed(for: target))
  }
}
