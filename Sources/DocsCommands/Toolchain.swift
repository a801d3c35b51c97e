import CommandKit
import Foundation
import HarnessBase

/// Runs a program of Swift's toolchain in the project's root and returns what it prints; what it
/// says besides goes to standard error when it fails.
func runToolchain(_ words: [String]) throws(Failure) -> String {
  let process = Process()
  let output = Pipe()
  // A file, not a second pipe: a program that fills one while the other is read would hang.
  let path = NSTemporaryDirectory() + "/opcodekit-toolchain-\(UUID().uuidString)"
  _ = FileManager.default.createFile(atPath: path, contents: nil)
  defer { try? FileManager.default.removeItem(atPath: path) }
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = words
  process.currentDirectoryURL = URL(fileURLWithPath: Project.kit)
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = output
  process.standardError = FileHandle(forWritingAtPath: path)
  do { try process.run() } catch {
    throw Failure(.internalFault, "'\(words[0])' cannot be started: \(error).")
  }
  let text = output.fileHandleForReading.readDataToEndOfFile()
  process.waitUntilExit()
  switch process.terminationStatus {
  case 0: return String(decoding: text, as: UTF8.self)
  case 127:
    throw Failure(
      .unavailable,
      "'\(words[0])' is missing: it comes with Swift's toolchain, whose programs must be on the PATH."
    )
  case let code:
    // DocC tells its warnings on either.
    writeError(String(decoding: text, as: UTF8.self))
    writeError((try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
    throw Failure(
      .badInput, "'\(words[0])' failed with exit code \(code); its own messages are above.")
  }
}
