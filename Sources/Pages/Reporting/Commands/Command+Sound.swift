import CommandKit
import HarnessBase
import Rendering

extension Command {
  static let sound = Command(
    name: "dev sound", operands: "[OPCODE]...",
    summary:
      "Measure aliases, tuning and gain of the opcodes with an argument iquality, at each quality and beside the"
      + " built-ins.",
    options: [.plugin, .toolCsound, .json]
  ) { arguments throws(Failure) in
    let names = Set(SoundTrial.subjects.map(\.name))
    if let unknown = arguments.operands.first(where: { !names.contains($0) }) {
      throw .usage(NearNames.unknown("No opcode with an iquality", unknown, names))
    }
    let export = try FileExport(arguments, .json)
    guard let plugin = Project.plugin(arguments) else {
      throw .missingInput("There is no plugin to play; name one with --plugin.")
    }
    let trial = SoundTrial(plugin: plugin)
    let provenance = Provenance.current(root: Project.root)
    let chosen = SoundTrial.subjects.filter {
      arguments.operands.isEmpty || arguments.operands.contains($0.name)
    }
    let progress = RowProgress(chosen.count)
    defer { ProgressLine.clear() }
    var rows: [SoundTrial.Row] = []
    return try PartialRun.keeping(
      "opcodes", of: chosen.count, finished: { Set(rows.map(\.opcode)).count },
      work: { () throws(Failure) in
        for subject in chosen {
          progress.show(subject.opcode)
          rows += try trial.rows(of: subject)
        }
      },
      conclude: { partial throws(Failure) in
        ProgressLine.clear()
        let run = SoundRun(provenance: provenance, partial: partial, rows: rows)
        for kind in SoundTrial.Kind.allCases {
          guard let table = run.table(of: kind) else { continue }
          print("\n\(kind.heading):\n")
          print(
            Table(rows: table, alignment: [.left, .left] + kind.frequencies.map { _ in .right })
              .text)
        }
        try export?.write(run)
        return .success
      })
  }
}

extension SoundTrial.Kind {
  /// What the numbers of a table are.
  var heading: String {
    switch self {
    case .distortion: "A driven sine's harmonics above everything else below 20 kHz, dB"
    case .oscillator: "The loudest alias below 20 kHz beside the fundamental, dB"
    case .tuning: "Self-oscillation beside the cutoff, cents"
    case .gain: "The gain at the cutoff beside Q, dB"
    }
  }
}

/// The figures of a run.
struct SoundRun: Codable {
  var provenance: Provenance
  /// How far the run came, if it was stopped.
  var partial: PartialRun?
  var rows: [SoundTrial.Row]

  /// The lines of a kind's table, its headings first; nil if there are none.
  func table(of kind: SoundTrial.Kind) -> [[String]]? {
    let own = rows.filter { $0.kind == kind }
    guard !own.isEmpty else { return nil }
    let headings = ["opcode", "iquality"] + kind.frequencies.map { "\(Int($0)) Hz" }
    return [headings]
      + own.enumerated().map { index, row in
        let isFirst = index == 0 || own[index - 1].opcode != row.opcode
        return [isFirst ? row.opcode : "", row.quality.map { "\($0)" } ?? "built-in"]
          + row.figures.map { $0?.formatted(kind == .tuning || kind == .gain ? 1 : 0) ?? "NaN" }
      }
  }
}

/// The figures that `dev sound` has recorded, for the documentation.
package struct SoundTables {
  private let run: SoundRun

  package init() throws(Failure) {
    run = try DataFile.read(
      SoundRun.self, from: Project.kit + "/Benchmarks/sound/results.json", as: "figures of sound")
  }

  package func text(of kind: SoundTrial.Kind) -> String {
    guard let rows = run.table(of: kind) else { return "Nothing is recorded.\n" }
    var table = MarkdownTable(rows[0])
    for row in rows.dropFirst() { table.add(row) }
    return table.text
  }
}
