import CommandKit
import Foundation
import HarnessBase
import Linting
import PluginBuilding
import Rendering

/// Measured pictures of an opcode, for pages that are not the report's.
package struct OpcodePictures {
  /// An SVG file with its own colours, light and dark, and what it shows.
  package typealias Picture = (svg: String, caption: String)

  /// The pictures of each opcode of the kit, by its name: the first call that can be drawn and the first comparison
  /// with an opcode of Csound's. `plugin` has the opcodes. `progress` is told how far the measurements are.
  /// Fails without gnuplot.
  package static func all(
    plugin: String, progress: @Sendable @escaping (JobProgress) -> Void
  ) throws(Failure) -> [String: [Picture]] {
    let gnuplot = try Gnuplot()
    let manuals = try Manual.all(in: Project.opcodeSources)
    let portraits = try Portraits(
      root: Project.root, plugin: plugin, worker: Project.worker
    ).measure(
      manuals, examples: [:],
      arguments: ArgumentFile(readingFrom: Project.root + "/Opcodes/arguments.json"),
      parallel: ProcessInfo.processInfo.activeProcessorCount
    ) { progress($1) }
    var pictures: [String: [Picture]] = [:]
    for manual in manuals {
      let own = portraits.filter { $0.opcode == manual.name }
      let shown = [
        own.first { [.response, .generated].contains($0.kind) && !$0.charts.isEmpty },
        own.first { $0.kind == .contrast && !$0.charts.isEmpty },
      ].compactMap(\.self)
      let charts = shown.flatMap { item in
        item.charts.compactMap { chart, caption in
          chart.flatMap { $0.isEmpty ? nil : ($0, "`\(item.subject)`. \(caption)") }
        }
      }
      let svgs = try gnuplot.svg(charts.map(\.0), prefix: manual.name)
      pictures[manual.name] = zip(svgs, charts).map { svg, chart in (file(svg), chart.1) }
    }
    return pictures
  }

  /// A picture of a page as a file of its own, with a size, because a browser shows one without in 300 × 150 pixels.
  private static func file(_ svg: String) -> String {
    svg.replacing(/<svg ([^>]*viewBox="0 0 (\d+) (\d+)"[^>]*>)/, maxReplacements: 1) { match in
      "<svg width=\"\(match.2)\" height=\"\(match.3)\" \(match.1)<style>\(Page.colors) svg { background: var(--paper); }</style>"
    }
  }
}
