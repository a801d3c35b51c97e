import Foundation
import Synchronization

/// Orchestra files, and the score files behind them, that a command is given in place of CSDs, as `csound` is.
///
/// The command gets a CSD with both in a temporary directory, whose options name the directories of the two files: there
/// Csound finds what they include, and samples. What the command prints names the orchestra file, and counts its lines;
/// what it writes beside a piece is beside the orchestra file.
package enum OrchestraAndScore {
  package struct Source: Sendable {
    package let orchestra: String
    package let score: String?
    package let csd: String
    /// What stands in the CSD in front of the orchestra, after the first line.
    package let head: String
    /// The number of the CSD's first line, where those of the orchestra file count from 1.
    package var firstLine: Int { including ? 1 : -head.count { $0 == "\n" } }
    fileprivate let including: Bool
    fileprivate let directory: ScratchDirectory

    package var files: [String] { [orchestra] + (score.map { [$0] } ?? []) }

    /// The directories of the files.
    fileprivate var folders: [String] { files.map { URL(fileURLWithPath: $0).path.parentPath } }

    fileprivate init(_ orchestra: String, _ score: String?, including: Bool) throws(Failure) {
      (self.orchestra, self.score, self.including) = (orchestra, score, including)
      directory = try ScratchDirectory("orchestra")
      let place = URL(fileURLWithPath: directory.path).standardizedFileURL.path
      let name = URL(fileURLWithPath: orchestra).deletingPathExtension().lastPathComponent
      csd = "\(place)/\(name).csd"
      // Csound splits its options at blanks, so they name links. Of several directories it looks in the last one first.
      let links = (score == nil ? ["orchestra"] : ["orchestra", "score"]).map { "\(place)/\($0)" }
      let options = ["INCDIR", "SSDIR", "SADIR", "MFDIR"].map {
        "--env:\($0)+=\(links.reversed().joined(separator: ":"))\n"
      }
      head =
        (place.contains(" ") ? "" : "<CsOptions>\n\(options.joined())</CsOptions>\n")
        + "<CsInstruments>\n" + (including ? "" : counting)
      for (link, folder) in zip(links, folders) where symlink(folder, link) != 0 {
        throw .unwritableOutput("'\(link)' cannot be made: \(String(cString: strerror(errno))).")
      }
    }

    /// Writes the CSD, with the files as they are now.
    package func write() throws(Failure) {
      for file in files { try requireReadableFile(file) }
      func contents(_ file: String) -> Data { FileManager.default.contents(atPath: file) ?? Data() }
      var text = Data("<CsoundSynthesizer>\n\(head)".utf8)
      text +=
        including
        ? Data("#include \"\(URL(fileURLWithPath: orchestra).path)\"".utf8) : contents(orchestra)
      text += Data("\n</CsInstruments>\n".utf8)
      if let score {
        text += Data("<CsScore>\n".utf8) + contents(score) + Data("\n</CsScore>\n".utf8)
      }
      try OutputFile(csd).write(text + Data("</CsoundSynthesizer>\n".utf8))
    }
  }

  /// A line after which Csound counts from 1 again.
  private static let counting = "#line 1\n"
  private static let made = Mutex<[Source]>([])

  package static var sources: [Source] { made.withLock { $0 } }

  /// The path of a new CSD with an orchestra and its score.
  package static func csd(
    of orchestra: String, _ score: String?, including: Bool = false
  ) throws(Failure) -> String {
    let source = try Source(orchestra, score, including: including)
    made.withLock { $0.append(source) }
    try source.write()
    source.folders.reversed().forEach(search)
    return source.csd
  }

  /// Programs of the tool's and confined pieces know the directories from the environment.
  private static func search(_ directory: String) {
    for variable in ["INCDIR", "SSDIR", "SADIR", "MFDIR"] {
      let named = ProcessInfo.processInfo.environment[variable].map { $0 + ":" } ?? ""
      setenv(variable, named + directory, 1)
    }
  }

  /// What a CSD was made of; nil for any other CSD.
  package static func source(of csd: String) -> Source? { sources.first { $0.csd == csd } }

  /// The file that the user gave: the orchestra file that a CSD was made of, or the piece itself.
  package static func original(of piece: String) -> String {
    source(of: piece)?.orchestra ?? piece
  }

  /// What the names of files beside a piece begin with: its path without the ending.
  package static func stem(of piece: String) -> String {
    (original(of: piece) as NSString).deletingPathExtension
  }

  /// The directories in which Csound looks for what a piece names before it looks elsewhere.
  package static func folders(of piece: String) -> [String] {
    source(of: piece)?.folders ?? [URL(fileURLWithPath: piece).path.parentPath]
  }

  /// Removes the CSDs.
  package static func remove() { sources.forEach { $0.directory.remove() } }
}
