import Foundation

/// The tool while it runs. It and the processes that it starts are recognised by a variable in
/// their environment.
final class RunningTool {
  private let process = Process()
  private let output = Pipe()
  private let errors = try! temporaryDirectory() + "/errors"
  private let mark = UUID().uuidString
  private var text = ""

  init(
    _ words: [String], environment: [String: String] = [:], directory: String = root
  ) throws {
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = words
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    process.environment = ProcessInfo.processInfo.environment
      .merging(["OPCODEKIT_ROOT": root, "OPCODEKIT_TEST": mark]) { $1 }
      .merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    process.standardError = FileHandle(forWritingAtPath: errors)
    try process.run()
  }

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

  /// Waits until the tool has said on its standard error what matches; nil if it has not after some seconds.
  func says<Output>(_ pattern: Regex<Output>, atMost seconds: Double) -> Output? {
    let end = ContinuousClock.now.advanced(by: .seconds(seconds))
    while ContinuousClock.now < end {
      let said = FileManager.default.contents(atPath: errors) ?? Data()
      if let match = try? pattern.firstMatch(in: String(decoding: said, as: UTF8.self)) {
        return match.output
      }
      usleep(20_000)
    }
    return nil
  }

  /// Waits until the tool ends.
  func end() -> Ending {
    let rest = try? output.fileHandleForReading.readToEnd()
    text += String(decoding: rest ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let said = FileManager.default.contents(atPath: errors) ?? Data()
    return Ending(
      exitCode: process.terminationStatus, output: text,
      errors: String(decoding: said, as: UTF8.self))
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
