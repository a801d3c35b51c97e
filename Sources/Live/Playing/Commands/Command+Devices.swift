import CommandKit
import CsoundLive
import HarnessBase

extension Command {
  static let devices = Command(
    name: "devices", operands: "",
    summary: "List the sound devices, and the sources and receivers of MIDI, that play can use.",
    options: [json]
  ) { arguments throws(Failure) in
    try arguments.requireOperands(atMost: 0)
    let rows =
      SoundDevice.all().map {
        Row(
          name: $0.name, summary: $0.summary, output: $0.isOutput, input: $0.isInput,
          problem: $0.problem)
      } + [
        Row(
          name: "null", summary: "No sound, at the speed of the clock", output: true)
      ] + midi()
    if arguments[json] {
      try print(ResultsText.of(rows), terminator: "")
      return .success
    }
    let table = Table(
      rows: [["device", "for", "what it is"]]
        + rows.map { row in
          let directions =
            (row.output ? ["output"] : []) + (row.input ? ["input"] : [])
            + (row.midi ? ["MIDI in"] : []) + (row.midiOutput ? ["MIDI out"] : [])
          let problem = row.problem.map { "; cannot be opened: \($0)" } ?? ""
          return [row.name, directions.joined(separator: ", "), row.summary + problem]
        })
    print(table.text)
    return .success
  }

  private struct Row: Encodable {
    var name, summary: String
    var output = false
    var input = false
    /// Whether MIDI comes from it, and whether it takes MIDI.
    var midi = false
    var midiOutput = false
    var problem: String?
  }

  /// The sources of MIDI, with those that are receivers too, then the other receivers.
  private static func midi() -> [Row] {
    let (sources, receivers) = (MIDISource.all(), MIDISource.receivers())
    let names = Set(receivers.map(\.name))
    return sources.map {
      Row(name: $0.name, summary: $0.summary, midi: true, midiOutput: names.contains($0.name))
    }
      + receivers.filter { receiver in !sources.contains { $0.name == receiver.name } }.map {
        Row(name: $0.name, summary: $0.summary, midiOutput: true)
      }
  }

  private static let json = Option(name: "json", help: "Print JSON instead of a table.")
}
