import CommandKit
import Foundation
import HarnessBase
import Targets

/// A plugin's code for a newer level of the processor, which the plugin for every processor of the kind holds
/// beside its own: one object, of which nothing is to be seen but where it begins.
struct NewerCode {
  private let level: String
  private let object: String

  /// The names it begins with, and those the plugin's own code knows them by: CCsound.h has them.
  private static let beginnings = [
    "csound_opcode_init": "opcodekit_newer_opcode_init",
    "csound_fgen_init": "opcodekit_newer_fgen_init",
  ]

  /// Nil, with a sentence, where part of it would run before the processor is asked for.
  init?(
    _ compiled: PluginBuild.Compiled, of product: String, for target: BuildTarget
  ) throws(Failure) {
    level = target.compiledLevel
    object = compiled.library + ".o"
    // Two builds at a time do not meet.
    let joined = "\(object).\(getpid()).joined", fresh = "\(object).\(getpid()).new"
    defer {
      unlink(joined)
      unlink(fresh)
    }
    // Functions that several files define alike are each other's substitute wherever they are linked: with the
    // groups they are in gone, and hidden, these are this code's own.
    try Self.run(
      "ld.lld",
      ["-r", "--force-group-allocation", "--strip-debug", "@" + compiled.objects, "-o", joined])
    guard let file = LibraryFile(joined) else {
      throw Failure(.badInput, "'\(joined)', which ld.lld has written, is no object.")
    }
    guard !file.runsWhenLoaded else {
      printError(
        "opcodekit: lib\(product).so has code that runs when it is loaded, such as a constructor, so it gets none"
          + " for \(level) beside that for every processor; 'build --cpu \(level)' makes a plugin of its own."
      )
      return nil
    }
    let shown = Self.beginnings.flatMap {
      ["--keep-global-symbol=\($0.key)", "--redefine-sym=\($0.key)=\($0.value)"]
    }
    try Self.run("llvm-objcopy", shown + [joined, fresh])
    // What is the same stays as old as it is.
    guard !FileManager.default.contentsEqual(atPath: fresh, andPath: object) else { return }
    guard rename(fresh, object) == 0 else {
      throw Failure(
        .unwritableOutput, "'\(object)' cannot be written: \(String(cString: strerror(errno))).")
    }
  }

  /// Whether a library was linked before this was there.
  func isYounger(than library: String) -> Bool {
    guard let linked = PluginBuild.date(library), let made = PluginBuild.date(object) else {
      return true
    }
    return made >= linked
  }

  /// For Swift's package manager, which compiles and links what holds it.
  var words: [String] {
    ["-Xcc", "-DOPCODEKIT_HOLDS_NEWER=\"\(level)\"", "-Xlinker", object]
  }

  private static func run(_ name: String, _ words: [String]) throws(Failure) {
    guard let program = programOfSwift(name) else {
      throw Failure(
        .unavailable,
        "'\(name)', which comes with Swift, is neither beside 'swift' nor on the PATH; install Swift as a whole."
      )
    }
    let finished = try ChildProcess.run(program, words)
    guard finished.isGood else {
      throw Failure(.badInput, "\(name) cannot make one object of the plugin:\n\(finished.errors)")
    }
  }
}
