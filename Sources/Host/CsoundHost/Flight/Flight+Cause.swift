import CFlight
import Foundation

extension Flight {
  /// Why a dropout happened, as far as a record tells.
  public struct Cause: Sendable {
    public enum Kind: String, Sendable {
      case cycles = "too dear k-cycles"
      case initPass = "init pass"
      case table = "table made in performance"
      case burst = "burst of notes"
      case engine = "Csound's events"
      case pageFaults = "page faults"
      case notRunning = "the thread did not run"
    }
    public var kind: Kind
    /// One sentence with the numbers.
    public var sentence: String
  }

  /// The cause of the last dropout among the periods; nil if there is none, or if it is not in the record.
  public var cause: Cause? {
    guard
      let last = periods.indices.dropFirst().last(where: {
        periods[$0].dropouts != periods[$0 - 1].dropouts
      })
    else { return nil }
    // The device noticed after the period before. What its buffer holds was to be computed in time before that.
    let first = max(0, last - 2 - buffer / max(1, period))
    let window = periods[first..<last]
    let (begin, end) = (Double(window.first!.begin) * 1e-9, Double(periods[last].begin) * 1e-9)
    let computing = window.reduce(0.0) { $0 + Double($1.end - $1.begin) * 1e-9 }
    let longest = window.map { Double($0.end - $0.begin) * 1e-9 }.max()!
    let deadline = Double(period) / sampleRate
    // The thread had nothing to compute, and came too late for the next period.
    let pauses =
      window.indices.dropFirst().map { Double(periods[$0].begin - periods[$0 - 1].end) * 1e-9 }
      + [end - Double(window.last!.end) * 1e-9]
    let pause = pauses.max() ?? 0
    let idle = max(deadline, Double(buffer) / sampleRate)
    let (lost, held, diskFaults) = lost(in: begin...end)
    if longest > 0.5 * deadline, lost > 0.5 * longest {
      let numbers =
        "\(Self.milliseconds(min(lost, longest))) of the \(Self.milliseconds(longest)) that a period took"
      if diskFaults > 0 {
        return Cause(
          kind: .pageFaults,
          sentence:
            "the audio thread waited for memory from the disk: \(diskFaults) page fault\(diskFaults == 1 ? "" : "s")"
            + " in \(numbers).")
      }
      return Cause(
        kind: .notRunning,
        sentence: "the audio thread did not run for \(numbers)\(Self.reason(held, of: lost))")
    }
    if pause > idle, pause > longest {
      return Cause(
        kind: .notRunning,
        sentence:
          "the audio thread did not run for \(Self.milliseconds(pause)) although it had only to wait"
          + " \(Self.milliseconds(min(deadline, pause))) for the device\(Self.reason(held, of: pause))"
      )
    }
    return computed(in: begin...end, computing, deadline * Double(window.count))
  }

  /// The time in which the thread was to compute, and did not run though it would have been in time otherwise; for how
  /// long others ran in its place; page faults for which the disk was read. From the last look at the thread before the
  /// time to the first one after it.
  private func lost(in time: ClosedRange<Double>) -> (Double, held: Double, diskFaults: Int) {
    guard let from = thread.last(where: { $0.time <= time.lowerBound }) ?? thread.first,
      let to = thread.first(where: { $0.time >= time.upperBound }) ?? thread.last
    else { return (0, 0, 0) }
    var (computing, count) = (0.0, 0)
    for period in periods {
      let begin = max(from.time, Double(period.begin) * 1e-9)
      let end = min(to.time, Double(period.end) * 1e-9)
      if end > begin { (computing, count) = (computing + end - begin, count + 1) }
    }
    let ran = to.ran - from.ran
    let isDear = ran > Double(count * period) / sampleRate
    return (
      isDear ? 0 : computing - ran, max(0, to.waited - from.waited), to.diskFaults - from.diskFaults
    )
  }

  private static func reason(_ held: Double, of lost: Double) -> String {
    held > 0.5 * lost
      ? ": it was ready, and other programs ran for \(milliseconds(held))."
      : ": another program or the system held it up."
  }

