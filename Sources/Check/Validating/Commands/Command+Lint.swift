import CommandKit
import CsoundHost
import Foundation
import HarnessBase
import Linting
import Rendering

extension Command {
  static let lint = Command(
    name: "lint", operands: "[PLUGIN.so …]",
    summary: "List what plugins register, and what is wrong with it.",
    options: [.plugin, .toolCsound, .timeLimit(10), .json],
    takesPlugin: { $0.operands.isEmpty }
  ) { arguments throws(Failure) in
    let export = try FileExport(arguments, .json)
    let pool = WorkerPool(Project.worker, pinsPlugins: false, timeLimit: arguments[.timeLimit])
    var linted: [(name: String, report: LintReport)] = []
    var failures: [Failure] = []
    for path in try plugins(arguments) {
      do throws(Failure) {
        let name = path.map { ($0 as NSString).lastPathComponent } ?? "opcodes in-process"
        let report = try pool.lint(path, name: name)
        if let path, report.isEmpty, !saysItsCsound(path) {
          throw .badInput(
            "'\(name)' registers neither an opcode nor a GEN routine with Csound \(Csound.version), and does not say for"
              + " which Csound it is; if that is \(Csound.major == 6 ? 7 : 6), name that with --csound."
          )
        }
        linted.append((name, report))
      } catch {
        guard error.kind != .interrupted else { throw error }
        failures.append(error)
      }
    }
    LintReport.addClashes(to: &linted)
    for (name, report) in linted { print(report.text(of: name)) }
    try export?.write(LintExport(linted, failures))
    for failure in failures.dropLast() { printError("opcodekit: \(failure.message)") }
    if let failure = failures.last { throw failure }
    return linted.allSatisfy { $0.report.count(.fault) == 0 } ? .success : .checkFailed
  }

  /// Whether a plugin has the function with which Csound asks for the version it was built for. One without it, as CPOF
  /// makes them, is loaded by every Csound.
  private static func saysItsCsound(_ path: String) -> Bool {
    let contents = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
    return contents?.range(of: Data("csoundModuleInfo".utf8)) != nil
  }

  /// The absolute paths of the named plugins, each once; nil stands for the tool's own opcodes.
  private static func plugins(_ arguments: Arguments) throws(Failure) -> [String?] {
    guard !arguments.operands.isEmpty else { return [Project.plugin(arguments)] }
    guard arguments[.plugin] == nil else {
      throw .usage("lint takes the plugins of its operands or that of --plugin; leave one out.")
    }
    var paths: [String] = []
    for operand in arguments.operands {
      let path = URL(fileURLWithPath: operand).resolvingSymlinksInPath().path
      if !paths.contains(path) { paths.append(path) }
    }
    return paths
  }
}

extension LintReport {
  fileprivate var isEmpty: Bool { signatures.isEmpty && generators.isEmpty && findings.isEmpty }

  /// The table of signatures, the findings and a summary.
  func text(of plugin: String) -> String {
    let heading = ["opcode", "out", "in", "block", "thread", "functions", "registered by"]
    let rows = signatures.map { signature in
      [
        signature.name, signature.outputs, signature.inputs, "\(signature.blockBytes) B",
        "\(signature.thread)", signature.slots.map(\.rawValue).joined(separator: " "),
        signature.registration.rawValue,
      ]
    }
    var parts: [String] = []
    if !rows.isEmpty {
      parts.append(
        Table(rows: [heading] + rows, alignment: [.left, .left, .left, .right, .right]).text)
    }
    if !generators.isEmpty { parts.append("GENs: " + generators.joined(separator: ", ")) }
    if !findings.isEmpty {
      parts.append(
        findings.map { "\($0.severity.rawValue) \($0.id.rawValue): \($0.message)" }
          .joined(separator: "\n"))
    }
    let summary = [
      signatures.count.counted("signature"), generators.count.counted("GEN"),
      count(.fault).counted("fault"), count(.note).counted("note"),
    ]
    parts.append("\(plugin): \(summary.joined(separator: ", "))\n")
    return parts.joined(separator: "\n\n")
  }
}

/// The results of `lint`, in JSON.
struct LintExport: Encodable {
  struct Entry: Encodable {
    var plugin, opcode, name, outputs, inputs, registeredBy: String
    var blockBytes, thread, flags: Int
    var functions: [Signature.Slot]

    init(_ plugin: String, _ signature: Signature) {
      self.plugin = plugin
      opcode = signature.opcode
      name = signature.name
      outputs = signature.outputs
      inputs = signature.inputs
      registeredBy = signature.registration.rawValue
      blockBytes = signature.blockBytes
      thread = signature.thread
      flags = signature.flags
      functions = signature.slots
    }
  }

  struct LintProblem: Encodable {
    var plugin: String
    var id: Finding.Kind
    var severity: Finding.Severity
    /// Absent if the finding is about the whole plugin.
    var signature: String?
    var message: String
  }

  struct Generator: Encodable {
    var plugin, name: String
  }

  var csound: String
  var signatures: [Entry]
  var generators: [Generator]
  var findings: [LintProblem]
  /// Why plugins could not be read, one sentence each.
  var failures: [String]

  init(_ linted: [(name: String, report: LintReport)], _ failures: [Failure]) {
    csound = Csound.version
    signatures = linted.flatMap { name, report in report.signatures.map { Entry(name, $0) } }
    generators = linted.flatMap { name, report in
      report.generators.map { Generator(plugin: name, name: $0) }
    }
    findings = linted.flatMap { name, report in
      report.findings.map {
        LintProblem(
          plugin: name, id: $0.id, severity: $0.severity, signature: $0.signature,
          message: $0.message)
      }
    }
    self.failures = failures.map(\.message)
  }
}
