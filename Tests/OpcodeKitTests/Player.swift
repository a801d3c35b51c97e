import CsoundHost
import Foundation
import HarnessBase
import TestSupport
import Testing

/// A Csound that is not in the tests' process: the words of a program that plays pieces as the command
/// `csound` does and knows the test opcodes, each on a line of its own in the variable OPCODEKIT_PLAYER.
enum Player {
  static let words = ProcessInfo.processInfo.environment["OPCODEKIT_PLAYER"]?
    .split(separator: "\n").map(String.init)

  /// Tests that call the engine itself are left out.
  static let isNamed = words != nil
  static let why: Comment = "the engine is in another process"

  /// Plays a CSD.
  static func play(
    _ path: String, by words: [String], options: [String], channels: Int, fullScale: Double
  ) throws -> Performance {
    let sound = path + ".raw"
    defer { try? FileManager.default.removeItem(atPath: sound) }
    let finished = try ChildProcess.run(
      "/usr/bin/env",
      words + ["-d", "-+msg_color=0", "-+rtmidi=null", "-h", "--format=double", "-o", sound]
        + options + [path])
    let messages = (finished.output + finished.errors).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    guard finished.isGood else {
      throw CsoundError.orchestra(
        path: path, message: "\(finished.ending): " + messages.joined(separator: "\n"))
    }
    // Csound 6 divides what it writes by full scale, Csound 7 does not.
    let scale = messages.contains { $0.contains("Csound version 6") } ? fullScale : 1
    let data = try Data(file: sound)
    var performance = Performance(channels: channels, messages: messages)
    data.withUnsafeBytes { performance.append($0.bindMemory(to: Double.self).map { $0 * scale }) }
    return performance
  }
}
