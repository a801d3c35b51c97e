import CommandKit
import Foundation
import HarnessBase
import Pieces
import Profiling
import Surveying
import Workers

extension Command {
  private static let sound = Option(
    name: "duration", value: "SECONDS", help: "Render so much of each piece, twice; 5 unless given."
  )
  private static let top = Option(
    name: "top", value: "N", help: "Show the N most expensive opcodes; 40 unless given.")

  static let spent = Command(
    name: "spent", operands: "DIR …",
    summary: "Find out which opcodes take the time over all pieces below directories.",
    options: [sound, top, SwapOptions.jobs, .timeLimit(30), .plugin, .json]
  ) { arguments throws(Failure) in
    guard !arguments.operands.isEmpty else {
      throw Failure(.usage, "spent needs a directory with CSDs; see ./opcodekit spent --help.")
    }
    let all = try PieceFiles.all(arguments.operands)
    let pieces = Spending.different(all)
    let export = try FileExport(arguments, .json)
    let most = try arguments.wholeNumber(top, 1...10_000) ?? 40
    let timeLimit = try arguments.timeLimit(30)
    var spending = Spending(
      Profiler(
        pool: WorkerPool(
          executable: Project.executable, arguments: ["worker"], pinsPlugins: false,
          timeLimit: timeLimit, jobsPerWorker: 1)))
    spending.duration = try arguments.number(sound, 0.001...86_400) ?? spending.duration
    spending.cutOff = timeLimit
    spending.plugin = Project.plugin(arguments)
    spending.jobs = try arguments.wholeNumber(SwapOptions.jobs, 1...256) ?? 1
    let counterparts = try SwapOptions.counterparts(arguments, isChosen: false).subjects
    SwapOptions.sayConfinement()
    let rows = RowProgress(pieces.count)
    defer { ProgressLine.clear() }
    let results = try spending.spent(in: pieces) { piece in
      rows.print(piece.reason.map { "\(Project.short(piece.path)): \($0.suffix(200))" })
    }
    ProgressLine.clear()
    let time = SpentTime(results)
    print(time.text(top: most, counterparts: counterparts))
    let failed = results.count - time.pieces
    print(
      "\n\(all.count) pieces, \(pieces.count) of them different; \(time.pieces) have a profile,"
        + " \(failed) do not play.")
    try export?.write(SpentExport(pieces: results, time: time))
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
      : "\n… and \(rest.count) more opcodes, \(percent(rest.reduce(0) { $0 + $1.meanShare })) %"
    return Table(
      rows: [["mean of pieces %", "of all time %", "pieces", "opcode", "ours"]]
        + [cells(engine), cells(userOpcodes)] + rows.prefix(count).map(cells),
      alignment: [.right, .right, .right]
    ).text + more
  }
}