  /// The cause if all the time was spent in computing.
  private func computed(
    in window: ClosedRange<Double>, _ computing: Double, _ available: Double
  ) -> Cause? {
    let inside = events.filter {
      $0.end >= window.lowerBound && $0.begin <= window.upperBound && $0.thread == 0
    }
    let starts = inside.filter { $0.kind == .start }
    let inits = inside.filter { $0.kind == .initPass }
    let engine = inside.filter { $0.kind == .engine }
    func sum(_ events: [Event]) -> Double { events.reduce(0) { $0 + $1.seconds } }
    let numbers = "of \(Self.milliseconds(computing)) for \(Self.milliseconds(available)) of sound"
    let tables = inits.filter { Self.makesTables($0.opcode) }
    if let table = tables.max(by: { $0.seconds < $1.seconds }), sum(tables) > 0.4 * computing {
      return Cause(
        kind: .table,
        sentence:
          "a table was made in performance: \(table.opcode) in line \(table.line), instr \(table.instrument), took"
          + " \(Self.milliseconds(table.seconds)) \(numbers). Make it before the first note, outside of instruments."
      )
    }
    if let start = starts.max(by: { $0.seconds < $1.seconds }), sum(starts) > 0.4 * computing {
      if start.seconds > 0.5 * sum(starts) || starts.count < 8 {
        let pass = inits.filter { $0.begin >= start.begin && $0.end <= start.end }
          .max { $0.seconds < $1.seconds }
        let part =
          pass.flatMap { $0.seconds < 0.3 * start.seconds ? nil : $0 }.map {
            ", \(Self.milliseconds($0.seconds)) of it in \($0.opcode) in line \($0.line)"
          }
          ?? ""
        return Cause(
          kind: .initPass,
          sentence:
            "the init pass of a note of instr \(start.instrument) took \(Self.milliseconds(start.seconds))\(part),"
            + " \(numbers).")
      }
      return burst(starts, "their init passes took \(Self.milliseconds(sum(starts)))", numbers)
    }
    if let longest = engine.max(by: { $0.seconds < $1.seconds }), sum(engine) > 0.4 * computing {
      return Cause(
        kind: .engine,
        sentence:
          "Csound itself took \(Self.milliseconds(longest.seconds)) \(numbers), before the notes: a table of the"
          + " score (f), or memory for new notes.")
    }
    return dear(inside, starts, numbers)
  }

  private func burst(_ starts: [Event], _ what: String, _ numbers: String) -> Cause {
    let names = Dictionary(grouping: starts, by: \.instrument).max {
      $0.value.count < $1.value.count
    }!
    return Cause(
      kind: .burst,
      sentence:
        "\(starts.count) notes began at about the same time, \(names.value.count) of instr \(names.key);"
        + " \(what) \(numbers).")
  }

  /// Too dear k-cycles: because of notes that began shortly before, or all the time.
  private func dear(_ inside: [Event], _ starts: [Event], _ numbers: String) -> Cause? {
    let cycles = inside.filter { $0.kind == .cycle }
    guard let longest = cycles.max(by: { $0.seconds < $1.seconds }) else { return nil }
    let length = Double(ksmps) / sampleRate
    let late = cycles.count { $0.seconds > length }
    let shares = Dictionary(grouping: inside.filter { $0.kind == .note }, by: \.instrument)
      .mapValues { $0.reduce(0) { $0 + $1.seconds } }
    let all = cycles.reduce(0) { $0 + $1.seconds }
    let dearest =
      shares.max { $0.value < $1.value }
      .map { "; instr \($0.key) takes \(Self.percent($0.value / all)) of the time" } ?? ""
    var parts: [String: Double] = [:]
    for call in inside where call.kind == .call && cyclesPerSample == 1 {
      parts[", \(call.opcode) in line \(call.line)", default: 0] += call.seconds / all
    }
    // Where few k-cycles have lines, those lately stand for them.
    for line in lines where cyclesPerSample > 1 {
      parts[", \(line.opcode) in line \(line.line)", default: 0] += line.share
    }
    let most = parts.max { $0.value < $1.value }
    let line = most.map { $0.value > 0.1 ? "\($0.key) \(Self.percent($0.value))" : "" } ?? ""
    let what = "\(late) of \(cycles.count) k-cycles took longer than they sound"
    if starts.count >= 8 { return burst(starts, "then \(what)\(dearest),", numbers) }
    return Cause(
      kind: .cycles,
      sentence:
        "the k-cycles are too dear: \(what), the longest \(Self.milliseconds(longest.seconds)) of"
        + " \(Self.milliseconds(length))\(dearest)\(line).")
  }

  private static func makesTables(_ opcode: String) -> Bool {
    opcode.hasPrefix("ftgen") || opcode.hasPrefix("ftload") || opcode == "ftconvolve"
      || opcode.hasPrefix("vco2init")
  }

  private static func milliseconds(_ seconds: Double) -> String {
    String(format: seconds < 0.01 ? "%.2f ms" : "%.1f ms", seconds * 1e3)
  }

  private static func percent(_ part: Double) -> String { String(format: "%.0f %%", part * 100) }
}
