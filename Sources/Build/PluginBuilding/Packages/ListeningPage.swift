import CCsound
import CommandKit
import Comparing
import CsoundHost
import Foundation
import HarnessBase
import Linting
import Rendering

/// A page of one file that plays a package's opcodes in the browser: the plugin for the web, an engine in which its
/// opcodes are called, and a control for each input.
package struct ListeningPage {
  let product: String
  let version: String
  /// The path of the plugin for the web.
  let plugin: String
  /// What the plugin registers.
  let signatures: [Signature]

  package init(product: String, version: String, plugin: String, signatures: [Signature]) {
    (self.product, self.version) = (product, version)
    (self.plugin, self.signatures) = (plugin, signatures)
  }

  /// Nil where the package has no plugin for the web.
  init?(of contents: Contents, _ release: Release) {
    guard let target = contents.targets.first(where: { $0.system == .web }) else { return nil }
    self.init(
      product: contents.build.product, version: "\(release.version)",
      plugin: contents.build.path(for: target), signatures: contents.signatures)
  }

  private static let directory = Project.kit + "/Sources/Build/PluginBuilding/Packages/Listening"
  /// The folder of the panels' page, which has the same keys.
  private static let panels = "../../../../Live/Playing/Server/Page"

  /// The page. The same commit gives the same text.
  package func text() throws(Failure) -> String {
    let scratch = try ScratchDirectory("listening")
    defer { scratch.remove() }
    let engine = scratch.path + "/engine.wasm"
    try WebEngine.build(
      Self.directory + "/engine.c", to: engine,
      functions: [
        "new_engine", "new_bytes", "new_table", "new_note", "note_values", "begin_note",
        "perform_note", "end_note",
      ], kit: Project.kit)
    let library = scratch.path + "/library.json"
    try write(library: try self.library(in: scratch.path), to: library)
    let parts = [
      "TITLE": "\(product) \(version)".escaped,
      "ABOUT":
        ("Opcodes for Csound, played in this page by the plugin of the package"
        + " itself. Nothing is sent anywhere.").escaped,
      "COLORS": Page.colors,
      "LIBRARY": try Self.packed(library, in: scratch.path),
      "ENGINE": try Self.packed(engine, in: scratch.path),
      "PLUGIN": try Self.packed(plugin, in: scratch.path),
      "AUDIO": try ["loader.mjs", "player.mjs", "audio.mjs"].map(Self.module).joined(),
      "PAGE": try [
        "\(Self.panels)/element.js", "\(Self.panels)/keys.js", "drawing.mjs", "page.mjs",
      ].map(Self.module).joined(),
    ]
    var text = try Self.file("page.html")
    // In this order no text of a part is taken for a place.
    for name in ["TITLE", "ABOUT", "COLORS", "AUDIO", "PAGE", "LIBRARY", "ENGINE", "PLUGIN"] {
      text = text.replacing("{\(name)}", with: parts[name]!)
    }
    return text
  }

  private func library(in scratch: String) throws(Failure) -> ListeningLibrary {
    let path =
      AuthorPackage.current == nil
      ? Project.kit + "/Opcodes/arguments.json" : Project.root + "/arguments.json"
    let file =
      FileManager.default.fileExists(atPath: path)
      ? try ArgumentFile(readingFrom: path) : ArgumentFile()
    let pairs = Project.root + "/Benchmarks"
    let pairings =
      FileManager.default.fileExists(atPath: pairs)
      ? try Pairing.all(in: pairs, withoutRivals: true).pairings : []
    return try ListeningLibrary(
      of: signatures, Manual.all(in: Project.opcodeSources), file, pairings
    ) { specifications throws(Failure) in
      try Self.elements(of: specifications, in: scratch)
    }
  }

  /// The elements of tables that Csound makes with `ftgen`, each with its guard point.
  private static func elements(
    of specifications: [String], in scratch: String
  ) throws(Failure) -> [[Float]] {
    guard !specifications.isEmpty else { return [] }
    let lines = specifications.enumerated().map { "gi\($0) ftgen \($0 + 1), 0, \($1)" }
    let orchestra = scratch + "/tables.csd"
    try OutputFile(orchestra).write(
      Data(
        """
        <CsoundSynthesizer>
        <CsInstruments>
        \(lines.joined(separator: "\n"))
        </CsInstruments>
        <CsScore>
        f 0 1
        </CsScore>
        </CsoundSynthesizer>
        """.utf8))
    do throws(CsoundError) {
      let csound = try Csound()
      csound.keepMessages()
      try csound.compile(orchestra)
      return specifications.indices.map { index in
        var samples: UnsafeMutablePointer<Double>?
        let count = Int(csoundGetTable(csound.engine, &samples, CInt(index + 1)))
        guard let samples, count > 0 else { return [0, 0] }
        return (0...count).map { Float(samples[$0]) }
      }
    } catch {
      throw .badInput("A table of 'arguments.json' cannot be made: \(error)")
    }
  }

  private func write(library: ListeningLibrary, to path: String) throws(Failure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    guard let data = try? encoder.encode(library) else {
      throw .internalFault("What the page knows of the opcodes cannot be encoded.")
    }
    try OutputFile(path).write(data)
  }

  /// A file, compressed and in base64.
  private static func packed(_ path: String, in scratch: String) throws(Failure) -> String {
    let copy = scratch + "/packed"
    let finished = try ChildProcess.run(
      "/usr/bin/env", ["sh", "-c", "gzip -9nc -- \"$0\" >\"$1\"", path, copy])
    guard finished.isGood, let data = FileManager.default.contents(atPath: copy) else {
      throw .unavailable("'gzip' failed: \(finished.errors)")
    }
    return data.base64EncodedString()
  }

  private static func file(_ name: String) throws(Failure) -> String {
    let path = "\(directory)/\(name)"
    try requireReadableFile(path)
    return (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }

  /// The code of a module without its imports: in the page, modules stand one after the other.
  private static func module(_ name: String) throws(Failure) -> String {
    try file(name).split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("import ") }.joined(separator: "\n")
  }
}
