import CommandKit
import HarnessBase

extension VoicesTable {
  var text: String {
    func percent(_ part: Double) -> String { (100 * part).formatted(1) }
    func range(_ range: VoiceSpan) -> String {
      range.least == range.most
        ? "\(range.likely)" : "\(range.likely) (\(range.least)–\(range.most))"
    }
    let loads = rows[0].fitting.map { "fit at \(percent($0.load)) %" }
    let cells = rows.map { row -> [String] in
      var cells = ["\(row.ksmps)", (1000 * row.cycle).formatted(3)]
      cells += [percent(row.fit.base / row.cycle), row.note.map { (1e6 * $0).formatted(3) } ?? "–"]
      cells += row.fitting.map(range)
      guard let check = row.check else { return cells + ["–", "–", "–", "–"] }
      cells += ["\(check.notes)", percent(check.seconds.median / row.cycle)]
      return cells + [percent(check.worst / row.cycle), "\(check.late) of \(check.cycles)"]
    }
    let head =
      ["ksmps", "k-cycle ms", "without %", "a note µs"] + loads
      + ["played", "took %", "longest %", "late"]
    let beside = rows.map { row in
      "\(row.fit.notes(load: row.fitting.last!.load, others: otherLoad, cycle: row.cycle).likely) (ksmps \(row.ksmps))"
    }.joined(separator: ", ")
    let others =
      otherLoad < 0.001
      ? "The score plays hardly anything else."
      : "The score's other instruments take \(percent(otherLoad)) % of real time on average; beside them"
        + " at \(loads.last!.dropFirst(7)) fit \(beside)."
    return """
      \(path): notes of instr \(instrument) at \(sampleRate.formatted(0)) Hz, \
      \(notes == 0 ? "without p4" : "\(notes.counted("different note")) of the score in turn"), without the rest of the score

      \(Table(rows: [head] + cells, alignment: Array(repeating: .right, count: head.count)).text)

      \(others)\(machine.map { "\n\n" + $0.text(rows, loads) } ?? "")
      """
  }
}

extension VoicesTable.Machine {
  fileprivate func text(_ rows: [VoicesTable.Row], _ loads: [String]) -> String {
    """
    On the machine \(name) everything takes \(factor.value.formatted(2)) times as long as here, by kind of opcode \
    \(factor.low.formatted(2)) to \(factor.high.formatted(2)) times. There would fit:

    \(Table(
      rows: [["ksmps"] + loads] + zip(rows, fitting).map { row, ranges in
        ["\(row.ksmps)"] + ranges.map { "\($0.likely) (\($0.least)–\($0.most))" }
      }, alignment: Array(repeating: .right, count: 1 + loads.count)).text)
    """
  }
}

extension MachineSpeed {
  var text: String {
    "\(machine), Csound \(csound)\n\n"
      + Table(
        rows: [["a note of", "ns for a sample"]]
          + nanoseconds.sorted { $0.key < $1.key }.map { [$0.key, $0.value.formatted(2)] },
        alignment: [.left, .right]
      ).text
  }
}
