import HarnessBase
import Rendering
import Targets

extension Project {
  /// The kind of processor that `--arch` names, or else this machine's.
  package static func processor(_ arguments: Arguments) throws(Failure) -> Processor {
    try arguments[.arch].map(Processor.init(named:)) ?? .own
  }

  /// What plays in place of the workers where another processor is asked for.
  package static func player(_ arguments: Arguments) throws(Failure) -> CsoundProgram? {
    let processor = try processor(arguments)
    guard processor != .own else { return nil }
    if let plugin = plugin(arguments) {
      try requireReadableFile(plugin)
      guard LibraryFile(plugin)?.machine == processor.machine else {
        throw Failure(
          .badInput,
          "'\(plugin)' is no plugin for \(processor.rawValue); './opcodekit build --arch"
            + " \(processor.rawValue)' makes one.")
      }
    }
    return try player(for: BuildTarget(.six, processor))
  }

  /// What plays plugins for a target; nil where the tool itself does.
  package static func player(for target: BuildTarget) throws(Failure) -> CsoundProgram? {
    guard target.csound == .six else {
      throw Failure(
        .unavailable, "Nothing here plays plugins for Csound \(target.csound.release).")
    }
    guard target.processor != .own else { return nil }
    return CsoundProgram(try DebianCsound(for: target.processor, kit: kit))
  }
}
