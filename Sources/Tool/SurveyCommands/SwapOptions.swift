import CommandKit
import Comparing
import HarnessBase
import Linting
import Pieces
import Swapping
import Workers

/// What the commands that swap opcodes in pieces are told alike.
enum SwapOptions {
  private static let only = Option(
    name: "only", value: "LIST", help: "Only these opcodes, of Csound or of the pack.")
  private static let limit = Option(
    name: "limit", value: "DB", help: "Largest null depth that passes, dB; -100 unless given.")
  private static let sound = Option(
    name: "duration", value: "SECONDS", help: "Render so much of each piece; 10 unless given.")

  static let jobs = Option(
    name: "jobs", value: "N",
    help:
      "How many processes at a time; without it one where time is taken, else as many as processors."
  )

  static func all(timeLimit: Double) -> [Option] { [only, sound, limit, .timeLimit(timeLimit)] }

  static func settings(_ arguments: Arguments) throws(Failure) -> SwapSettings {
    var settings = SwapSettings(worker: [Project.executable, "worker"])
    settings.folders = PieceFiles.folders(arguments.operands)
    settings.plugin = Project.plugin(arguments)
    settings.duration = try arguments.number(sound, 0.001...86_400) ?? settings.duration
    settings.limit = try arguments.number(limit, -400...40) ?? settings.limit
    settings.timeLimit = try arguments.timeLimit(settings.timeLimit)
    sayConfinement()
    return settings
  }

  static func sayConfinement() {
    if let missing = Confinement.missingGuards { printError("opcodekit: \(missing)") }
  }

  /// Those there are or, unless `isChosen` is false, those of them that `--only` names.
  static func counterparts(
    _ arguments: Arguments, isChosen: Bool = true
  ) throws(Failure) -> Counterparts {
    let pool = WorkerPool(executable: Project.executable, arguments: ["worker"], timeLimit: 60)
    let plugin = Project.plugin(arguments)
    let own = try pool.lint(plugin, name: plugin ?? "the pack").signatures
    let all = Counterparts(
      try Pairing.all(in: Project.root + "/Benchmarks").pairings, builtins: try pool.builtins(),
      own: own)
    guard isChosen, let names = try arguments.names(only) else { return all }
    let known = Set(all.subjects.keys).union(all.subjects.values)
    for name in names where !known.contains(name) {
      throw Failure(
        .usage, NearNames.unknown("No opcode that can be swapped", name, known))
    }
    return all.only(names)
  }
}
