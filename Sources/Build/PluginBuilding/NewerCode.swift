import CommandKit
import Foundation
import HarnessBase
import Rendering

/// Code for a newer processor level, which the plugin for every processor of its kind contains in addition to its own.
enum NewerCode {
  /// That code in one object file, of which only the entry points are visible.
  struct Object {
    let path: String
    /// The processor level of its code.
    let level: String

    /// The object's place beside `library`, the plugin that the same code makes by itself. The file may not exist yet.
    init(level: String, library: String) {
      self.level = level
      path = library + ".o"
    }

    /// Whether the object was made after a library was linked.
    func isYounger(than library: String) -> Bool {
      guard let linked = dateWritten(library), let made = dateWritten(path) else { return true }
      return made >= linked
    }

    /// The words that tell Swift's package manager to link a plugin with the object.
    var words: [String] { ["-Xlinker", path] }
  }

  /// The words that tell Swift's package manager to compile a plugin that also has code for a level.
  static func words(_ level: String) -> [String] {
    ["-Xcc", "-DOPCODEKIT_HOLDS_NEWER=\"\(level)\""]
  }

  /// What is printed of a plugin that cannot have such code.
  static func sayNone(in plugin: String, _ level: String) {
    printError(
      "opcodekit: \(plugin) has code that runs when it is loaded, such as a constructor, so it gets none"
        + " for \(level) beside that for every processor; 'build --cpu \(level)' makes a plugin of its own."
    )
  }

  /// The entry points, each with the name by which the plugin's own code calls it; CCsound.h declares these.
  static let beginnings = [
    "csound_opcode_init": "opcodekit_newer_opcode_init",
    "csound_fgen_init": "opcodekit_newer_fgen_init",
  ]

  /// Makes the object. Nil, with a message, if some of the code would run when the plugin is loaded, before the
  /// processor's level is known.
  static func object(
    of compiled: PluginBuild.Compiled, product: String, for target: BuildTarget
  ) throws(Failure) -> Object? {
    let level = target.compiledLevel
    let object = Object(level: level, library: compiled.library)
    // Builds at the same time must not use the same files.
    let joined = "\(object.path).\(getpid()).joined", fresh = "\(object.path).\(getpid()).new"
    defer {
      unlink(joined)
      unlink(fresh)
    }
    // A function that several files define is put into a group, of which the linker keeps any one copy, also from other
    // code. Without groups, and hidden, the functions here remain this code's own. Unused functions are removed now,
    // because later they cannot be told apart from the rest.
    let roots = beginnings.keys.sorted().flatMap { ["-u", $0] }
    try run(
      "ld.lld",
      ["-r", "--force-group-allocation", "--gc-sections", "--strip-debug"] + roots
        + ["@" + compiled.objects] + [compiled.kit?.archive].compactMap(\.self) + ["-o", joined])
    guard try !LibraryFile(joined).runsWhenLoaded else {
      sayNone(in: "lib\(product).so", level)
      unlink(object.path)
      return nil
    }
    let shown = beginnings.flatMap {
      ["--keep-global-symbol=\($0.key)", "--redefine-sym=\($0.key)=\($0.value)"]
    }
    try run("llvm-objcopy", shown + [joined, fresh])
    // If nothing has changed, the object keeps its date.
    guard !FileManager.default.contentsEqual(atPath: fresh, andPath: object.path) else {
      return object
    }
    guard rename(fresh, object.path) == 0 else {
      throw .unwritableOutput(
        "'\(object.path)' cannot be written: \(String(cString: strerror(errno))).")
    }
    return object
  }

  private static func run(_ name: String, _ words: [String]) throws(Failure) {
    let finished = try ChildProcess.run(requiredProgramOfSwift(name), words)
    try finished.require(.badInput, "\(name) cannot make one object of the plugin:\n")
  }
}
