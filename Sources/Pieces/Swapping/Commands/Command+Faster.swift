import CommandKit
import Comparing
import Foundation
import HarnessBase
import Rendering

extension Command {
  private static let output = Option(
    name: "output", letter: "o", value: "NEW.csd",
    help: "Write the piece with the opcodes swapped, if any are; exit code 1 if none are.")

  static let faster = Command(
    name: "faster", operands: "PIECE.csd …",
    summary:
      "Swap Csound's opcodes in a piece for the pack's where that is faster and sounds the same.",
    options: [output] + SwapOptions.all(timeLimit: 30) + [.plugin, .toolCsound, .json]
      + Shard.options
  ) { arguments throws(Failure) in
    guard !arguments.operands.isEmpty else {
      throw .usage("faster needs a CSD or a directory with CSDs; see ./opcodekit faster --help.")
    }
    let pieces = try PieceFiles.all(arguments.operands)
    guard pieces.count == 1 || arguments[output] == nil else {
      throw .usage("-o is for one piece and these are \(pieces.count); leave out -o or the rest.")
    }
    let target = arguments[output]
    guard target == nil || arguments[Shard.results] == nil else {
      throw .usage("-o writes one piece, but --results is for many; leave one out.")
    }
    // Fails before the work if the file cannot be written.
    if let target { _ = try OutputFile(target, inputs: pieces) }
    if arguments.takesBuiltPlugin, let package = AuthorPackage.current {
      printError(
        "opcodekit: tries the opcodes of the package in '\(Project.short(package.directory))'; outside of it faster"
          + " tries those of the kit's pack.")
    }
    var acceleration = Acceleration(
      try SwapOptions.counterparts(arguments), SwapOptions.settings(arguments))
    acceleration.findsPorts = pieces.count == 1
    let run = try SharedRun(
      arguments, FasterReport(isOne: pieces.count == 1), units: pieces.map(Project.short))
    defer { ProgressLine.clear() }
    var written: [String]?
    let ending = try run.finish { () throws(Failure) in
      for unit in run.own {
        let piece = try acceleration.accelerate(pieces[unit], to: target) { stage in
          run.progress.show("\(Project.short(pieces[unit])): \(stage)")
        }
        written = piece.written
        run.found(piece, unit: unit)
      }
    }
    guard let target else { return ending }
    guard let written else {
      printError("opcodekit: '\(target)' is not written, because nothing is swapped.")
      return .checkFailed
    }
    printError(
      "Wrote \((written.dropLast().map(Project.short) + [target]).joined(separator: ", ")).")
    if try OutputFile(target).isReplaced {
      printError("To play it: \(playing(target, with: Project.plugin(arguments)))")
    }
    return ending
  }

  /// A command line for the current directory that plays a piece in the tool's Csound: with the command `csound` if it
  /// is of that version, or else with `opcodekit play`. If the kit's plugin is missing, it first builds that.
  static func playing(_ piece: String, with plugin: String?) -> String {
    let own = Project.kit + "/build/" + BuildTarget.tools.plugin(of: "opcodes")
    let isMissing = plugin == nil && !FileManager.default.fileExists(atPath: own)
    let (kit, script) = (Project.kit.shellWord, (Project.kit + "/opcodekit").shellWord)
    let csound = "--csound \(CsoundVersion.tools.rawValue)"
    let building = isMissing ? "(cd \(kit) && \(script) build \(csound)) && " : ""
    // A word that begins with a hyphen is taken for an option.
    let path = (piece.hasPrefix("-") ? "./" + piece : piece).shellWord
    let library = (plugin ?? own).shellWord
    let installed = try? CsoundVersion.installed()
    guard installed == .tools, installedProgram("csound") != nil else {
      return building + "\(script) play \(path) \(csound) --plugin=\(library)"
    }
    return building + "csound --opcode-lib=\(library) \(path)"
  }
}

extension String {
  /// The text quoted as one word of a shell command.
  var shellWord: String {
    guard wholeMatch(of: /[A-Za-z0-9_.\/=+,:@%-]+/) == nil else { return self }
    return "'" + replacing("'", with: "'\\''") + "'"
  }
}

struct FasterReport: SharedReport {
  var isOne: Bool

  static var command: String { "faster" }
  static var things: String { "pieces" }

  func row(_ piece: FasterPiece) -> String? {
    guard isOne else { return FasterText.line(piece) }
    return [.originalFails, .skipped].contains(piece.outcome) ? nil : FasterText.whole(piece)
  }

  func conclude(_ pieces: [FasterPiece], units: Int, _ exports: Exports) throws(Failure) -> ExitCode
  {
    if !isOne { print("\n" + FasterText.summary(pieces)) }
    try exports[.json]?.write(pieces)
    if isOne, let piece = pieces.first, let reason = piece.reason,
      [.originalFails, .silent].contains(piece.outcome),
      let missing = MissingFile.name(in: reason, of: piece.path)
    {
      throw MissingFile.failure(missing, of: Project.short(piece.path))
    }
    if isOne, let piece = pieces.first, piece.outcome == .originalFails {
      throw Failure.badInput(
        "'\(Project.short(piece.path))' does not play as it is: \(piece.reason ?? "")")
    }
    if isOne, let piece = pieces.first, piece.outcome == .skipped {
      throw Failure.skipped("'\(Project.short(piece.path))' is skipped: \(piece.reason ?? "")")
    }
    return pieces.contains(where: \.hasMiss) ? .checkFailed : .success
  }
}
