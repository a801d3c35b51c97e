import CommandKit
import Foundation
import HarnessBase
import Linting
import Manuals
import OpcodeKit
import Workers

extension Overload {
  /// The name without the overload's suffix.
  var opcodeName: String { String("\(name)".prefix { $0 != "." }) }
}

extension Project {
  /// What each opcode of the package does, as its source says.
  static func summaries() throws(Failure) -> [String: String] {
    Dictionary(
      try Manual.all(in: AuthorPackage.current?.sources ?? root + "/Opcodes").map {
        ($0.name, $0.summary)
      }
    ) { $1 }
  }
}

extension Command {
  private static let json = Option(name: "json", help: "Print JSON instead of a table.")

  /// `overloads` are those of the tool's own opcodes, `generators` the names of its GEN routines.
  static func list(
    _ overloads: @escaping @Sendable () -> [Overload],
    generators: @escaping @Sendable () -> [String]
  ) -> Command {
    Command(
      name: "list", operands: "", summary: "List every opcode with its overloads.",
      options: [json, .plugin]
    ) { arguments throws(Failure) in
      try arguments.requireOperands(atMost: 0)
      if let plugin = Project.plugin(arguments) {
        let report = try lint(plugin, name: (plugin as NSString).lastPathComponent)
        let summaries = arguments.takesBuiltPlugin ? try Project.summaries() : [:]
        return try list(
          arguments, report.signatures.map { OpcodeRow($0, summaries[$0.opcode]) },
          report.generators.map { "\"\($0)\"" })
      }
      return try list(arguments, overloads().map(OpcodeRow.init), generators())
    }
  }

  /// What a plugin registers.
  static func lint(_ plugin: String, name: String) throws(Failure) -> LintReport {
    let pool = WorkerPool(
      executable: Project.executable, arguments: ["worker"], pinsPlugins: false, timeLimit: 10)
    return try pool.lint(plugin, name: name)
  }

  /// An overload in the list.
  private struct OpcodeRow: Encodable {
    var opcode, overload, outputs, inputs, summary: String
    var blockBytes: Int
    var problem: String?

    init(_ overload: Overload) {
      (opcode, self.overload) = (overload.opcodeName, "\(overload.name)")
      (outputs, inputs) = ("\(overload.outputs)", "\(overload.inputs)")
      (summary, blockBytes) = ("\(overload.summary)", overload.blockSize)
      problem = overload.problem?.description(of: overload)
    }

    /// `summary` is nil where the source is not known.
    init(_ signature: Signature, _ summary: String?) {
      (opcode, overload) = (signature.opcode, signature.name)
      (outputs, inputs) = (signature.outputs, signature.inputs)
      (self.summary, blockBytes) = (summary ?? "", signature.blockBytes)
    }
  }

  private static func list(
    _ arguments: Arguments, _ rows: [OpcodeRow], _ generators: [String]
  ) throws(Failure) -> ExitCode {
    if arguments[json] != nil {
      try print(FileExport.text(rows), terminator: "")
    } else {
      let heading = ["overload", "out", "in", "block", "summary"]
      let table = Table(
        rows: [heading]
          + rows.map {
            [
              $0.overload, $0.outputs, $0.inputs, "\($0.blockBytes) B",
              $0.problem == nil ? $0.summary : "REFUSED",
            ]
          },
        alignment: [.left, .left, .left, .right])
      print(table.text)
      if !generators.isEmpty {
        print("\nGEN routines: \(generators.joined(separator: ", "))")
      }
    }
    let problems = rows.compactMap(\.problem)
    guard problems.isEmpty else {
      throw Failure(.badInput, problems.joined(separator: " "))
    }
    return .success
  }
}
