import Foundation
import TestSupport
import Testing

/// The tool while it runs. It and the processes that it starts are recognised by a variable in
/// their environment.
final class RunningTool {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = try! temporaryDirectory() + "/errors"
  private let mark = UUID().uuidString
  private var text = ""
  private var seen = 0

  /// With `isTyped` it reads what `type` gives it. With `isMerged` its output goes where its errors go. `fileLimit` is the
  /// greatest size of a file that it can write, in blocks of 512 bytes.
  init(
    _ words: [String], environment: [String: String] = [:], directory: String = root,
    isTyped: Bool = false, isMerged: Bool = false, fileLimit: Int? = nil
  ) throws {
    process.executableURL = URL(fileURLWithPath: fileLimit == nil ? tool : "/bin/sh")
    let limit = fileLimit.map {
      ["-c", #"ulimit -f \#($0); trap "" XFSZ; exec "$0" "$@""#, tool]
    }
    process.arguments = (limit ?? []) + words
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    process.environment = ProcessInfo.processInfo.environment
      .merging(["OPCODEKIT_ROOT": root, "OPCODEKIT_TEST": mark]) { $1 }
      .merging(environment) { $1 }
    process.standardInput = isTyped ? input : FileHandle.nullDevice
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    let said = FileHandle(forWritingAtPath: errors)
    process.standardOutput = isMerged ? said : output
    process.standardError = said
    try process.run()
    if isMerged { try? output.fileHandleForWriting.close() }
  }

  /// `play`, which takes lines and can play on the rig.
  static func play(_ words: String..., fileLimit: Int? = nil) throws -> RunningTool {
    _ = Rig.configuration
    return try RunningTool(["play"] + words, isTyped: true, fileLimit: fileLimit)
  }

  /// `play` whose piece is heard.
  static func playing(_ words: String...) throws -> RunningTool {
    _ = Rig.configuration
    let play = try RunningTool(["play"] + words, isTyped: true)
    #expect(play.hears("48000 Hz"))
    return play
  }

  /// `play` with the piece's panel; returns the run and the panel's port.
  static func panel(_ csd: String, _ words: [String]) throws -> (RunningTool, Int) {
    let tool = try RunningTool(
      ["play", csd, "--panel", "--device", "null", "--port", "\(freePort())"] + words)
    let address = tool.says(/The panel is at http:\/\/localhost:([0-9]+)/)
    return (tool, try #require(address.flatMap { Int($0.1) }, "no panel"))
  }

  func type(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

  var number: pid_t { process.processIdentifier }
  var isRunning: Bool { process.isRunning }

  /// Waits until the tool has printed these words; false if it ends first.
  func prints(_ words: String) -> Bool {
    while !text.contains(words) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { return false }
      text += String(decoding: more, as: UTF8.self)
    }
    return true
  }

  private var said: String {
    String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self)
  }

  /// Waits until what the tool has said on its standard error has what `find` looks for; nil if it has not after some
  /// seconds, or when the tool has ended.
  private func waits<Found>(atMost seconds: Double, _ find: (String) -> Found?) -> Found? {
    let end = ContinuousClock.now.advanced(by: .seconds(seconds))
    while ContinuousClock.now < end {
      let isRunning = isRunning
      if let found = find(said) { return found }
      guard isRunning else { return nil }
      usleep(10_000)
    }
    return nil
  }

  /// What only a tool that hangs takes; others end the wait by what they say. The first `play`
  /// in a clone builds the plugin, and for Csound 7 the tool.
  static let longest = 1800.0

  func says<Output>(_ pattern: Regex<Output>, atMost seconds: Double = longest) -> Output? {
    waits(atMost: seconds) { try? pattern.firstMatch(in: $0)?.output }
  }

  func hears(_ words: String, atMost seconds: Double = longest) -> Bool {
    waits(atMost: seconds) { $0.contains(words) ? true : nil } ?? false
  }

  /// Waits for words after those of the last call.
  func goesOn(_ words: String) -> Bool {
    waits(atMost: Self.longest) { said in
      said.dropFirst(seen).firstRange(of: words).map {
        seen = said.distance(from: said.startIndex, to: $0.upperBound)
        return true
      }
    } ?? false
  }

  /// Types that it is to end.
  func quit() -> Ending {
    type("quit")
    return end()
  }

  /// Ends it with a signal, as Ctrl-C does.
  @discardableResult
  func interrupt(_ signal: Int32 = SIGINT) -> Ending {
    kill(number, signal)
    return end()
  }

  /// Waits until the tool ends.
  func end() -> Ending {
    let rest = try? output.fileHandleForReading.readToEnd()
    text += String(decoding: rest ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return Ending(exitCode: process.terminationStatus, output: text, errors: said)
  }

  /// The command lines of its process and of all processes that it has started.
  var all: [String] {
    let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return numbers.filter { Int($0) != nil }.compactMap { number in
      func text(_ file: String) -> String {
        let data = FileManager.default.contents(atPath: "/proc/\(number)/\(file)") ?? Data()
        return String(decoding: data, as: UTF8.self).replacing("\0", with: " ")
      }
      return text("environ").contains(mark) ? text("cmdline") : nil
    }
  }

  func hasStarted(_ word: String) -> Bool { all.contains { $0.contains(word) } }

  /// Whether all of its processes have ended within this many seconds.
  func isGone(within seconds: Double) -> Bool {
    let end = ContinuousClock.now.advanced(by: .seconds(seconds))
    while !all.isEmpty {
      guard ContinuousClock.now < end else { return false }
      usleep(50_000)
    }
    return true
  }
}
