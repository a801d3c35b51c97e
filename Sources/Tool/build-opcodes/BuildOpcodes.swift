import Foundation
import PackagePlugin

/// `swift package build-opcodes`: runs `opcodekit build` of the OpcodeKit that the package depends on.
@main
struct BuildOpcodes: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    let packages = [context.package] + context.package.dependencies.map(\.package)
    guard let kit = packages.first(where: { $0.displayName == "OpcodeKit" }) else {
      Diagnostics.error("This package has no dependency on OpcodeKit; add one to Package.swift.")
      return
    }
    let process = Process()
    process.executableURL = kit.directoryURL.appending(path: "opcodekit")
    process.arguments = ["build"] + arguments
    process.currentDirectoryURL = context.package.directoryURL
    // The package manager that runs this plugin has locked the package's .build.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["OPCODEKIT_IGNORES_LOCK": "1"]) { $1 }
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 {
      Diagnostics.error("'opcodekit build' ended with \(process.terminationStatus).")
    }
  }
}
