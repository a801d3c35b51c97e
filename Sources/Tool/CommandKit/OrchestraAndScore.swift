import Foundation
import HarnessBase
import Synchronization

/// Orchestra files, and the score files behind them, that a command is given in place of CSDs, as `csound` is.
///
/// The command gets a CSD with both in a temporary directory. Csound finds what they include, and samples, in the
/// directories of the two files. What the command prints names the orchestra file, and counts its lines.
package enum OrchestraAndScore {
  package struct Source: Sendable {
    package let orchestra: String
    package let score: String?
    fileprivate let csd: String
    fileprivate let directory: ScratchDirectory
  }

  /// A line in a CSD after which Csound counts from 1 again.
  package static let counting = "#line 1\n"
  private static let sources = Mutex<[Source]>([])

  /// Replaces each `x.orc`, with the `x.sco` behind it, by a CSD. Of an included orchestra a CSD has only the path.
  package static func replace(in words: inout [String], including: Bool) throws(Failure) {
    while let place = words.firstIndex(where: { $0.hasSuffix(".orc") }) {
      let score = words.dropFirst(place + 1).first.flatMap { $0.hasSuffix(".sco") ? $0 : nil }
      let csd = try csd(of: words[place], score, including: including)
      words.replaceSubrange(place...(score == nil ? place : place + 1), with: [csd])
    }
  }

  /// The path of a new CSD with an orchestra and its score.
  package static func csd(
    of orchestra: String, _ score: String?, including: Bool = false
  ) throws(Failure) -> String {
    var text = Data("<CsoundSynthesizer>\n".utf8)
    for (part, tag) in zip([orchestra, score], ["CsInstruments", "CsScore"]) {
      guard let part else { continue }
      try requireReadableFile(part)
      let path = URL(fileURLWithPath: part).path
      OutputFile.alsoRead.withLock { $0.append(part) }
      text += Data("<\(tag)>\n".utf8)
      if part == orchestra, including {
        text += Data("#include \"\(path)\"".utf8)
      } else {
        if part == orchestra { text += Data(counting.utf8) }
        text += FileManager.default.contents(atPath: part) ?? Data()
      }
      text += Data("\n</\(tag)>\n".utf8)
      search(path.parentPath)
    }
    let directory = try ScratchDirectory("orchestra")
    let name = URL(fileURLWithPath: orchestra).deletingPathExtension().lastPathComponent
    let csd = URL(fileURLWithPath: directory.path).standardizedFileURL.path + "/\(name).csd"
    sources.withLock {
      $0.append(Source(orchestra: orchestra, score: score, csd: csd, directory: directory))
    }
    try OutputFile(csd).write(text + Data("</CsoundSynthesizer>\n".utf8))
    return csd
  }

  private static func search(_ directory: String) {
    for variable in ["INCDIR", "SSDIR", "SADIR", "MFDIR"] {
      let named = ProcessInfo.processInfo.environment[variable].map { ":" + $0 } ?? ""
      setenv(variable, directory + named, 1)
    }
  }

  /// What a CSD was made of; nil for any other CSD.
  package static func source(of csd: String) -> Source? {
    sources.withLock { $0.first { $0.csd == csd } }
  }

  /// A text with the orchestra files' names in place of those of the CSDs made of them.
  package static func told(_ text: String) -> String {
    sources.withLock { $0 }.reduce(text) { text, source in
      text.replacing(source.csd, with: source.orchestra)
        .replacing(Project.short(source.csd), with: source.orchestra)
    }
  }

  /// Removes the CSDs.
  package static func remove() { sources.withLock { $0 }.forEach { $0.directory.remove() } }
}
