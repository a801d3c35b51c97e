import Foundation
import HarnessBase

/// The major version of Csound that a plugin is built for. Each refuses plugins built for the
/// other.
package enum CsoundVersion: Int, CaseIterable, Codable, Sendable {
  case six = 6
  case seven = 7

  /// The Csound that this program is linked with.
  #if OPCODEKIT_CSOUND7
    package static let tools = seven
  #else
    package static let tools = six
  #endif

  /// The oldest release that loads the plugins.
  package var release: String { self == .six ? "6.18" : "7.0" }

  /// The version of the command `csound`; without that command, the version of the headers that
  /// compilers find; without these, that of the Csound this program is linked with.
  package static func installed() throws(Failure) -> CsoundVersion {
    var major: Int?
    if installedProgram("csound") != nil {
      let said = try ChildProcess.run("/usr/bin/env", ["csound", "--version"])
      major = (said.output + said.errors).firstMatch(of: /Csound version (\d+)\./)
        .flatMap { Int($0.output.1) }
    }
    guard let major = major ?? CsoundHeaders.usualMajor else { return tools }
    guard let found = CsoundVersion(rawValue: major) else {
      throw .unavailable(
        "The Csound that is installed is neither 6 nor 7; say which one with --csound 6 or 7.")
    }
    return found
  }
}
