import CommandKit
import Foundation
import HarnessBase

/// Runs a program of Swift's toolchain in the project's root and returns what it prints; all it says
/// goes to standard error when it fails, for DocC tells its warnings on either.
func runToolchain(_ words: [String]) throws(Failure) -> String {
  let finished = try ChildProcess.run("/usr/bin/env", words, directory: Project.kit)
  if finished.isGood { return finished.output }
  if finished.ending == .exited(code: 127) {
    throw Failure(
      .unavailable,
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
  throw Failure(.badInput, "'\(words[0])' \(how); its own messages are above.")
}
