import HarnessBase
import OpcodeKit
import Opcodes

/// Collects overloads instead of registering them.
struct Catalogue: OpcodeRegistry {
  var overloads: [Overload] = []

  mutating func add(_ overload: Overload) { overloads.append(overload) }

  static var all: [Overload] {
    var catalogue = Catalogue()
    registerOpcodes(in: &catalogue)
    return catalogue.overloads
  }
}

/// Collects the names of GEN routines.
struct GeneratorNames: GeneratorRegistry {
  private(set) var names: [String] = []

  mutating func add(_ name: StaticString, fill: @escaping GeneratorEntryPoint) {
    names.append("\"\(name)\"")
  }

  static var all: [String] {
    var names = GeneratorNames()
    registerGenerators(in: &names)
    return names.names
  }
}

extension Overload {
  /// The name without the overload's suffix.
  var opcodeName: String { String("\(name)".prefix { $0 != "." }) }
}

extension Command {
  private static let json = Option(name: "json", help: "Print JSON instead of a table.")

  static let list = Command(
    name: "list", operands: "", summary: "List every opcode with its overloads.",
    options: [json]
  ) { arguments throws(Failure) in
    struct Row: Encodable {
      var opcode, overload, outputs, inputs, summary: String
      var blockBytes: Int
      var problem: String?
    }
    try arguments.requireOperands(atMost: 0)
    let rows = Catalogue.all.map { overload in
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
      print("\nGEN routines: \(GeneratorNames.all.joined(separator: ", "))")
    }
    let problems = rows.compactMap(\.problem)
    guard problems.isEmpty else {
      throw Failure(.badInput, problems.joined(separator: " "))
    }
    return .success
  }
}
