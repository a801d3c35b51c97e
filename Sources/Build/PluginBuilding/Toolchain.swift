import CommandKit
import Foundation
import HarnessBase

/// Runs a program of Swift's toolchain in the kit's directory and returns its standard output. If the program fails,
/// all its output goes to standard error, because DocC prints warnings to either stream.
package func runToolchain(_ words: [String]) throws(Failure) -> String {
  let finished = try ChildProcess.run("/usr/bin/env", words, directory: Project.kit)
  if finished.isGood { return finished.output }
  if finished.ending == .exited(code: 127) {
    throw .unavailable(
      "'\(words[0])' is missing: it comes with Swift's toolchain, whose programs must be on the PATH."
    )
  }
  writeError(finished.output)
  writeError(finished.errors)
  let how =
    switch finished.ending {
    case .exited(let code): "failed with exit code \(code)"
    case .killed(let signal): "was ended by signal \(signal)"
    }
  throw .badInput("'\(words[0])' \(how); its own messages are above.")
}
