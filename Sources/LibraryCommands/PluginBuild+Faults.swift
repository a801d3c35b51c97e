import CommandKit
import HarnessBase
import Linting
import Manuals
import OpcodeKit

extension PluginBuild {
  /// Whether what the plugin registers can be given to Csound; each fault is told. `overloads` are
  /// the kit's own opcodes.
  package func isRight(_ overloads: () -> [Overload]) throws(Failure) -> Bool {
    if let package = AuthorPackage.current {
      let faults = try faults(in: package)
      for fault in faults { printError("opcodekit: \(fault)") }
      return faults.isEmpty
    }
    for overload in overloads() {
      if let problem = overload.problem {
        throw Failure(.badInput, problem.description(of: overload))
      }
    }
    return true
  }

  /// Builds with the Swift runtime, where types are compared with letters, and returns the faults of
  /// what is registered.
  private func faults(in package: AuthorPackage) throws(Failure) -> [String] {
    printError("opcodekit: building \(product) to check it")
    let report = try Command.lint(try plain(), name: "lib\(product).so")
    let count = report.signatures.count
    let declared = try OpcodeDeclaration.all(in: package.sources)
    let registered = Set(report.signatures.map(\.name))
    let refusals = report.findings.filter { $0.id == .kitRefusal }.map(\.message)
    let missing = declared.filter { item in
      !registered.contains(item.overload)
        && !refusals.contains { $0.contains(" \(item.overload):") }
    }
    let forgotten = Set(missing.map(\.type)).sorted().map { type in
      "'\(type)' is an @Opcode that is not registered: call register\(type)(in: &registry) in the"
        + " library's registerOpcodes(in:)."
    }
    guard count + report.generators.count + forgotten.count > 0 else {
      return [
        "lib\(product).so registers nothing: put @Plugin before the enum that is its OpcodeLibrary."
      ]
    }
    print("lib\(product).so: \(count) signature\(count == 1 ? "" : "s"), names and types checked")
    return forgotten + report.findings.filter { $0.severity == .fault }.map(\.message)
  }
}
