import CommandKit
import Foundation
import HarnessBase
import Panels

extension Command {
  private static let exportOsc = Option(
    name: "export-osc", value: "FILE",
    help: "Write the controls as a session of Open Stage Control to this new .json file.")
  private static let target = Option(
    name: "target", value: "HOST:PORT", takes: .text, standard: "127.0.0.1:9000",
    help: "Where the piece receives OSC, as play --osc says; 127.0.0.1:9000 unless given.")

  static let panels = Command(
    name: "panels", operands: "PIECE.csd|INSTRUMENT",
    summary: "List the controls of a piece, or export them for Open Stage Control.",
    options: [exportOsc, target]
  ) { arguments throws(Failure) in
    try arguments.requireOperands(atMost: 1)
    guard let named = arguments.operands.first else {
      throw .usage("panels needs a CSD; see ./opcodekit panels --help.")
    }
    let csd = instrument(named) ?? named
    let panel = try PlayPanel.read(csd)
    guard let file = arguments[exportOsc] else {
      guard arguments.given(target).isEmpty else {
        throw .usage("--target is for a session; add --export-osc FILE.")
      }
      let table = Self.table(panel)
      print(table.isEmpty ? "\(csd): the piece has no controls." : table)
      tell(panel.leftOut)
      return .success
    }
    let address = arguments[target]
    let port = address.wholeMatch(of: /[^\s:]+:(\d+)/).flatMap { Int($0.1) }
    guard let port, (1...65535).contains(port)
    else { throw .usage("--target \(address): write a host and a port, such as 192.168.1.5:9000.") }
    let presets = try Presets(PresetFile(forPiece: csd)).names(beside: panel)
    let session = StageSession(panel, presets: presets, target: address)
    guard session.count > 0 else {
      throw .badInput(
        "\(csd): the piece has no controls that can be played by OSC; nothing is written.")
    }
    let output = try OutputFile(file, inputs: [csd])
    // Whoever has opened an earlier session may have changed and saved it there.
    guard !output.isReplaced || !FileManager.default.fileExists(atPath: file) else {
      throw .unwritableOutput(
        "'\(file)' exists, and may have been changed in Open Stage Control; name another file, or remove it first."
      )
    }
    try output.write(session.data, mustBeNew: true)
    print("\(file): \(session.count.counted("control")) for Open Stage Control, sent to \(address)")
    tell(session.leftOut)
    return .success
  }

  /// What neither list has, a line each.
  private static func tell(_ leftOut: [LeftOut]) {
    for one in leftOut {
      print("  left out: \(one.name)\(one.count > 1 ? " × \(one.count)" : ""): \(one.reason)")
    }
  }

  /// The controls, a row each; empty without any.
  private static func table(_ panel: Panel) -> String {
    func number(_ value: Double) -> String {
      value == value.rounded() && abs(value) < 1e15 ? "\(Int(value))" : "\(value)"
    }
    let rows = panel.widgets.filter { !$0.channels.allSatisfy(\.isEmpty) }.map { widget in
      let ranges = widget.channels.indices.map { index in
        let range = widget.range(index)
        return "\(number(range.minimum))…\(number(range.maximum))"
      }
      let isRange = [.slider, .knob, .number, .range, .pad, .surface, .meter].contains(widget.kind)
      return [
        widget.channels.joined(separator: ", "), widget.kind.rawValue, widget.label,
        isRange ? Set(ranges).sorted().joined(separator: ", ") : "",
      ]
    }
    return rows.isEmpty ? "" : Table(rows: [["channels", "kind", "label", "range"]] + rows).text
  }
}
