import CommandKit
import Foundation
import HarnessBase
import Linting

extension Command {
  private static let json = Option(name: "json", help: "Print JSON instead of a table.")

  static let list = Command(
    name: "list", operands: "", summary: "List every opcode with its overloads.",
    options: [json, .plugin, .toolCsound]
  ) { arguments throws(Failure) in
    try arguments.requireOperands(atMost: 0)
    guard let plugin = Project.plugin(arguments) else {
      throw .missingInput("There is no plugin to list; name one with --plugin.")
    }
    let report = try PluginBuild.lint(plugin, name: (plugin as NSString).lastPathComponent)
    let summaries =
      arguments.takesBuiltPlugin
      ? try OpcodeDeclaration.summaries(in: Project.opcodeSources) : [:]
    return try list(
      arguments, report.signatures.map { OpcodeRow($0, summaries[$0.name]) },
      report.generators.map { "\"\($0)\"" })
  }

  /// An overload in the list.
  private struct OpcodeRow: Encodable {
    var opcode, overload, outputs, inputs, summary: String
    var blockBytes: Int

    /// `summary` is nil if the source is not known.
    init(_ signature: Signature, _ summary: String?) {
      (opcode, overload) = (signature.opcode, signature.name)
      (outputs, inputs) = (signature.outputs, signature.inputs)
      (self.summary, blockBytes) = (summary ?? "", signature.blockBytes)
    }
  }

  private static func list(
    _ arguments: Arguments, _ rows: [OpcodeRow], _ generators: [String]
  ) throws(Failure) -> ExitCode {
    if arguments[json] {
      try print(ResultsText.of(rows), terminator: "")
    } else {
      let heading = ["overload", "out", "in", "block", "summary"]
      let table = Table(
        rows: [heading]
          + rows.map {
            [$0.overload, $0.outputs, $0.inputs, "\($0.blockBytes) B", $0.summary]
          },
        alignment: [.left, .left, .left, .right])
      print(table.text)
      if !generators.isEmpty {
        print("\nGEN routines: \(generators.joined(separator: ", "))")
      }
    }
    return .success
  }
}
