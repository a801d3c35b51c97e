import CommandKit
import Foundation
import HarnessBase
import PluginBuilding

/// A static site of the articles and of the public API, made by the toolchain's DocC.
struct DocumentationSite {
  let documentation: Documentation
  let opcodes: OpcodeArticles
  let basePath: String?

  /// Writes the site into a directory of its own, replacing an older site.
  func build(into directory: String) throws(Failure) {
    let work = Project.kit + "/build/docs-work-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: work) }
    let catalog = work + "/OpcodeKit.docc"
    for folder in [work + "/graphs", catalog] { try makeDirectory(folder) }
    try writing(work) {
      for (name, text) in opcodes.adding(to: documentation.catalog) {
        try text.write(toFile: catalog + "/" + name, atomically: false, encoding: .utf8)
      }
    }
    try SymbolGraph.extract(into: work + "/graphs")
    let place = basePath.map { ["--hosting-base-path", $0] } ?? []
    _ = try runToolchain(
      ["docc", "convert", work + "/OpcodeKit.docc"]
        + [
          "--additional-symbol-graph-dir", work + "/graphs", "--output-path", work + "/site",
          "--fallback-display-name", "OpcodeKit", "--fallback-bundle-identifier", "OpcodeKit",
          "--fallback-default-module-kind", "Swift package", "--transform-for-static-hosting",
          "--warnings-as-errors",
        ] + place)
    try install(work + "/site", as: directory)
  }

  /// Moves the finished site to its place. Its first page leads to the articles.
  private func install(_ site: String, as directory: String) throws(Failure) {
    let files = FileManager.default
    let start = (basePath ?? "") + "/documentation/opcodekit/"
    try makeDirectory(directory.parentPath)
    try writing(directory) {
      try """
      <!doctype html><meta charset="utf-8"><title>OpcodeKit</title>
      <meta http-equiv="refresh" content="0; url=\(start)"><a href="\(start)">OpcodeKit</a>
      """.write(toFile: site + "/index.html", atomically: false, encoding: .utf8)
      if files.fileExists(atPath: directory) {
        let isSite = files.fileExists(atPath: directory + "/metadata.json")
        guard try isSite || files.contentsOfDirectory(atPath: directory).isEmpty else {
          throw Failure.unwritableOutput(
            "'\(directory)' is no site of the documentation and would be lost; name another directory."
          )
        }
        try files.removeItem(atPath: directory)
      }
      try files.moveItem(atPath: site, toPath: directory)
    }
  }
}
