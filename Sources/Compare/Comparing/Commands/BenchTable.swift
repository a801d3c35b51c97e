import CommandKit
import Foundation
import HarnessBase
import Synchronization

/// The table of a benchmark, whose rows are printed as soon as they are known.
final class BenchTable: Sendable {
  private struct Column: Sendable {
    var heading: String
    var width = 0
    var isLeft = false
  }

  /// The places of all rows, which are known before the rows.
  private let places: [BenchmarkPlace]
  private let hasCounts: Bool
  private let columns: [Column]
  let progress: RowProgress
  private let finished = Mutex<[BenchmarkRow]>([])
  /// Whether rows are printed, or only stored.
  private let isPrinted: Bool

  init(_ places: [BenchmarkPlace], hasCounts: Bool, isPrinted: Bool) {
    self.places = places
    progress = RowProgress(places.count)
    self.hasCounts = hasCounts
    self.isPrinted = isPrinted
    func widest(_ word: (BenchmarkPlace) -> String) -> Int {
      places.map { word($0).count }.max() ?? 0
    }
    var columns = [
      Column(heading: "", width: "\(places.count)".count * 2 + 1),
      Column(heading: "opcode", width: widest(\.subject), isLeft: true),
      Column(heading: "rival", width: widest(\.rival), isLeft: true),
      Column(heading: "rates", width: widest(\.signalName), isLeft: true),
    ]
    if Set(places.map(\.sampleRate)).count > 1 { columns.append(Column(heading: "sr", width: 6)) }
    columns.append(Column(heading: "ksmps"))
    if Set(places.map(\.instances)).count > 1 { columns.append(Column(heading: "instances")) }
    columns += [
      Column(heading: "per", width: widest(\.unit.rawValue), isLeft: true),
      Column(heading: "subject ns"), Column(heading: "rival ns"),
      Column(heading: "ratio", width: 6), Column(heading: "99 %", width: 11),
      Column(heading: "verdict", width: Verdict.tooNoisy.rawValue.count, isLeft: true),
      Column(heading: "null dB", width: 9), Column(heading: "peak dBFS", width: 9),
      Column(heading: "bytes", width: 7), Column(heading: "rival bytes"),
    ]
    if hasCounts {
      columns += [Column(heading: "instr.", width: 9), Column(heading: "rival instr.")]
    }
    self.columns = columns
  }

  /// The number of rows there will be.
  var count: Int { places.count }

  /// Prints how much there is to do, before it begins.
  func announce(isOverview: Bool, pairs: Int, of opcodes: String, seconds: Double) {
    let pairs = pairs.counted("pair")
    let work = isOverview ? "\(pairs) at usual rates" : "\(count.counted("row")) of \(pairs)"
    print("\(work), with \(opcodes), about \(seconds.asDuration):\n")
    fflush(nil)
  }

  /// The rows known so far.
  var rows: [BenchmarkRow] { finished.withLock(\.self) }

  /// Prints a row and, on a terminal, how long the others may take.
  func add(_ row: BenchmarkRow) {
    finished.withLock { finished in
      finished.append(row)
      let number = progress.next()
      if isPrinted {
        if finished.count == 1 { print(line(columns.map(\.heading))) }
        print(line([number] + words(row)))
        // A reader of a pipe gets each row at once, too.
        fflush(nil)
      }
      progress.show()
    }
  }

  /// An explanation of the columns.
  var legend: String {
    """
    ns: one more call of the opcode. ratio: rival / subject, above 1 the subject is faster, with > \
    where it costs too little to be told from nothing. \
    99 %: where the ratio of another run lies.
    verdict: too noisy to tell where the interval holds 1 and is wider than \
    \(Int(Verdict.precision * 100)) % either side.
    null, peak: the worst of all compared cases at these rates and ksmps. bytes: heap memory that \
    one more note takes.\(hasCounts ? " instr.: instructions." : "")
    """
  }

  private func line(_ words: [String]) -> String {
    Columns(
      widths: columns.map { max($0.width, $0.heading.count) },
      alignment: columns.map { $0.isLeft ? .left : .right }
    ).line(words)
  }

  private func words(_ row: BenchmarkRow) -> [String] {
    var words = [row.subject, row.rival, row.place.signalName]
    if columns.contains(where: { $0.heading == "sr" }) {
      words.append("\(Int(row.sampleRate.rounded()))")
    }
    words.append("\(row.ksmps)")
    if columns.contains(where: { $0.heading == "instances" }) { words.append("\(row.instances)") }
    words.append(row.unit.rawValue)
    if let measurement = row.measurement {
      let ratio = measurement.ratio
      words += [measurement.subject.formatted(2), measurement.rival.formatted(2)]
      words +=
        measurement.hasRatio
        ? [ratio.value.formatted(2), "\(ratio.low.formatted(2))–\(ratio.high.formatted(2))"]
        : [measurement.isFaster ? "> \(ratio.low.formatted(2))" : "–", "–"]
      words.append(measurement.verdict.rawValue)
    } else {
      words += ["error", "", "", "", ""]
    }
    let failed = row.cases.contains { !$0.passed }
    words += [(failed ? "FAIL " : "") + row.nullDepth.decibels, row.peakError.decibels]
    let bytes = [row.measurement?.subjectBytes, row.measurement?.rivalBytes]
    words += bytes.map { $0.map { "\(Int($0.rounded()))" } ?? "–" }
    let counts = [row.instructions?.subject, row.instructions?.rival]
    return words + (hasCounts ? counts.map { $0?.formatted(2) ?? "error" } : [])
  }
}

extension BenchmarkPlace {
  /// The rates, and whether the signal has ended (silence).
  fileprivate var signalName: String { rates + (isSilence ? " silence" : "") }
}
