import Foundation
import HarnessBase

/// The program gnuplot, which draws every picture.
public struct Gnuplot: Sendable {
  private let program: String

  /// Throws if gnuplot is not installed.
  public init() throws(Failure) {
    guard let program = installedProgram("gnuplot") else {
      throw .unavailable(
        "gnuplot, which draws the pictures, is missing: apt-get install gnuplot-nox.")
    }
    self.program = program
  }

  /// Runs a script in an existing directory, where it finds its data. Throws if it does not write
  /// the file `result` there.
  package func run(_ script: String, in directory: String, making result: String) throws(Failure) {
    let path = directory + "/script"
    try writing(path) { try script.write(toFile: path, atomically: false, encoding: .utf8) }
    let finished = try ChildProcess.run(program, ["script"], directory: directory)
    guard finished.isGood,
      FileManager.default.fileExists(atPath: directory + "/" + result)
    else {
      let line = finished.errors.split(separator: "\n").last.map { ": \($0)" } ?? ""
      throw .internalFault("gnuplot cannot draw the picture\(line).")
    }
  }
}
