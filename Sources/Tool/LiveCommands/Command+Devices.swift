import CommandKit
import CsoundLive
import HarnessBase

extension Command {
  static let devices = Command(
    name: "devices", operands: "",
    summary: "List the sound devices and the sources of MIDI that play can use.",
    options: [json]
  ) { arguments throws(Failure) in
    struct Row: Encodable {
      var name, summary: String
      var output = false
      var input = false
      var midi = false
      var problem: String?
    }
    try arguments.requireOperands(atMost: 0)
    let rows =
      SoundDevice.all().map {
        Row(
          name: $0.name, summary: $0.summary, output: $0.isOutput, input: $0.isInput,
          problem: $0.problem)
      } + [
        Row(
          name: "null", summary: "No sound, at the speed of the clock", output: true)
      ] + MIDISource.all().map { Row(name: $0.name, summary: $0.summary, midi: true) }
    if arguments[json] {
      try print(FileExport.text(rows), terminator: "")
      return .success
    }
    let table = Table(
      rows: [["device", "for", "what it is"]]
        + rows.map { row in
          let directions =
            (row.output ? ["output"] : []) + (row.input ? ["input"] : [])
            + (row.midi ? ["MIDI"] : [])
          let problem = row.problem.map { "; cannot be opened: \($0)" } ?? ""
          return [row.name, directions.joined(separator: ", "), row.summary + problem]
        })
    print(table.text)
    return .success
  }

  private static let json = Option(name: "json", help: "Print JSON instead of a table.")
}
