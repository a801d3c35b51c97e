import Foundation
import HarnessBase

/// A Csound that plugins are built for. Each refuses the other's.
package enum CsoundVersion: Int, CaseIterable, Codable, Sendable {
  case six = 6
  case seven = 7

  /// The oldest release that takes the plugins.
  package var release: String {
    switch self {
    case .six: "6.18"
    case .seven: "7.0"
    }
  }

  /// That of the command `csound`, or where there is none, of the headers compilers find.
  package static func installed() throws(Failure) -> CsoundVersion {
    var major: Int?
    if installedProgram("csound") != nil {
      let said = try ChildProcess.run("/usr/bin/env", ["csound", "--version"])
      major = (said.output + said.errors).firstMatch(of: /Csound version (\d+)\./)
        .flatMap { Int($0.output.1) }
    }
    guard let found = (major ?? CsoundHeaders.usualMajor).map(CsoundVersion.init) else {
      throw Failure(.unavailable, "No Csound is installed; say which one with --csound 6 or 7.")
    }
    guard let found else {
      throw Failure(
        .unavailable,
        "The Csound that is installed is neither 6 nor 7; say which one with --csound 6 or 7.")
    }
    return found
  }

  /// The Csound whose headers are in a directory.
  package static func ofHeaders(in directory: String) throws(Failure) -> CsoundVersion {
    try CsoundHeaders.csound(in: directory)
  }
}
