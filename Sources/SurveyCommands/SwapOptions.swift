import CommandKit
import Comparing
import HarnessBase
import Linting
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

  static func all(timeLimit: Double) -> [Option] { [only, sound, limit, .timeLimit(timeLimit)] }

  static func settings(_ arguments: Arguments) throws(Failure) -> SwapSettings {
    var settings = SwapSettings(worker: [Project.executable, "worker"])
    settings.plugin = Project.plugin(arguments)
    settings.duration = try arguments.number(sound, 0.001...86_400) ?? settings.duration
    settings.limit = try arguments.number(limit, -400...40) ?? settings.limit
    settings.timeLimit = try arguments.timeLimit(settings.timeLimit)
    if !SwapSettings.confinesPieces {
      printError(
        "opcodekit: this kernel has no Landlock, as Linux has from 5.13 on: a piece that writes files can"
          + " write them anywhere, also beside itself.")
    }
    return settings
  }

  static func counterparts(_ arguments: Arguments) throws(Failure) -> Counterparts {
    let pool = WorkerPool(executable: Project.executable, arguments: ["worker"], timeLimit: 60)
    let plugin = Project.plugin(arguments)
    let own = try pool.lint(plugin, name: plugin ?? "the pack").signatures
    let all = Counterparts(
      try Pairing.all(in: Project.root + "/Benchmarks").pairings, builtins: try pool.builtins(),
      own: own)
    guard let names = try arguments.names(only) else { return all }
    let known = Set(all.subjects.keys).union(all.subjects.values)
    for name in names where !known.contains(name) {
      throw Failure(
        .usage, NearNames.unknown("No opcode that can be swapped", name, known))
    }
    return all.only(names)
  }
}
