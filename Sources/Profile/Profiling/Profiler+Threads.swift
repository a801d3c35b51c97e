import CsoundHost
import Foundation
import HarnessBase
import Rendering

/// What several numbers of threads make of a piece.
struct ThreadTable: Encodable {
  struct Row: Encodable {
    var threads: Int
    /// The seconds of all k-cycles in each render, the shortest first.
    var seconds: [Double]
    /// The part of the threads' time that notes take.
    var inNotes: Double
    /// Whether its samples are those of one thread, in each render.
    var isIdentical: Bool

    var median: Double { seconds.median }
  }

  var path: String
  var soundSeconds, sampleRate: Double
  var ksmps: Int
  var rows: [Row]
  /// By one thread.
  var chain: ThreadsTake
  /// Errors that ended notes, and whether the score had not ended when the longest time was over; by one thread.
  var noteErrors: [String]
  var wasCutOff: Bool
}

extension Profiler {
  /// Renders by one thread, by two and so on in turns, up to five times each, and once each with a recorder.
  func compareThreads(
    _ orchestra: Orchestra, upTo most: Int, limit: Double?,
    progress: @escaping @Sendable (Double) -> Void
  ) throws(Failure) -> ThreadTable {
    let work = "Rendering '\(orchestra.path)'"
    let counts = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32].filter { $0 < most } + [most]
    let orchestras = counts.map { count in
      var orchestra = orchestra
      orchestra.threads = count
      return orchestra
    }
    var takes: [[ProfileTake]] = Array(repeating: [], count: counts.count)
    let start = Date()
    while pairs.map({ takes[0].count < $0 })
      ?? (takes[0].count < 3
        || takes[0].count < 5 && Date().timeIntervalSince(start) < Self.patience)
    {
      for (index, orchestra) in orchestras.enumerated() {
        let job = ProfileJob(orchestra: orchestra, limit: limit, tracingShare: nil)
        takes[index].append(try run(job, of: work, progress))
      }
    }
    let recorded = try orchestras.map { orchestra throws(Failure) in
      try run(ThreadsJob(orchestra: orchestra, limit: limit), of: work, progress)
    }
    let first = takes[0][0]
    var table = ThreadTable(
      path: orchestra.path, soundSeconds: first.soundSeconds, sampleRate: first.sampleRate,
      ksmps: first.ksmps,
      rows: counts.indices.map { index in
        .init(
          threads: counts[index], seconds: takes[index].map(\.performSeconds).sorted(),
          inNotes: recorded[index].notes
            / max(1e-9, recorded[index].cycles * Double(counts[index])),
          isIdentical: takes[index].allSatisfy { $0.digest == first.digest })
      }, chain: recorded[0], noteErrors: first.noteErrors, wasCutOff: first.wasCutOff)
    // Csound reports a later line for some statements.
    var lines = Flight(
      sampleRate: first.sampleRate, ksmps: first.ksmps,
      events: table.chain.lines.map {
        .init(kind: .call, begin: 0, end: $0.chain, opcode: $0.name, line: $0.line)
      })
    lines.findLines(
      in: (try? String(contentsOfFile: orchestra.path, encoding: .isoLatin1)) ?? "")
    for index in lines.events.indices { table.chain.lines[index].line = lines.events[index].line }
    return table
  }
}
