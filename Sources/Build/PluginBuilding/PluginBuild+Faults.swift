import CommandKit
import HarnessBase
import Linting
import Rendering

extension PluginBuild {
  /// Whether the Csounds of these targets accept what the plugin registers; prints each fault. For the kit's own
  /// opcodes it is always true, because tests check them.
  package func isRight(for targets: [BuildTarget] = [.tools]) throws(Failure) -> Bool {
    guard let package = AuthorPackage.current else { return true }
    let (faults, count) = try faults(in: package, for: targets)
    if count > 0 {
      print("lib\(product).so: \(count.counted("signature")), names and types checked")
    }
    for fault in faults { printError("opcodekit: \(fault)") }
    return faults.isEmpty
  }

  /// Builds the plugin for a target again if a source is newer. Overloads written by hand are checked first; those that
  /// `@Opcode` writes need no check.
  package func renew(for target: BuildTarget = .tools) throws(Failure) {
    guard !isFresh(for: target) else { return }
    if let package = AuthorPackage.current,
      try !HandwrittenOverload.all(in: package.sources).isEmpty,
      let fault = try faults(in: package, for: [target]).faults.first
    {
      throw .badInput(fault)
    }
    printError("opcodekit: building \(file(for: target))")
    try standalone(for: target)
  }

  /// Whether all overloads are made by `@Opcode`, whose types need no check. As far as the sources' text tells.
  var hasGeneratedOverloadsOnly: Bool {
    get throws(Failure) {
      guard let package = AuthorPackage.current else { return true }
      return try !HandwrittenOverload.mayBe(in: package.sources)
    }
  }

  /// The plugin to check: the one to play on this machine, or where overloads are written by hand, one with the Swift
  /// runtime, which compares types with type letters.
  private func checked(for targets: [BuildTarget]) throws(Failure) -> String {
    let target = playedTarget(for: .tools)
    if try !hasGeneratedOverloadsOnly {
      printError("opcodekit: building \(product) to check it")
      return try plain()
    }
    if isFresh(for: target) { return path(for: target) }
    printError("opcodekit: building \(product) to check it")
    var build = self
    // The headers given are those of another Csound.
    if !targets.contains(where: { $0.csound == target.csound }) { build.csoundInclude = nil }
    return try build.compiled(for: target).library
  }

  /// Reads what a plugin registers, in a worker process.
  package static func lint(_ plugin: String, name: String) throws(Failure) -> LintReport {
    let pool = WorkerPool(Project.worker, pinsPlugins: false, timeLimit: 10)
    return try pool.lint(plugin, name: name)
  }

  /// The faults of what the plugin registers, and the number of signatures.
  private func faults(
    in package: AuthorPackage, for targets: [BuildTarget]
  ) throws(Failure) -> (faults: [String], signatures: Int) {
    guard try OpcodeDeclaration.isPlugin(package.sources) else {
      return (
        ["Nothing here is a plugin: put @Plugin before the enum that is the OpcodeLibrary."], 0
      )
    }
    let report = try Self.lint(try checked(for: targets), name: "lib\(product).so")
    let count = report.signatures.count
    let declared = try OpcodeDeclaration.all(in: package.sources)
    let registered = Set(report.signatures.map(\.name))
    let refusals = report.findings.filter { $0.id == .kitRefusal }.map(\.message)
    // The plugin that is checked is built for the tool's Csound. In 6 a library may leave opcodes with structs out.
    let lacksStructs = CsoundVersion.tools == .six
    let isForSeven = targets.allSatisfy { $0.csound != .six }
    let missing = declared.filter { item in
      !(lacksStructs && item.hasStructs) && !registered.contains(item.overload)
        && !refusals.contains { $0.contains(" \(item.overload):") }
    }
    let forgotten = Set(
      missing.map { item in
        "'\(item.type)' is an @Opcode that is not registered: call \(item.registration) in the"
          + " library's registerOpcodes(in:)."
      }
    ).sorted()
    var faults = forgotten
    for overload in try HandwrittenOverload.all(in: package.sources) {
      let place = overload.path.replacing(directory + "/", with: "") + ":\(overload.line)"
      faults += overload.problems.map { "\(place): \(overload.name): \($0)" }
    }
    faults += report.findings.filter { finding in
      finding.severity == .fault && !(isForSeven && finding.isOfCsound6)
    }.map(\.message)
    let isLeftOut = lacksStructs && declared.contains(where: \.hasStructs)
    if count + report.generators.count + faults.count == 0, !isLeftOut {
      faults.append(
        "lib\(product).so registers nothing: register each opcode in the library's registerOpcodes(in:)."
      )
    }
    return (faults, count)
  }
}

extension Finding {
  /// Whether the kit refuses an opcode because of what Csound 6 has not: large blocks, structs.
  fileprivate var isOfCsound6: Bool {
    id == .kitRefusal
      && message.contains(
        /: its block is \d+ bytes and Csound allows \d|: argument \d+ is a struct, and Csound 6 has none/
      )
  }
}
