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
    let rows = report.signatures.map {
      OpcodeRow(
        opcode: $0.opcode, overload: $0.name, outputs: $0.outputs, inputs: $0.inputs,
        summary: summaries[$0.name] ?? "", blockBytes: $0.blockBytes)
    }
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
      if !report.generators.isEmpty {
        let names = report.generators.map { "\"\($0)\"" }
        print("\nGEN routines: \(names.joined(separator: ", "))")
      }
    }
    return .success
  }

  /// An overload in the list; `summary` is empty if the source is not known.
  private struct OpcodeRow: Encodable {
    var opcode, overload, outputs, inputs, summary: String
    var blockBytes: Int
  }
}
