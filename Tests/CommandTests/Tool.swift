import Foundation
import HarnessBase
import PluginBuilding
import Rendering
import TestSupport
import Testing

let root = TestSupport.root

/// The tool, built into the directory of the test binary.
let tool = products + "/opcodekit"

/// This machine's kind of processor.
let ownProcessor = Processor.own

/// The directory of Debian's libraries for this machine.
let systemLibraries = "/usr/lib/\(ownProcessor.gnuName)-linux-gnu"

/// How a program ended and what it said.
struct Ending {
  var exitCode: Int32
  var output: String
  var errors: String

  /// Expects that it ended with 0; `comment` says of what.
  @discardableResult
  func good(
    _ comment: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> Ending {
    try #require(
      exitCode == 0, "\(comment()) \(output)\(errors)", sourceLocation: sourceLocation)
    return self
  }

  /// Expects these words on standard output.
  @discardableResult
  func says(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) -> Ending {
    has(words, in: output, sourceLocation)
  }

  /// Expects these words on standard error.
  @discardableResult
  func tells(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) -> Ending {
    has(words, in: errors, sourceLocation)
  }

  /// Expects this exit code, and one sentence of the tool on standard error that has these words.
  @discardableResult
  func told(
    _ code: Int32, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) -> Ending {
    let isSentence = errors.hasPrefix("opcodekit: ") && errors.split(separator: "\n").count == 1
    #expect(isSentence, "\(errors)", sourceLocation: sourceLocation)
    return ended(code, words, sourceLocation)
  }

  /// Expects this exit code, and these words on standard error.
  @discardableResult
  func refused(
    _ code: Int32, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
  ) -> Ending {
    ended(code, words, sourceLocation)
  }

  private func ended(_ code: Int32, _ words: [String], _ location: SourceLocation) -> Ending {
    #expect(exitCode == code, "\(output)\(errors)", sourceLocation: location)
    return has(words, in: errors, location)
  }

  private func has(_ words: [String], in text: String, _ location: SourceLocation) -> Ending {
    for word in words {
      #expect(text.contains(word), "\(output)\(errors)", sourceLocation: location)
    }
    return self
  }
}

/// Expects these words in a text, or these texts in a collection.
func expectWords(
  _ text: String, _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
) {
  for word in words { #expect(text.contains(word), "\(text)", sourceLocation: sourceLocation) }
}
func expectWords(
  _ texts: some Sequence<String>, _ words: String...,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  for word in words { #expect(texts.contains(word), "\(texts)", sourceLocation: sourceLocation) }
}

/// Runs a program to its end.
func run(
  _ program: String, _ arguments: [String], environment: [String: String] = [:],
  directory: String = root
) throws -> Ending {
  let process = Process()
  process.executableURL = URL(fileURLWithPath: program)
  process.arguments = arguments
  process.currentDirectoryURL = URL(fileURLWithPath: directory)
  process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
  // Files, not pipes: a program that fills one pipe while we read the other would hang.
  let files = ["out", "err"].map { NSTemporaryDirectory() + "/opcodekit-\(UUID()).\($0)" }
  defer { for file in files { try? FileManager.default.removeItem(atPath: file) } }
  for file in files { _ = FileManager.default.createFile(atPath: file, contents: nil) }
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = FileHandle(forWritingAtPath: files[0])
  process.standardError = FileHandle(forWritingAtPath: files[1])
  try process.run()
  process.waitUntilExit()
  func text(_ file: String) -> String {
    String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self)
  }
  return Ending(
    exitCode: process.terminationStatus, output: text(files[0]), errors: text(files[1]))
}

/// Runs the tool as the script `opcodekit` does.
func opcodekit(_ arguments: String...) throws -> Ending { try opcodekit(arguments) }

/// `kit` is the directory that stands for the kit's own.
func opcodekit(
  _ arguments: [String], root kit: String = root, environment: [String: String] = [:],
  directory: String = root
) throws -> Ending {
  let environment = ["OPCODEKIT_ROOT": kit].merging(environment) { $1 }
  return try run(tool, arguments, environment: environment, directory: directory)
}

/// The file manager's calls by shorter names.
enum Files {
  static func exist(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
  static func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder)
  }
  static func makeDirectories(_ path: String) throws {
    try FileManager.default.createDirectories(path)
  }
  static func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: path) }
  static func copy(_ path: String, to place: String) throws {
    try FileManager.default.copyItem(atPath: path, toPath: place)
  }
  static func move(_ path: String, to place: String) throws {
    try FileManager.default.moveItem(atPath: path, toPath: place)
  }
  static func link(_ path: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: destination)
  }
  /// Writes a program for the shell.
  static func writeProgram(_ script: String, to path: String) throws {
    try ("#!/bin/sh\n" + script).save(to: path)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }
  /// A new directory with copies of these files of the kit.
  static func ofKit(_ names: [String]) throws -> String {
    let directory = try temporaryDirectory()
    for name in names {
      try makeDirectories("\(directory)/\(name)".parentPath)
      try copy("\(root)/\(name)", to: "\(directory)/\(name)")
    }
    return directory
  }
}

