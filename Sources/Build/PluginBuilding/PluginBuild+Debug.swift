import CommandKit
import Foundation
import HarnessBase
import Rendering

extension PluginBuild {
  /// If an opcode crashes, it is played again in a debug build, which explains the crash. The debug build is that of
  /// the package the plugin was built in, and is made if needed.
  package static func explainCrashes(_ arguments: Arguments) {
    guard let plugin = Project.plugin(arguments) else { return }
    let name = (plugin as NSString).lastPathComponent
    // A debug build has already explained the crash; for another kind of processor there is none.
    guard !plugin.hasSuffix("/debug/" + name), arguments.target.processor == .own else { return }
    let place = URL(fileURLWithPath: plugin).resolvingSymlinksInPath().path.parentPath
    let isKits = arguments.takesBuiltPlugin && AuthorPackage.current == nil
    let package =
      arguments.takesBuiltPlugin ? AuthorPackage.current : AuthorPackage.around(place)
    let csound = arguments.target.csound
    let advice =
      "If it was built with OpcodeKit, a debug build says which opcode and index it was: 'swift build'"
      + " in its package, then --plugin .build/debug/\(name)."
    DebugBuild.current = DebugBuild(of: plugin, ownCrashesOnly: isKits, advice: advice) {
      guard let build = isKits ? pack : package.flatMap({ try? PluginBuild($0) }),
        name.hasPrefix("lib\(build.product)")
      else { return nil }
      printError("opcodekit: building \(build.product) for debugging, to see where it crashed")
      return try? build.plain(for: csound)
    }
  }
}
