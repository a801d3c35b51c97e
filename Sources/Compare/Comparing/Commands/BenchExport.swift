import CommandKit
import Foundation
import HarnessBase
import Rendering

/// A benchmark in JSON.
package struct BenchExport: Codable {
  /// How long a run took, and how long it was expected to take.
  package struct Duration: Codable {
    var effort: Benchmark.Effort
    var expectedSeconds, seconds: Double
  }

  package struct Row: Codable {
    package var pairing: String
    package var group: String?
    package var subject, rival, rates, unit: String
    package var sampleRate: Double
    package var ksmps, instances: Int
    package var isSilence: Bool
    package var subjectNanoseconds, rivalNanoseconds: Double?
    package var ratio: Estimate?
    package var verdict: Verdict?
    package var rounds: Int?
    package var casesCompared: Int
    package var casesPassed: Int
    /// Whether the subject has the same samples as the rival in every case.
    package var isIdentical: Bool
    /// Absent if there is no finite number, as for identical sounds.
    package var nullDepthDecibels, peakErrorDecibels: Double?
    /// Bytes of heap memory for one more note.
    package var subjectBytes, rivalBytes: Double?
    /// Instructions per unit; absent if they were not counted.
    package var subjectInstructions, rivalInstructions: Double?
  }

  package var date: String
  package var csound: String
  package var compiler: String
  /// The plugin that the opcodes came from; absent if they were the tool's own.
  package var plugin: String?
  package var processor: String
  package var seed: UInt64
  /// The probability with which an interval contains its ratio; absent in runs of older versions.
  package var confidence: Double?
  /// How long the run took; absent in runs that were stopped, and in those of older versions.
  package var duration: Duration?
  /// How far the run came, if it was stopped.
  package var partial: PartialRun?
  package var groups: [GroupSummary]
  package var rows: [Row]

  package init(_ rows: [BenchmarkRow], seed: UInt64, plugin: String?, _ provenance: Provenance) {
    self.plugin = plugin.map { ($0 as NSString).lastPathComponent }
    compiler = provenance.compiler
    date = provenance.date
    csound = provenance.csound
    processor = provenance.processor
    self.seed = seed
    confidence = Estimate.confidence
    self.rows = rows.map { Row($0) }
    groups = GroupSummary.all(of: self.rows)
  }

  /// The run with the pairs of a later one in place of its own, or added.
  package func updated(by later: BenchExport) -> BenchExport {
    var updated = self
    for (name, rows) in Dictionary(grouping: later.rows, by: \.pairing) {
      // Rows are in the order of the pairs' files.
      func isBefore(_ row: Row) -> Bool { row.pairing + ".json" < name + ".json" }
      updated.rows.removeAll { $0.pairing == name }
      let place = updated.rows.firstIndex { !isBefore($0) } ?? updated.rows.endIndex
      updated.rows.insert(contentsOf: rows, at: place)
    }
    updated.groups = GroupSummary.all(of: updated.rows)
    return updated
  }
}

extension BenchExport.Row {
  package init(_ row: BenchmarkRow) {
    let measurement = row.measurement
    let hasRatio = measurement?.hasRatio == true
    self.init(
      pairing: row.pairing, group: row.group, subject: row.subject, rival: row.rival,
      rates: row.rates, unit: row.unit.rawValue, sampleRate: row.sampleRate, ksmps: row.ksmps,
      instances: row.instances, isSilence: row.isSilence,
      subjectNanoseconds: measurement?.subject.finite,
      rivalNanoseconds: measurement?.rival.finite, ratio: hasRatio ? measurement?.ratio : nil,
      verdict: measurement?.verdict, rounds: measurement?.rounds,
      casesCompared: row.cases.count, casesPassed: row.cases.filter(\.passed).count,
      isIdentical: !row.cases.isEmpty
        && row.cases.allSatisfy { $0.comparison?.nullDepth == -.infinity },
      nullDepthDecibels: row.nullDepth.finite, peakErrorDecibels: row.peakError.finite,
      subjectBytes: measurement?.subjectBytes,
      rivalBytes: measurement?.rivalBytes, subjectInstructions: row.instructions?.subject,
      rivalInstructions: row.instructions?.rival)
  }
}
