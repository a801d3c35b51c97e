import CsoundHost
import Foundation
import HarnessBase
import Sounds

/// A `csound` that plays orchestras in a process of its own, for another processor than this one.
public struct CsoundProgram: Codable, Equatable, Sendable {
  /// The program, and what goes before csound's own options.
  package let words: [String]
  /// Where its own plugins are.
  package let plugins: String

  package init(words: [String], plugins: String) {
    (self.words, self.plugins) = (words, plugins)
  }

  /// Renders an orchestra to its end, full scale at 1. `input` is played into the orchestra's input
  /// channels. Csound's installed plugins and the user's options stay out where they do of this process.
  func render(_ orchestra: Orchestra, input: Sound?, limit: Double) throws(Failure) -> Sound {
    try requireReadableFile(orchestra.path)
    let scratch = try ScratchDirectory("csound")
    defer { scratch.remove() }
    let output = scratch.path + "/out.wav"
    var options = ["-d", "--format=double", "-o", output] + orchestra.options
    if let input {
      try input.write(to: scratch.path + "/in.wav")
      options += ["-i", scratch.path + "/in.wav"]
    }
    var environment = ProcessInfo.processInfo.environment
    if environment["OPCODE6DIR64"] == nil { environment["OPCODE6DIR64"] = plugins }
    let finished = try ChildProcess.run(
      words[0], words.dropFirst() + options + [orchestra.path], environment: environment)
    let said = CsoundMessages(finished.errors + finished.output)
    switch finished.ending {
    case .exited(code: 0): break
    case .exited:
      throw Failure(
        .badInput, "'\(words.last!)' cannot play '\(orchestra.path)': \(said.diagnosis)")
    case .killed(let signal):
      throw Failure(
        .crashed,
        "'\(words.last!)' crashed while it played '\(orchestra.path)': \(String(cString: strsignal(signal)))."
      )
    }
    if let error = said.noteErrors.first {
      throw Failure(.badInput, "A note or table of '\(orchestra.path)' failed: \(error)")
    }
    let sound = try Sound(readingFrom: output)
    guard sound.duration <= limit else {
      throw Failure(
        .badInput, "'\(orchestra.path)' has not ended after \(limit) seconds of sound.")
    }
    return sound
  }
}
