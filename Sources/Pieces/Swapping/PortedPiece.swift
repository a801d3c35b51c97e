import CommandKit
import Comparing
import Foundation
import HarnessBase
import PluginBuilding
import Rendering

/// A piece that calls ports in place of its user-defined opcodes.
struct PortedPiece {
  private let original: String
  private let piece: SwappedPiece
  private let opcodes: [PortedOpcode]
  /// Where it is written, beside the original.
  private let place: String
  /// Why it cannot be written; nil if it can.
  private let refusal: String?

  /// Fails if its file is there already.
  init(of path: String, _ opcodes: [PortedOpcode], among all: [UserOpcode]) throws(Failure) {
    original = URL(fileURLWithPath: path).path
    self.opcodes = opcodes
    piece = try SwappedPiece(readingFrom: original)
    place =
      OrchestraAndScore.stem(of: path)
      + "-\(opcodes.count == 1 ? opcodes[0].name : "ported").csd"
    let several = opcodes.first { one in all.count { $0.name == one.opcode.name } > 1 }
    refusal = several.map {
      "\($0.opcode.name) has several overloads, and only one is ported; the piece is left as it is."
    }
    guard refusal != nil || !FileManager.default.fileExists(atPath: place) else {
      throw .unwritableOutput("'\(place)' is there already; nothing was changed.")
    }
  }

  /// Writes it to play with the package's plugin, and prints how much faster it is and how close it sounds.
  func write(with package: AuthorPackage, _ settings: SwapSettings) throws(Failure) {
    if let refusal { return print("\n" + refusal) }
    var settings = settings
    settings.plugin = try PluginBuild(package).renewed()
    print("")
    let scratch = try ScratchDirectory("port")
    defer { scratch.remove() }
    var trial = SwapTrial(of: original, settings, scratch: scratch.path)
    let csd = scratch.path + "/ported.csd"
    try write(to: csd)
    if let finding = try trial.playOriginal() {
      print("The piece cannot be measured: \(finding.reason ?? "it does not play.")")
    } else {
      try measure(csd, trial)
    }
    try write(to: place)
    printError("Wrote \(place).")
    printError("To play it: \(Command.playing(place, with: settings.plugin))")
  }

  private func write(to csd: String) throws(Failure) {
    let names = Dictionary(uniqueKeysWithValues: opcodes.map { ($0.opcode.name, $0.name) })
    let calls = piece.calls(among: Set(names.keys), declared: true)
    try piece.write(
      Dictionary(uniqueKeysWithValues: calls.map { ($0, names[$0.opcode]!) }), to: csd,
      includingBeside: csd == place,
      leavingOut: names.mapValues { "; The opcode of the plugin is \($0)." })
  }

  private func measure(_ csd: String, _ trial: SwapTrial) throws(Failure) {
    let name = Project.short(place)
    let finding = try trial.judge(csd)
    // A difference without a depth is a sound that is not finite, of another length, or where there was silence.
    let isMeasured = finding.verdict == .differs && finding.nullDepthDecibels != nil
    guard !finding.verdict.isMiss || isMeasured else {
      throw .badInput(
        "\(name) is not written, because it does not play as the original does: "
          + (finding.reason ?? finding.verdict.rawValue))
    }
    var result = FasterPiece(path: place)
    result.seconds = trial.original.seconds
    result.nullDepthDecibels = finding.nullDepthDecibels
    let (report, seconds) = try trial.time([csd])
    result.timedSeconds = seconds
    guard let timing = report.reply else {
      return print("\(name) cannot be timed: \(report.failure(of: "Timing it").message)")
    }
    print("\(name): \(FasterText.whole(result, timing.measurement(of: 1)))")
    switch finding.verdict {
    case .silent: print("The piece is silent for that time; --duration renders more.")
    case .doesNotRepeat:
      print("The piece does not sound the same twice, so the null depth says nothing.")
    default: break
    }
  }
}
