import HarnessBase
import Rendering
import Targets

extension Project {
  /// What plays: the Csound that `--csound` names and the kind of processor that `--arch` names, or else
  /// the tool itself.
  package static func target(_ arguments: Arguments) -> BuildTarget {
    BuildTarget(arguments[.playedCsound], arguments[.arch])
  }

  /// What plays in place of the workers where another Csound or processor is asked for.
  package static func player(_ arguments: Arguments) throws(Failure) -> CsoundProgram? {
    let target = target(arguments)
    guard target != .tools else { return nil }
    if let plugin = plugin(arguments) {
      try requireReadableFile(plugin)
      guard LibraryFile(plugin)?.machine == target.processor.machine else {
        throw Failure(
          .badInput,
          "'\(plugin)' is no plugin for \(target.processor.rawValue); './opcodekit build --arch"
            + " \(target.processor.rawValue)' makes one.")
      }
    }
    return try player(for: target)
  }

  /// What plays plugins for a target; nil where the tool itself does.
  package static func player(for target: BuildTarget) throws(Failure) -> CsoundProgram? {
    switch (target.csound, target.processor) {
    case (.six, .own): return nil
    case (.six, let processor): return CsoundProgram(try DebianCsound(for: processor, kit: kit))
    case (.seven, .x86_64): return CsoundProgram(try PublishedPlayer(kit: kit))
    case (.seven, let processor):
      throw Failure(
        .unavailable, "Nothing here plays plugins for Csound 7 on \(processor.rawValue).")
    }
  }
}
