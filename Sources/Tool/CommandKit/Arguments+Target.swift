import HarnessBase
import Rendering

extension Arguments {
  /// The Csound and the processor to play with: those of `--csound` and `--arch`, or else the tool's own.
  package var target: BuildTarget { BuildTarget(self[.playedCsound].version, self[.arch]) }

  /// The program that plays instead of the workers; nil if no other Csound or processor is asked for.
  package func player() throws(Failure) -> CsoundProgram? {
    let library = self[.playedCsound].library
    guard target != .tools || library != nil else { return nil }
    if let plugin = Project.plugin(self) {
      try requireReadableFile(plugin)
      guard LibraryFile.machine(of: plugin) == target.processor.machine else {
        throw .badInput(
          "'\(plugin)' is no plugin for \(target.processor.rawValue); './opcodekit build --arch"
            + " \(target.processor.rawValue)' makes one.")
      }
    }
    guard let library else { return try target.player() }
    guard target.processor == .own else {
      throw .usage(
        "--csound '\(library.path)' plays on this machine's processor; leave out --arch.")
    }
    if Project.plugin(self) != nil { try library.requireFitness() }
    return CsoundProgram(library)
  }
}

extension CsoundLibrary {
  /// Fails if plugins of the kit, and the tool, cannot run in it.
  package func requireFitness() throws(Failure) {
    guard let reason = try unfitness(kit: Project.kit) else { return }
    throw .unavailable(
      "\(title) in '\(path)' takes no plugins of the kit, because \(reason). 'render' plays pieces in it that use no"
        + " opcodes of a plugin, 'versions' compares its own opcodes with those of another Csound.")
  }
}

extension BuildTarget {
  /// The program that plays plugins for it; nil if the tool itself does.
  package func player() throws(Failure) -> CsoundProgram? {
    guard system == .linux else {
      guard csound == .seven, system == .windows else {
        throw .unavailable(
          "Nothing here plays plugins for Csound \(csound.release) on \(system.title).")
      }
      return CsoundProgram(try WindowsPlayer(kit: Project.kit))
    }
    guard self != .tools else { return nil }
    switch (csound, processor) {
    case (.six, .own):
      throw .unavailable(
        "This tool is linked with Csound 7; with '--csound 6' in full the script opcodekit takes the one for Csound 6.18."
      )
    case (.six, let processor):
      return CsoundProgram(try DebianCsound(for: processor))
    case (.seven, .x86_64): return CsoundProgram(try CsoundLibrary("7", kit: Project.kit))
    case (.seven, let processor):
      throw .unavailable("Nothing here plays plugins for Csound 7 on \(processor.rawValue).")
    }
  }
}
