import CommandKit
import CsoundLive
import HarnessBase

extension Command {
  private static let events = Option(
    name: "events", value: "N", takes: .wholeNumber(1...100_000), standard: 1000,
    help: "Events in each row of the table; 1000 unless given.")

  private static let voices = Option(
    name: "voices", value: "N", takes: .wholeNumber(1...4096), standard: 256,
    help: "The most voices in the table 'channels'; 256 unless given.")

  /// The tables that can be printed, by their words on the command line.
  private enum Trial: String, CaseIterable {
    case events, latency, timers, ring, channels, panel

    /// The others load two processors for a while, so they run only if named.
    var isUsual: Bool { self != .channels && self != .panel }
  }

  static let timing = Command(
    name: "dev timing", operands: "[\(Trial.allCases.map(\.rawValue).joined(separator: "|"))]...",
    summary:
      "Measure how exact events, timers and latencies are, what the ring buffer costs, and how many"
      + " channels a mix can have.",
    options: [events, voices]
  ) { arguments throws(Failure) in
    let words = arguments.operands
    let trials = words.compactMap(Trial.init)
    if let unknown = words.first(where: { Trial(rawValue: $0) == nil }) {
      throw Failure(
        .usage, NearNames.unknown("No table", unknown, Set(Trial.allCases.map(\.rawValue))))
    }
    let all = words.isEmpty ? Trial.allCases.filter(\.isUsual) : trials
    for (index, trial) in all.enumerated() {
      if index > 0 { print("") }
      try tell(trial, events: arguments[events], voices: arguments[voices])
    }
    return .success
  }

  private static func tell(_ trial: Trial, events: Int, voices: Int) throws(Failure) {
    switch trial {
    case .events:
      print("Events, samples between where they were asked for and where they sounded:\n")
      print(try eventTable(events).text)
    case .latency:
      print("Frames that k-cycles add between input and output:\n")
      print(latencyTable.text)
    case .timers:
      print("Timers, microseconds late, 100 actions each:\n")
      print(timerTable.text)
    case .ring:
      print("A block through the ring buffer, ns to write and read:\n")
      print(try ringTable().text)
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

  private static func eventTable(_ count: Int) throws(Failure) -> Table {
    var rows = [["ksmps", "sample-accurate", "events", "exact", "least", "mean", "largest"]]
    for isSampleAccurate in [false, true] {
      for ksmps in [1, 10, 64, 256] {
        let row = try EventTrial.run(ksmps: ksmps, isSampleAccurate: isSampleAccurate, count: count)
        rows.append([
          "\(ksmps)", isSampleAccurate ? "yes" : "no", "\(row.count)", "\(row.exact)",
          "\(row.least)", row.mean.formatted(1), "\(row.largest)",
        ])
      }
    }
    return Table(rows: rows, alignment: [.right, .left, .right, .right, .right, .right, .right])
  }

  private static var latencyTable: Table {
    let periods = [32, 64, 100, 128, 256, 441, 1024]
    return Table(
      rows: [["ksmps"] + periods.map { "period \($0)" } + ["any"]]
        + [1, 10, 32, 64, 100, 256].map { ksmps in
          ["\(ksmps)"]
            + (periods + [nil]).map { "\(CycleAdapter.latency(ksmps: ksmps, period: $0))" }
        }, alignment: Array(repeating: .right, count: periods.count + 2))
  }

  private static var timerTable: Table {
    func row(_ name: String, _ late: TimerTrial.Lateness) -> [String] {
      [name] + [late.least, late.median, late.mean, late.largest].map { $0.formatted(0) }
    }
    let count = 100
    let trials: [(String, () -> TimerTrial.Lateness)] = [
      ("precise timer", { TimerTrial.precise(count, priority: 60) }),
      ("the same without priority", { TimerTrial.precise(count, priority: 0) }),
      ("Dispatch", { TimerTrial.dispatch(count) }),
    ]
    return Table(
      rows: [["timer", "least", "median", "mean", "largest"]]
        + trials.map { row($0.0, $0.1()) }
        + trials.map { trial in
          row(trial.0 + ", processors busy", TimerTrial.underLoad { trial.1() })
        }, alignment: [.left, .right, .right, .right, .right])
  }

  private static func ringTable() throws(Failure) -> Table {
    var rows = [["bytes", "ring", "the same in C", "with two copies"]]
    for bytes in [8, 64, 500, 512, 4096] {
      let row = try RingTrial.run(bytes: bytes, count: 1_000_000)
      rows.append(
        ["\(bytes)"] + [row.ring, row.inC, row.twoCopies].map { $0.formatted(1) })
    }
    return Table(rows: rows, alignment: [.right, .right, .right, .right])
  }
}
