import Foundation
import HarnessBase
import Rendering

/// How many notes of an instrument fit.
package struct VoicesTable: Encodable {
  struct Row: Encodable {
    var ksmps: Int
    /// The length of a k-cycle in seconds.
    var cycle: Double
    var fit: VoiceFit
    /// So many notes fit at each of the loads.
    var fitting: [VoiceSpan]
    /// The last of these, played.
    var check: VoicesTake.Level?

    /// The seconds of a k-cycle that each of them takes.
    var note: Double? {
      check.map { ($0.seconds.median - fit.base) / Double($0.notes) }
    }
  }
  struct VoiceSpan: Encodable {
    var load: Double
    var likely, least, most: Int

    init(_ load: Double, _ notes: (likely: Int, least: Int, most: Int)) {
      (self.load, likely, least, most) = (load, notes.likely, notes.least, notes.most)
    }
  }

  var path, instrument: String
  var sampleRate: Double
  /// How many different notes of the score were played in turn.
  var notes: Int
  /// The part of real time that the score's other notes take.
  var otherLoad: Double
  var rows: [Row]
  /// The same on another machine, whose k-cycles take so many times as long.
  var machine: Machine?

  struct Machine: Encodable {
    var name: String
    var factor: Estimate
    /// By row and load, from the slowest of the instruments that were measured there to the fastest.
    var fitting: [[VoiceSpan]]

    init(_ speed: MachineSpeed, _ table: VoicesTable, factor: Estimate) {
      (name, self.factor) = (speed.machine, factor)
      fitting = table.rows.map { row in
        row.fitting.map { range in
          func notes(_ factor: Double) -> Int {
            row.fit.notes(load: range.load, cycle: row.cycle, times: factor).likely
          }
          return VoiceSpan(
            range.load, (notes(factor.value), notes(factor.high), notes(factor.low)))
        }
      }
    }
  }
}

extension Profiler {
  /// Measures what one note of an instrument costs at each ksmps, and plays the number that fits.
  package func voices(
    of instrument: String, in orchestra: Orchestra, ksmps: [Int]?, loads: [Double],
    limit: Double?, progress: @escaping @Sendable (String) -> Void
  ) throws(Failure) -> VoicesTable {
    var orchestra = orchestra
    orchestra.threads = 1
    try OrchestraSource(readingFrom: orchestra.path).require(instrument, of: orchestra.path)
    let heard = try run(
      VoicesJob(
        orchestra: orchestra, instrument: instrument, task: .listen(seconds: limit ?? 60)), progress
    )
    guard heard.fields <= 3 || !heard.notes.isEmpty else {
      throw .badInput(
        "Instrument '\(instrument)' uses p4 to p\(heard.fields), and the first"
          + " \(heard.soundSeconds.formatted(0)) s of '\(orchestra.path)' play no note of it;"
          + " add a note to the score, or set --duration.")
    }
    let own = heard.ksmps
    let sizes = ksmps ?? [own > 16 ? own / 4 : own * 16, own, own * 4].sorted()
    let rows = try sizes.map { size throws(Failure) in
      orchestra.ksmps = size
      let take = try play(
        [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096], of: instrument, in: orchestra,
        heard.notes, progress)
      let cycle = Double(size) / take.sampleRate
      guard var fit = VoiceFit(take.levels) else {
        throw Failure.badInput(
          "A note of instrument '\(instrument)' costs too little to be told from none,"
            + " even of \(take.levels.last!.notes) notes at a time.")
      }
      // Where the numbers that were played lie far apart, the check is one more of them, and is made again.
      var (check, levels): (VoicesTake.Level?, [VoicesTake.Level]) = (nil, take.levels)
      for _ in 0..<3 {
        let count = fit.notes(load: loads.last!, cycle: cycle).likely
        guard count > 0 else { break }
        let level = try play([count], of: instrument, in: orchestra, heard.notes, progress)
          .levels.last!
        check = level
        levels = levels.filter { $0.notes != count } + [level]
        guard abs(level.seconds.median / cycle / loads.last! - 1) > 0.1,
          let next = VoiceFit(levels)
        else { break }
        fit = next
      }
      let fitting = loads.map {
        VoicesTable.VoiceSpan($0, fit.notes(load: $0, cycle: cycle))
      }
      return VoicesTable.Row(
        ksmps: size, cycle: cycle, fit: fit, fitting: fitting, check: check)
    }
    return VoicesTable(
      path: orchestra.path, instrument: instrument, sampleRate: heard.sampleRate,
      notes: heard.notes.count, otherLoad: heard.otherLoad, rows: rows)
  }

  /// Plays numbers of notes side by side. Fails if they do not start, or end by themselves.
  func play(
    _ counts: [Int], of instrument: String, in orchestra: Orchestra, _ notes: [String],
    _ progress: @escaping @Sendable (String) -> Void
  ) throws(Failure) -> VoicesTake {
    let take = try run(
      VoicesJob(
        orchestra: orchestra, instrument: instrument,
        task: .play(notes: notes, counts: counts, seconds: 0.25)), progress)
    if let level = take.levels.first(where: { $0.active < $0.notes }) {
      let reason =
        take.noteErrors.first
        ?? (level.active == 0
          ? "it ends itself." : "the piece lets \(level.active) of them play at a time.")
      throw .badInput(
        "Of \(level.notes.counted("note")) of instrument '\(instrument)' of '\(orchestra.path)'"
          + " \(level.active == 0 ? "none goes" : "not all go") on: \(reason)")
    }
    return take
  }

  private func run(
    _ job: VoicesJob, _ progress: @escaping @Sendable (String) -> Void
  ) throws(Failure) -> VoicesTake {
    let what = "ksmps \(job.orchestra.ksmps.map(String.init) ?? "of the piece")"
    return try run(job, of: "Rendering '\(job.orchestra.path)'") {
      progress("\(what): \($0.formatted(1)) s of sound")
    }
  }
}

extension OrchestraSource {
  /// Fails if there is no instrument with a name or number. Names that a macro makes are not known.
  fileprivate func require(_ instrument: String, of path: String) throws(Failure) {
    let names = files.flatMap(\.code).compactMap { $0.firstMatch(of: /^\s*instr\s+(.+)$/)?.1 }
      .flatMap { $0.split { $0 == "," || $0.isWhitespace } }.map { $0.trimmingPrefix("+") }
    guard !names.contains(where: { $0 == instrument || $0.contains("$") }) else { return }
    throw .badInput(
      NearNames.unknown("No instrument of '\(path)'", instrument, Set(names.map(String.init))))
  }
}
