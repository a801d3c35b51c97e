import Benchmarking
import Foundation
import Rendering
import Statistics

/// A benchmark in JSON.
struct BenchExport: Codable {
  struct Row: Codable {
    var pairing: String
    var group: String?
    var subject, rival, rates, unit: String
    var sampleRate: Double
    var ksmps, instances: Int
    var isSilence: Bool
    var subjectNanoseconds, rivalNanoseconds: Double?
    var ratio: Estimate?
    var verdict: Verdict?
    var rounds: Int?
    var casesCompared: Int
    var casesPassed: Int
    /// The subject's sound equals the rival's in every case.
    var isIdentical: Bool
    /// Absent where there is no number, as for identical sounds.
    var nullDepthDecibels, peakErrorDecibels: Double?
    /// Heap memory of one more note.
    var subjectBytes, rivalBytes: Double?
    /// Per unit; absent where they were not counted.
    var subjectInstructions, rivalInstructions: Double?
  }

  var date: String
  var csound: String
  var compiler: String
  /// The plugin the opcodes came from; absent when they were the tool's own.
  var plugin: String?
  var processor: String
  var seed: UInt64
  /// The probability with which an interval holds its ratio; absent in runs of older versions.
  var confidence: Double?
  var groups: [GroupSummary]
  var rows: [Row]

  init(_ rows: [BenchmarkRow], seed: UInt64, plugin: String?, _ provenance: Provenance) {
    self.plugin = plugin.map { ($0 as NSString).lastPathComponent }
    groups = GroupSummary.all(of: rows)
    compiler = provenance.compiler
    date = provenance.date
    csound = provenance.csound
    processor = provenance.processor
    self.seed = seed
    confidence = Estimate.confidence
    self.rows = rows.map { row in
      let measurement = row.measurement
      let hasRatio = measurement?.hasRatio == true
      return Row(
        pairing: row.pairing, group: row.group, subject: row.subject, rival: row.rival,
        rates: row.rates, unit: row.unit.rawValue, sampleRate: row.sampleRate, ksmps: row.ksmps,
        instances: row.instances, isSilence: row.isSilence,
        subjectNanoseconds: measurement?.subject.finite,
        rivalNanoseconds: measurement?.rival.finite, ratio: hasRatio ? measurement?.ratio : nil,
        verdict: measurement?.verdict, rounds: measurement?.rounds,
        casesCompared: row.cases.count, casesPassed: row.cases.filter(\.passed).count,
        isIdentical: row.nullDepth == -.infinity, nullDepthDecibels: row.nullDepth.finite,
        peakErrorDecibels: row.peakError.finite, subjectBytes: measurement?.subjectBytes,
        rivalBytes: measurement?.rivalBytes, subjectInstructions: row.instructions?.subject,
        rivalInstructions: row.instructions?.rival)
    }
  }
}
