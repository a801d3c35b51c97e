import CommandKit
import Foundation
import HarnessBase
import Targets

/// A plugin's code for a newer level of the processor, which the plugin for every processor of the kind holds
/// beside its own.
enum NewerCode {
  /// All of it in one object, of which nothing is to be seen but where it begins.
  struct Object {
    let path: String
    private let level: String

    /// Where it is, or will be, for the library that the same code makes by itself.
    init(level: String, library: String) {
      self.level = level
      path = library + ".o"
    }

    /// Whether a library was linked before this was there.
    func isYounger(than library: String) -> Bool {
      guard let linked = PluginBuild.date(library), let made = PluginBuild.date(path) else {
        return true
      }
      return made >= linked
    }

    /// For Swift's package manager, which compiles and links what holds it.
    var words: [String] {
      ["-Xcc", "-DOPCODEKIT_HOLDS_NEWER=\"\(level)\"", "-Xlinker", path]
    }
  }

  /// The names it begins with, and those the plugin's own code knows them by: CCsound.h has them.
  private static let beginnings = [
    "csound_opcode_init": "opcodekit_newer_opcode_init",
    "csound_fgen_init": "opcodekit_newer_fgen_init",
  ]

  /// Nil, with a sentence, where part of it would run before the processor is asked for.
  static func object(
    of compiled: PluginBuild.Compiled, product: String, for target: BuildTarget
  ) throws(Failure) -> Object? {
    let level = target.compiledLevel
    let object = Object(level: level, library: compiled.library)
    // Two builds at a time do not meet.
    let joined = "\(object.path).\(getpid()).joined", fresh = "\(object.path).\(getpid()).new"
    defer {
      unlink(joined)
      unlink(fresh)
    }
    // Functions that several files define alike are each other's substitute wherever they are linked: with the
    // groups they are in gone, and hidden, these are this code's own. What is called from nowhere goes here:
    // later it is not apart from the rest any more.
    let roots = beginnings.keys.sorted().flatMap { ["-u", $0] }
    try run(
      "ld.lld",
      ["-r", "--force-group-allocation", "--gc-sections", "--strip-debug"] + roots
        + ["@" + compiled.objects, "-o", joined])
    guard let file = LibraryFile(joined) else {
      throw Failure(.badInput, "'\(joined)', which ld.lld has written, is no object.")
    }
    guard !file.runsWhenLoaded else {
      printError(
        "opcodekit: lib\(product).so has code that runs when it is loaded, such as a constructor, so it gets none"
          + " for \(level) beside that for every processor; 'build --cpu \(level)' makes a plugin of its own."
      )
      unlink(object.path)
      return nil
    }
    let shown = beginnings.flatMap {
      ["--keep-global-symbol=\($0.key)", "--redefine-sym=\($0.key)=\($0.value)"]
    }
    try run("llvm-objcopy", shown + [joined, fresh])
    // What is the same stays as old as it is.
    guard !FileManager.default.contentsEqual(atPath: fresh, andPath: object.path) else {
      return object
    }
    guard rename(fresh, object.path) == 0 else {
      throw Failure(
        .unwritableOutput,
        "'\(object.path)' cannot be written: \(String(cString: strerror(errno))).")
    }
    return object
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
