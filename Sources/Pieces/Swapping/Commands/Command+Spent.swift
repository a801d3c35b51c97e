import CommandKit
import Foundation
import HarnessBase
import Profiling
import Rendering

extension Command {
  private static let sound = Option(
    name: "duration", value: "SECONDS", takes: .number(0.001...86_400),
    help: "Render this many seconds of each piece, twice; 5 unless given."
  )
  private static let top = Option(
    name: "top", value: "N", takes: .wholeNumber(1...10_000), standard: 40,
    help: "Show the N most expensive opcodes; 40 unless given.")

  static let spent = Command(
    name: "dev spent", operands: "DIR …",
    summary: "Find out which opcodes take the time over all pieces below directories.",
    options: [sound, top, SwapOptions.jobs, .timeLimit(30), .plugin, .toolCsound, .json]
      + Shard.options
  ) { arguments throws(Failure) in
    guard !arguments.operands.isEmpty else {
      throw Failure(.usage, "spent needs a directory with CSDs; see ./opcodekit dev spent --help.")
    }
    let all = try PieceFiles.all(arguments.operands)
    let pieces = Spending.different(all)
    let timeLimit = arguments[.timeLimit]
    var spending = Spending(
      Profiler(
        pool: WorkerPool(
          executable: Project.executable, arguments: ["worker"], pinsPlugins: false,
          timeLimit: timeLimit, jobsPerWorker: 1)))
    spending.duration = arguments[sound] ?? spending.duration
    spending.cutOff = timeLimit
    spending.plugin = Project.plugin(arguments)
    spending.folders = PieceFiles.folders(arguments.operands)
    spending.jobs = arguments[SwapOptions.jobs] ?? 1
    let counterparts = try SwapOptions.counterparts(arguments, isChosen: false).subjects
    SwapOptions.sayConfinement()
    let report = SpentReport(all: all.count, most: arguments[top], counterparts: counterparts)
    let run = try SharedRun(arguments, report, units: pieces.map(Project.short))
    let numbers = run.numbers(of: pieces)
    defer { ProgressLine.clear() }
    return try run.finish { () throws(Failure) in
      _ = try spending.spent(in: run.own.map { pieces[$0] }) { piece in
        run.found(piece, unit: numbers[piece.path]!)
      }
    }
  }
}

struct SpentReport: SharedReport {
  /// The number of pieces, including copies of the same piece.
  var all: Int
  /// The number of opcodes that are shown.
  var most: Int
  var counterparts: [String: String]

  static var command: String { "dev spent" }
  static var things: String { "pieces" }

  func row(_ piece: SpentPiece) -> String? {
    piece.reason.map {
      "\(Project.short(piece.path)): \(piece.isSkipped ? "skipped: " : "")\($0.suffix(200))"
    }
  }

  func conclude(_ pieces: [SpentPiece], units: Int, _ exports: Exports) throws(Failure) -> ExitCode
  {
    let time = SpentTime(pieces)
    print(time.text(top: most, counterparts: counterparts))
    let whole =
      exports.partial.map { "\($0.finished) of \($0.count) pieces" }
      ?? "\(all) piece\(all == 1 ? "" : "s"), \(units) of them different"
    let skipped = pieces.count(where: \.isSkipped)
    let silent = pieces.count - time.pieces - skipped
    print(
      "\n\(whole); \(time.pieces) \(time.pieces == 1 ? "has" : "have") a profile,"
        + (skipped > 0 ? " \(skipped) \(skipped == 1 ? "is" : "are") skipped," : "")
        + " \(silent) \(silent == 1 ? "does" : "do") not play.")
    try exports[.json]?.write(SpentExport(pieces: pieces, time: time))
    guard time.pieces > 0 else {
      throw Failure(.badInput, "No piece plays; what each says is above.")
    }
    return .success
  }
}

private struct SpentExport: Encodable {
  var pieces: [SpentPiece]
  var time: SpentTime
}

extension SpentTime {
  fileprivate func text(top count: Int, counterparts: [String: String]) -> String {
    func percent(_ share: Double) -> String { (share * 100).formatted(2) }
    func cells(_ row: Row) -> [String] {
      [
        percent(row.meanShare), percent(row.share), "\(row.pieces)", row.opcode,
        counterparts[row.opcode] ?? "",
      ]
    }
    let rest = rows.dropFirst(count)
    let more =
      rest.isEmpty
      ? ""
      : "\n… and \(rest.count.counted("more opcode")), \(percent(rest.reduce(0) { $0 + $1.meanShare })) %"
    return Table(
      rows: [["mean of pieces %", "of all time %", "pieces", "opcode", "ours"]]
        + [cells(engine), cells(userOpcodes)] + rows.prefix(count).map(cells),
      alignment: [.right, .right, .right]
    ).text + more
  }
}
