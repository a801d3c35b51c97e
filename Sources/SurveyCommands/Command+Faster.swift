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
    options: [output] + SwapOptions.all(timeLimit: 30) + [.plugin, .json] + Shard.options
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
    guard target == nil || arguments[Shard.results] == nil else {
      throw Failure(.usage, "-o writes one piece and --results is for many; leave one out.")
    }
    // Refused before the work where it cannot be written.
    if let target { _ = try FileExport(target) }
    let acceleration = Acceleration(
      try SwapOptions.counterparts(arguments), try SwapOptions.settings(arguments))
    let run = try SharedRun(
      arguments, FasterReport(isOne: pieces.count == 1), units: pieces.map(Project.short))
    defer { ProgressLine.clear() }
    var isSwapped = false
    for unit in run.own {
      let piece = try acceleration.accelerate(pieces[unit], to: target) { stage in
        run.progress.show("\(Project.short(pieces[unit])): \(stage)")
      }
      isSwapped = piece.outcome == .swapped
      run.found(piece, unit: unit)
    }
    let ending = try run.conclude()
    guard let target else { return ending }
    guard isSwapped else {
      printError("opcodekit: '\(target)' is not written, because nothing is swapped.")
      return .checkFailed
    }
    let plugin = Project.plugin(arguments) ?? "build/libopcodes.so"
    printError("Wrote \(target). To play it: csound --opcode-lib=\(plugin) \(target)")
    return ending
  }
}

struct FasterReport: SharedReport {
  var isOne: Bool

  static var command: String { "faster" }

  func row(_ piece: FasterPiece) -> String? {
    guard isOne else { return FasterText.line(piece) }
    return piece.outcome == .originalFails ? nil : FasterText.whole(piece)
  }

  func conclude(_ pieces: [FasterPiece], units: Int, _ exports: Exports) throws(Failure) -> ExitCode
  {
    if !isOne { print("\n" + FasterText.summary(pieces)) }
    try exports[.json]?.write(pieces)
    if isOne, let piece = pieces.first, piece.outcome == .originalFails {
      throw Failure(
        .badInput,
        "'\(Project.short(piece.path))' does not play as it is: \(piece.reason ?? "")")
    }
    return pieces.contains(where: \.hasMiss) ? .checkFailed : .success
  }
}
