import CommandKit
import CsoundLive
import HarnessBase

extension Command {
  private static let voices = Option(
    name: "voices", value: "N", takes: .wholeNumber(1...4096), standard: 256,
    help: "The most voices in the table 'channels'; 256 unless given.")

  /// The tables that can be printed, by their words on the command line.
  private enum Trial: String, CaseIterable {
    case channels, panel
  }

  static let timing = Command(
    name: "dev timing", operands: "[\(Trial.allCases.map(\.rawValue).joined(separator: "|"))]...",
    summary: "Measure how many channels a mix can have, and how fast a panel is.",
    options: [voices]
  ) { arguments throws(Failure) in
    let words = arguments.operands
    let trials = words.compactMap(Trial.init)
    if let unknown = words.first(where: { Trial(rawValue: $0) == nil }) {
      throw Failure(
        .usage, NearNames.unknown("No table", unknown, Set(Trial.allCases.map(\.rawValue))))
    }
    let all = words.isEmpty ? Trial.allCases : trials
    for (index, trial) in all.enumerated() {
      if index > 0 { print("") }
      try tell(trial, voices: arguments[voices])
    }
    return .success
  }

  private static func tell(_ trial: Trial, voices: Int) throws(Failure) {
    switch trial {
    case .channels:
      print(
        "Voices, each a saw through a ladder, mixed in periods of \(MixTrial.period) frames at 48000 Hz, ksmps"
          + " \(MixTrial.ksmps); % of a period's time:\n")
      print(try channelTable(most: voices).text)
    case .panel:
      print(
        "Clients of a panel, each moving a slider, while a piece plays in periods of \(TrialPiece.period) frames,"
          + " ksmps \(TrialPiece.ksmps), at 48000 Hz;\nms from a message to its answer, and to its value in the"
          + " piece's channel:\n")
      print(try panelTable().text)
      print("\nA pointer that drags a slider in a browser; ms from its move:\n")
      if PointerTrial.isPossible {
        print(try pointerTable().text)
      } else {
        print("not tried: chromium-headless-shell is not installed.")
      }
    }
  }

  /// A row for each number of voices, more and more, until computing a period takes longer than the
  /// period.
  private static func channelTable(most: Int) throws(Failure) -> Table {
    func percent(_ part: Double) -> String { (100 * part).formatted(1) }
    var columns: [[MixTrial.Row]] = []
    // 1, 2, 3, 4, 6, 8, 12 …
    let counts = Array(
      sequence(first: 1) { count in
        let next = count & (count - 1) == 0 && count > 1 ? count * 3 / 2 : (count * 4 + 2) / 3
        return count < most ? min(max(next, count + 1), most) : nil
      })
    for kind in MixTrial.Kind.allCases {
      let trial = try MixTrial(kind)
      defer { trial.end() }
      var rows: [MixTrial.Row] = []
      for count in counts where rows.last.map({ $0.load < 1 }) ?? true {
        ProgressLine.show("\(count) voices")
        rows.append(try trial.run(voices: count, seconds: 1))
      }
      columns.append(rows)
    }
    ProgressLine.clear()
    var table = [
      ["voices", "performances", "worst", "late", "one orchestra", "worst", "late"]
    ]
    for (index, count) in counts.enumerated() where columns.contains(where: { $0.count > index }) {
      let cells = columns.flatMap { rows in
        index < rows.count
          ? [percent(rows[index].load), percent(rows[index].worst), percent(rows[index].late)]
          : ["-", "-", "-"]
      }
      table.append(["\(count)"] + cells)
    }
    return Table(rows: table, alignment: Array(repeating: .right, count: 7))
  }

  private static func panelTable() throws(Failure) -> Table {
    var rows = [
      [
        "clients", "messages/s", "answered", "99 %", "worst", "in the channel", "worst", "load %",
        "late",
      ]
    ]
    for (clients, rate) in [(1, 60.0), (1, 1000), (10, 600), (60, 1000), (60, 3600)] {
      ProgressLine.show("\(clients) clients")
      let row = try ClientTrial.run(clients: clients, rate: rate, seconds: 5)
      rows.append([
        "\(row.clients)", row.rate.formatted(0), row.answered.median.formatted(3),
        row.answered.most.formatted(3), row.answered.worst.formatted(3),
        row.arrived.median.formatted(3), row.arrived.worst.formatted(3),
        (100 * row.load).formatted(1), "\(row.late)",
      ])
    }
    ProgressLine.clear()
    return Table(rows: rows, alignment: Array(repeating: .right, count: rows[0].count))
  }

  private static func pointerTable() throws(Failure) -> Table {
    ProgressLine.show("a pointer")
    let row = try PointerTrial.run(moves: 200)
    ProgressLine.clear()
    let rows = [("to the answer", row.answered), ("to the channel", row.arrived)].map {
      name, times in
      [
        name, "\(times.count)", times.median.formatted(2), times.most.formatted(2),
        times.worst.formatted(2),
      ]
    }
    return Table(
      rows: [["", "moves", "median", "99 %", "worst"]] + rows,
      alignment: [.left, .right, .right, .right, .right])
  }
}
