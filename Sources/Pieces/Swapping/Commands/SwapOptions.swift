import CommandKit
import Comparing
import HarnessBase
import Linting
import Rendering

/// Options of the commands that swap opcodes in pieces.
package enum SwapOptions {
  private static let only = Option(
    name: "only", value: "LIST", takes: .names,
    help: "Only these opcodes, of Csound or of the pack.")
  private static let limit = Option(
    name: "limit", value: "DB", takes: .number(-400...40),
    help: "Largest null depth that passes, dB; -100 unless given.")
  static let sound = Option(
    name: "duration", value: "SECONDS", takes: .number(0.001...600),
    help: "Render this many seconds of each piece; 10 unless given.")

  static func all(timeLimit: Double) -> [any CommandOption] {
    [only, sound, limit, .timeLimit(timeLimit)]
  }

  static func settings(_ arguments: Arguments) -> SwapSettings {
    var settings = SwapSettings(worker: Project.worker)
    settings.folders = PieceFiles.folders(arguments.operands)
    settings.plugin = Project.plugin(arguments)
    settings.duration = arguments[sound] ?? settings.duration
    settings.limit = arguments[limit] ?? settings.limit
    settings.timeLimit = arguments[.timeLimit]
    if let missing = Confinement.missingGuards { printError("opcodekit: \(missing)") }
    return settings
  }

  /// The pairs of opcodes that can be swapped, limited to those of `--only`.
  static func counterparts(_ arguments: Arguments) throws(Failure) -> Counterparts {
    let pool = WorkerPool(Project.worker, timeLimit: 60)
    let plugin = Project.plugin(arguments)
    let own = try pool.lint(plugin, name: plugin ?? "the pack").signatures
    let all = Counterparts(
      try Pairing.all(in: Project.root + "/Benchmarks").pairings, builtins: try pool.builtins(),
      own: own)
    guard let names = arguments[only] else { return all }
    let known = Set(all.subjects.keys).union(all.subjects.values)
    for name in names where !known.contains(name) {
      throw .usage(NearNames.unknown("No opcode that can be swapped", name, known))
    }
    return all.only(names)
  }
}
