import CommandKit
import CsoundLive
import HarnessBase

extension Command {
  private static let events = Option(
    name: "events", value: "N", help: "Events in each row of the table; 1000 unless given.")

  static let timing = Command(
    name: "timing", operands: "",
    summary: "Tell how exact events, timers and latencies are, and what the ring buffer costs.",
    options: [events]
  ) { arguments throws(Failure) in
    try arguments.requireOperands(atMost: 0)
    print("Events, samples between where they were asked for and where they sounded:\n")
    print(try eventTable(try arguments.wholeNumber(events, 1...100_000) ?? 1000).text)
    print("\nFrames that k-cycles add between input and output:\n")
    print(latencyTable.text)
    print("\nTimers, microseconds late, 100 actions each:\n")
    print(timerTable.text)
    print("\nA block through the ring buffer, ns to write and read:\n")
    print(try ringTable().text)
    return .success
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
