import CommandKit
import CsoundLive
import Foundation
import HarnessBase
import PluginBuilding
import Rendering

extension Command {
  private static let playing = Option(
    name: "play",
    help: "Play the piece in a loop; saved code takes over even in notes that sound.")
  private static let picture = Option(
    name: "picture", value: "FILE.html", takes: SoundPage.path,
    help: "After each save draw the sound and its change on an HTML page.")

  static let watch = Command(
    name: "watch", operands: "FILE.csd",
    summary:
      "Build on every save, then render or play, and print errors or how the sound has changed.",
    options: [playing] + playingOptions + [picture, .duration, .timeLimit, .toolCsound]
  ) { arguments throws(Failure) in
    guard let package = AuthorPackage.current else {
      throw .usage(
        "There is no package of opcodes here; 'opcodekit new DIR' makes one, --package names one.")
    }
    let operand = try arguments.operand("the CSD that plays the opcodes")
    try requireReadableFile(operand)
    Interruption.begin()
    return arguments[playing]
      ? try play(operand, package, arguments) : try render(operand, package, arguments)
  }

  private static func render(
    _ operand: String, _ package: AuthorPackage, _ arguments: Arguments
  ) throws(Failure) -> ExitCode {
    for option in playingOptions where arguments.has(option) {
      throw .usage("--\(option.name) is for playing; add --play.")
    }
    var watching = try RenderingWatch(
      package, URL(fileURLWithPath: operand).standardizedFileURL.path,
      duration: arguments[.duration], picture: arguments[picture],
      timeLimit: arguments[.timeLimit])
    try watching.start()
    printError("opcodekit: watching \(Project.short(package.directory)); Ctrl-C ends it")
    do throws(Failure) {
      try watching.follow()
    } catch {
      // An interruption is the normal way to end it.
      guard error.kind == .interrupted else { throw error }
    }
    return .success
  }

  private static func play(
    _ operand: String, _ package: AuthorPackage, _ arguments: Arguments
  ) throws(Failure) -> ExitCode {
    guard arguments[picture] == nil else {
      throw .usage("--picture is for rendering; leave out --play or --picture.")
    }
    var piece = Piece(.file(URL(fileURLWithPath: operand).standardizedFileURL.path))
    piece.options = ["-m4"]
    piece.ksmps = playingKsmps(arguments)
    try PlayingWatch(
      package, piece, called: operand, playingSettings(arguments), duration: arguments[.duration]
    ).run()
    return .success
  }
}
