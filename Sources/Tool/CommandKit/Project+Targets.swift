import HarnessBase
import Rendering
import Targets

extension Project {
  /// The Csound and the processor to play with: those of `--csound` and `--arch`, or else the tool's own.
  package static func target(_ arguments: Arguments) -> BuildTarget {
    BuildTarget(arguments[.playedCsound], arguments[.arch])
  }

  /// The program that plays instead of the workers; nil if no other Csound or processor is asked for.
  package static func player(_ arguments: Arguments) throws(Failure) -> CsoundProgram? {
    let target = target(arguments)
    guard target != .tools else { return nil }
    if let plugin = plugin(arguments) {
      try requireReadableFile(plugin)
      guard LibraryFile.machine(of: plugin) == target.processor.machine else {
        throw Failure(
          .badInput,
          "'\(plugin)' is no plugin for \(target.processor.rawValue); './opcodekit build --arch"
            + " \(target.processor.rawValue)' makes one.")
      }
    }
    return try player(for: target)
  }

  /// The program that plays plugins for a target; nil if the tool itself does.
  package static func player(for target: BuildTarget) throws(Failure) -> CsoundProgram? {
    guard target.system == .linux else {
      guard target.csound == .seven, target.system == .windows else {
        throw Failure(
          .unavailable,
          "Nothing here plays plugins for Csound \(target.csound.release) on \(target.system.title)."
        )
      }
      return CsoundProgram(try WindowsPlayer(kit: kit))
    }
    guard target != .tools else { return nil }
    switch (target.csound, target.processor) {
    case (.six, .own):
      throw Failure(
        .unavailable,
        "This tool is linked with Csound 7; with '--csound 6' in full the script opcodekit takes the one for Csound 6.18."
      )
    case (.six, let processor): return CsoundProgram(try DebianCsound(for: processor, kit: kit))
    case (.seven, .x86_64): return CsoundProgram(try PublishedPlayer(kit: kit))
    case (.seven, let processor):
      throw Failure(
        .unavailable, "Nothing here plays plugins for Csound 7 on \(processor.rawValue).")
    }
  }
}
