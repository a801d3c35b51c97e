import CommandKit
import HarnessBase
import OpcodeKit

extension Overload {
  /// The name without the overload's suffix.
  var opcodeName: String { String("\(name)".prefix { $0 != "." }) }
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
      options: [json]
    ) { arguments throws(Failure) in try list(arguments, overloads(), generators()) }
  }

  private static func list(
    _ arguments: Arguments, _ overloads: [Overload], _ generators: [String]
  ) throws(Failure) -> ExitCode {
    struct Row: Encodable {
      var opcode, overload, outputs, inputs, summary: String
      var blockBytes: Int
      var problem: String?
    }
    try arguments.requireOperands(atMost: 0)
    let rows = overloads.map { overload in
      Row(
        opcode: overload.opcodeName, overload: "\(overload.name)", outputs: "\(overload.outputs)",
        inputs: "\(overload.inputs)", summary: "\(overload.summary)",
        blockBytes: overload.blockSize, problem: overload.problem?.description(of: overload))
    }
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
      print("\nGEN routines: \(generators.joined(separator: ", "))")
    }
    let problems = rows.compactMap(\.problem)
    guard problems.isEmpty else {
      throw Failure(.badInput, problems.joined(separator: " "))
    }
    return .success
  }
}