extension String {
  /// Writes it to a file, usually in a new directory; returns the file's path.
  func saved(_ name: String = "piece.csd", in directory: String? = nil) throws -> String {
    let path = try (directory ?? temporaryDirectory()) + "/" + name
    try save(to: path)
    return path
  }

  /// What the pattern's group has in each match.
  func parts(_ pattern: Regex<(Substring, Substring)>) -> [String] {
    matches(of: pattern).map { String($0.output.1) }
  }
}

/// The object in JSON that a file has.
func jsonObject(_ path: String) throws -> [String: Any] {
  try #require(JSONSerialization.jsonObject(with: Data(file: path)) as? [String: Any])
}

/// A row of `list --json`.
struct ListedOverload: Decodable {
  var opcode, overload, outputs, inputs, summary: String
  var blockBytes: Int

  static func all(_ options: String...) throws -> [Self] {
    let ending = try opcodekit(["list", "--json"] + options).good()
    return try JSONDecoder().decode([Self].self, from: Data(ending.output.utf8))
  }
}

/// Says that tests are left out, and why.
func leftOut(_ tests: String, _ failure: Failure) -> String {
  FileHandle.standardError.write(Data("\(tests) are left out: \(failure.message)\n".utf8))
  return failure.message
}

extension Trait where Self == ConditionTrait {
  /// Runs unless something lacks, and says what.
  static func unless(_ lack: @autoclosure @escaping @Sendable () -> String?) -> Self {
    .enabled(if: lack() == nil, Testing.Comment(rawValue: lack() ?? ""))
  }

  /// Runs in `test --all`.
  static var onlyAmongAll: Self {
    .enabled(if: runsAllTests, Testing.Comment(rawValue: onlyWithAll))
  }

  /// Runs unless the tests are built with a sanitizer, with which it cannot, as `reason` says.
  static func withoutSanitizer(_ reason: Testing.Comment) -> Self {
    .disabled(if: ProcessInfo.processInfo.environment["OPCODEKIT_SANITIZER"] != nil, reason)
  }
}

/// The standalone plugin, built once for all tests. The usual tests play the one for this machine's level alone, which
/// is compiled once, not twice, unless the one for every processor is up to date.
let standalonePlugin = Result {
  guard runsAllTests else { return try PluginBuild(ofKit: "opcodes").renewed() }
  try opcodekit("build").good()
  return root + "/build/libopcodes.so"
}

/// The options with which the command `build` makes that plugin.
func standaloneOptions() throws -> [String] {
  try standalonePlugin.get().hasSuffix("/libopcodes.so") ? [] : ["--cpu", Processor.playedLevel]
}

/// The oldest glibc that has what a plugin takes of it, such as `2.29`, than which none may need a newer one.
func neededGlibc(_ plugin: String) throws -> String {
  let versions = try run("/usr/bin/objdump", ["-p", plugin]).output.parts(/GLIBC_([\d.]+)/)
  func isOlder(_ one: String, than other: String) -> Bool {
    one.compare(other, options: .numeric) == .orderedAscending
  }
  let newest = try #require(versions.max { isOlder($0, than: $1) })
  #expect(!isOlder("2.29", than: newest), "\(plugin) needs glibc \(newest)")
  return newest
}

/// Links the plugin of the kit's opcodes into a directory that stands for the kit's own.
func linkPlugin(into directory: String) throws {
  try Files.makeDirectories(directory + "/build")
  try Files.link(directory + "/build/libopcodes.so", to: standalonePlugin.get())
}

/// A new empty directory, which is removed when the tests end.
func temporaryDirectory() throws -> String { try TestSupport.temporaryDirectory() }
