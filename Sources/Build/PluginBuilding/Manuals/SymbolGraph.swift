import CommandKit
import Foundation
import HarnessBase
import Rendering

/// The public names of the module OpcodeKit, as the compiler lists them.
package struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Kind: Decodable { var identifier, displayName: String }
    struct Identifier: Decodable { var precise: String }
    struct Fragment: Decodable { var spelling: String }
    struct Text: Decodable {
      struct Line: Decodable { var text: String }
      var lines: [Line]
    }
    struct Location: Decodable { var uri: String }

    var kind: Kind
    var identifier: Identifier
    /// Such as `["DelayLine", "smooth(at:)"]`.
    var pathComponents: [String]
    var declarationFragments: [Fragment]
    var docComment: Text?
    var location: Location?
  }

  struct Relationship: Decodable { var kind, source, target: String }

  var symbols: [Symbol]
  var relationships: [Relationship]

  /// The names of the module that was built with the tool. They are kept beside it until it is built again.
  static func current() throws(Failure) -> SymbolGraph {
    let file = "OpcodeKit.symbols.json"
    let kept = Project.executable.parentPath + "/" + file
    let parts = ["swiftmodule", "swiftdoc"].map { "\(modules)/OpcodeKit.\($0)" }
    let built = parts.compactMap(dateWritten).max() ?? .distantFuture
    if let date = dateWritten(kept), date > built, let graph = try? SymbolGraph(kept) {
      return graph
    }
    let work = NSTemporaryDirectory() + "/opcodekit-symbols-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: work) }
    try extract(into: work)
    let graph = Result { try SymbolGraph("\(work)/\(file)") }
    guard case .success(let graph) = graph else {
      throw .internalFault("The compiler's list of OpcodeKit's names cannot be read.")
    }
    // Renamed, because another call may read it meanwhile. Where the kit's folder cannot be written, nothing is kept.
    let part = "\(kept).\(getpid())"
    try? FileManager.default.copyItem(atPath: "\(work)/\(file)", toPath: part)
    rename(part, kept)
    return graph
  }

  private init(_ path: String) throws {
    self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  private static let modules = Project.executable.parentPath + "/Modules"

  /// Writes the symbol graph of the kit's public API into a directory, from the module that was built with the tool.
  package static func extract(into directory: String) throws(Failure) {
    let sources = Project.kit + "/Sources/Kit"
    let headers = ((try? FileManager.default.contentsOfDirectory(atPath: sources)) ?? [])
      .map { "\(sources)/\($0)" }
      .filter { FileManager.default.fileExists(atPath: $0 + "/module.modulemap") }
    try makeDirectory(directory)
    _ = try runToolchain(
      [
        "swift", "symbolgraph-extract", "-module-name", "OpcodeKit",
        "-target", "\(Processor.own.gnuName)-unknown-linux-gnu", "-output-dir", directory,
        "-minimum-access-level", "public", "-skip-inherited-docs", "-skip-synthesized-members",
        "-I", modules,
      ] + headers.flatMap { ["-I", $0] })
  }
}
