import Accelerating
import Benchmarking
import CommandKit
import Foundation
import HarnessBase
import Pieces
import Statistics
import Swapping

extension Command {
  private static let output = Option(
    name: "output", letter: "o", value: "NEW.csd",
    help: "Write the piece with the opcodes swapped, if any are; exit code 1 if none are.")

  static let faster = Command(
    name: "faster", operands: "PIECE.csd …",
    summary:
      "Swap Csound's opcodes in a piece for the pack's where that is faster and sounds the same.",
    options: [output] + SwapOptions.all(timeLimit: 30) + [.plugin, .json]
  ) { arguments throws(Failure) in
    guard !arguments.operands.isEmpty else {
      throw Failure(
        .usage, "faster needs a CSD or a directory with some; see ./opcodekit faster --help.")
    }
    let pieces = try PieceFiles.all(arguments.operands)
    guard pieces.count == 1 || arguments[output] == nil else {
      throw Failure(
        .usage, "-o is for one piece and these are \(pieces.count); leave it or the others out.")
    }
    let target = arguments[output]
    // Refused before the work where it cannot be written.
    if let target { _ = try FileExport(target) }
    let export = try FileExport(arguments, .json)
    let acceleration = Acceleration(
      try SwapOptions.counterparts(arguments), try SwapOptions.settings(arguments))
    let rows = RowProgress(pieces.count)
    defer { ProgressLine.clear() }
    var results: [FasterPiece] = []
    for path in pieces {
      let piece = try acceleration.accelerate(path, to: target) { stage in
        rows.show("\(Project.short(path)): \(stage)")
      }
      results.append(piece)
      if pieces.count > 1 {
        rows.print(FasterText.line(piece))
      } else {
        ProgressLine.clear()
        if piece.outcome != .originalFails { print(FasterText.whole(piece)) }
      }
    }
    if pieces.count > 1 { print("\n" + FasterText.summary(results)) }
    try export?.write(results)
    if pieces.count == 1, results[0].outcome == .originalFails {
      throw Failure(
        .badInput,
        "'\(Project.short(pieces[0]))' does not play as it is: \(results[0].reason ?? "")")
    }
    if let target, let piece = results.first {
      guard piece.outcome == .swapped else {
        printError("opcodekit: '\(target)' is not written, because nothing is swapped.")
        return .checkFailed
      }
      let plugin = Project.plugin(arguments) ?? "build/libopcodes.so"
      printError("Wrote \(target). To play it: csound --opcode-lib=\(plugin) \(target)")
    }
    return results.contains(where: \.hasMiss) ? .checkFailed : .success
  }
}
