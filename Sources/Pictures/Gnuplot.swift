import Foundation
import HarnessBase

/// The program gnuplot, which draws every picture.
public struct Gnuplot: Sendable {
  private let program: String

  /// Fails when it is not installed.
  public init() throws(Failure) {
    guard let program = installedProgram("gnuplot") else {
      throw Failure(
        .unavailable,
        "gnuplot, which draws the pictures, is missing: apt-get install gnuplot-nox.")
    }
    self.program = program
  }

  /// Runs a script in a directory that exists, where it finds its data and leaves `result`.
  package func run(_ script: String, in directory: String, making result: String) throws(Failure) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["script"]
    process.currentDirectoryURL = URL(fileURLWithPath: directory)
    let messages = directory + "/messages"
    process.standardOutput = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    do {
      try script.write(toFile: directory + "/script", atomically: false, encoding: .utf8)
      try Data().write(to: URL(fileURLWithPath: messages))
      process.standardError = FileHandle(forWritingAtPath: messages)
      try process.run()
    } catch {
      throw Failure(
        .unwritableOutput, "The picture cannot be drawn: \(error.localizedDescription)")
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0,
      FileManager.default.fileExists(atPath: directory + "/" + result)
    else {
      let said = (try? String(contentsOfFile: messages, encoding: .utf8)) ?? ""
      let line = said.split(separator: "\n").last.map { ": \($0)" } ?? ""
      throw Failure(.internalFault, "gnuplot cannot draw the picture\(line).")
    }
  }
}
