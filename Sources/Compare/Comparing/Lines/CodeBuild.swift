import Foundation
import HarnessBase
import Rendering

/// How the code of a plugin is compiled and linked, so that it can be linked again with its debug information, and
/// compiled again with a line left out.
package struct CodeBuild: Sendable {
  package struct Module: Sendable {
    /// The compiler, and its words but for the sources and what it writes.
    var program: String
    var words: [String]
    var sources: [String]
    /// The objects of the plugin that are made of this module; empty for C, whose objects are made here.
    var objects: [String]
    var isSwift: Bool

    package init(
      _ program: String, _ words: [String], sources: [String], objects: [String], isSwift: Bool
    ) {
      (self.program, self.words, self.sources) = (program, words, sources)
      (self.objects, self.isSwift) = (objects, isSwift)
    }
  }

  /// Its code as the processor gets it, and a copy with the debug information, at the same addresses.
  package struct Plugin: Sendable {
    var path: String
    var symbols: String
    /// For each source that was replaced, the one that the author has.
    var originals: [String: String] = [:]
  }

  var modules: [Module]
  /// The linker, and its words but for the objects and what it writes.
  var linker: String
  var linkWords: [String]
  var objects: [String]
  /// A plugin that was given; nothing of it can be compiled again.
  var given: String?

  package init(
    modules: [Module], linker: String, words: [String], objects: [String]
  ) {
    (self.modules, self.linker, self.linkWords) = (modules, linker, words)
    self.objects = objects
  }

  /// The plugin of a file, which needs debug information of its own.
  package init(of file: String) throws(Failure) {
    self.init(modules: [], linker: "", words: [], objects: [])
    given = file
    try requireReadableFile(file)
  }

  /// Links the plugin in a folder, with its debug information and once more without: valgrind 3.19 cannot read that of
  /// Swift's compiler. With `edited`, a module is compiled with that file in place of one of its sources.
  func plugin(
    in folder: String, edited: (source: String, by: String)? = nil
  ) throws(Failure) -> Plugin {
    let name = given.map { ($0 as NSString).lastPathComponent } ?? "plugin.so"
    var plugin = Plugin(path: "\(folder)/\(name)", symbols: given ?? "\(folder)/symbols.so")
    if given == nil {
      var objects = objects
      for (number, module) in modules.enumerated() {
        let isEdited = edited.map { module.sources.contains($0.source) } ?? false
        guard isEdited || module.objects.isEmpty else { continue }
        objects.removeAll(where: module.objects.contains)
        objects += try module.compile(into: "\(folder)/\(number)", edited: isEdited ? edited : nil)
      }
      if let edited { plugin.originals[edited.by] = edited.source }
      let list = "\(folder)/objects"
      try writing(list) {
        // Unquoted, a blank would end a name.
        let quoted = objects.map { "\"" + $0.replacing(/[\\"]/) { "\\" + $0.output } + "\"" }
        try quoted.joined(separator: "\n").write(toFile: list, atomically: false, encoding: .utf8)
      }
      let linked = try ChildProcess.run(linker, ["@" + list] + linkWords + ["-o", plugin.symbols])
      try linked.require(.badInput, "The plugin cannot be linked with its debug information:\n")
    }
    let stripped = try ChildProcess.run(
      requiredProgramOfSwift("llvm-objcopy"), ["--strip-all", plugin.symbols, plugin.path])
    try stripped.require(.badInput, "'\(plugin.symbols)' cannot be read as a plugin:\n")
    return plugin
  }

  /// What LLVM says about the loops of the modules that have these sources.
  func remarks(on sources: Set<String>, in folder: String) throws(Failure) -> [LoopRemark] {
    var remarks: [LoopRemark] = []
    for module in modules where !sources.isDisjoint(with: module.sources) {
      remarks += try module.remarks(in: folder)
    }
    return remarks
  }
}

extension CodeBuild.Module {
  /// Compiles it into objects in a folder, as the plugin's own are compiled.
  func compile(
    into folder: String, edited: (source: String, by: String)? = nil
  ) throws(Failure) -> [String] {
    try makeDirectory(folder)
    let sources = sources.map { $0 == edited?.source ? edited!.by : $0 }
    let made = sources.indices.map { "\(folder)/\($0).o" }
    guard isSwift else {
      try run(["-c", sources[0], "-o", made[0]])
      return made
    }
    let map = Dictionary(uniqueKeysWithValues: zip(sources, made.map { ["object": $0] }))
    let file = "\(folder)/files.json"
    try writing(file) { try JSONEncoder().encode(map).write(to: URL(fileURLWithPath: file)) }
    try run(["-c"] + sources + ["-output-file-map", file])
    // Of several sources one object is made unless the compiler works on several threads.
    let files = FileManager.default
    return made.filter(files.fileExists)
  }

  /// Compiles it, and reads what LLVM says about its loops.
  fileprivate func remarks(in folder: String) throws(Failure) -> [LoopRemark] {
    let record = "\(folder)/remarks.yaml"
    let object = "\(folder)/remarks.o"
    if isSwift {
      // On several threads Swift's compiler keeps no record of LLVM.
      var words = words
      while let place = words.firstIndex(of: "-num-threads") {
        words.removeSubrange(place...place + 1)
      }
      try run(
        ["-c"] + sources + [
          "-o", object, "-save-optimization-record", "-save-optimization-record-passes",
          "loop-vectorize", "-save-optimization-record-path", record,
        ], words)
    } else {
      try run([
        "-c", sources[0], "-o", object, "-foptimization-record-passes=loop-vectorize",
        "-foptimization-record-file=" + record,
      ])
    }
    return LoopRemark.all(in: (try? String(contentsOfFile: record, encoding: .utf8)) ?? "")
  }

  private func run(_ more: [String], _ changed: [String]? = nil) throws(Failure) {
    let finished = try ChildProcess.run(program, (changed ?? words) + more)
    try finished.require(.badInput, "")
  }
}
