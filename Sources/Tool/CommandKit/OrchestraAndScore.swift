import Foundation
import HarnessBase

/// An orchestra file, and a score file if there is one, that a command is given in place of a CSD, as `csound` is.
///
/// The command gets a CSD with both in a temporary directory. Csound finds what they include, and samples, in the
/// directories of the two files.
package struct OrchestraAndScore {
  private let directory: ScratchDirectory
  private let orchestra, csd: String

  /// Replaces the first `x.orc`, and the `x.sco` behind it, among the operands. Returns nil if there is none.
  package init?(replacingIn operands: inout [String]) throws(Failure) {
    guard let place = operands.firstIndex(where: { $0.hasSuffix(".orc") }) else { return nil }
    let parts = operands[place...].prefix(2).filter { $0.hasSuffix(".orc") || $0.hasSuffix(".sco") }
    var text = Data("<CsoundSynthesizer>\n".utf8)
    for (part, tag) in zip(parts, ["CsInstruments", "CsScore"]) {
      try requireReadableFile(part)
      text += Data("<\(tag)>\n".utf8) + (FileManager.default.contents(atPath: part) ?? Data())
      text += Data("\n</\(tag)>\n".utf8)
      Self.search(URL(fileURLWithPath: part).path.parentPath)
    }
    orchestra = parts[0]
    directory = try ScratchDirectory("orchestra")
    let name = URL(fileURLWithPath: orchestra).deletingPathExtension().lastPathComponent
    csd = "\(directory.path)/\(name).csd"
    let file = try OutputFile(csd)
    try file.write(text + Data("</CsoundSynthesizer>\n".utf8))
    operands.replaceSubrange(place..<place + parts.count, with: [csd])
  }

  private static func search(_ directory: String) {
    for variable in ["INCDIR", "SSDIR", "SADIR", "MFDIR"] {
      let named = ProcessInfo.processInfo.environment[variable].map { ":" + $0 } ?? ""
      setenv(variable, directory + named, 1)
    }
  }

  package func remove() { directory.remove() }

  /// A failure of the CSD, told of the orchestra file.
  package func told(_ failure: Failure) -> Failure {
    Failure(failure.kind, failure.message.replacing(csd, with: orchestra))
  }
}
