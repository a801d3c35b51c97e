import Foundation
import HarnessBase

/// A picture that gnuplot draws.
public protocol Drawing: Sendable {
  /// The size for which it is drawn, in pixels.
  var size: (width: Int, height: Int) { get }
  /// gnuplot's commands, with the colours of `Ink`.
  var script: String { get }
}

/// The role of a colour. The page defines the colours, so that a picture follows the page's light
/// or dark scheme.
enum Ink: Int, CaseIterable {
  /// Axes and text.
  case text = 1
  case grid
  /// A reference line.
  case mark
  case curve1, curve2, curve3, curve4

  /// The curves' colours, in turn.
  static func curve(_ index: Int) -> Ink { [curve1, curve2, curve3, curve4][index % 4] }

  /// For gnuplot: a placeholder colour, which is replaced in the finished picture.
  var code: String { "lc rgb '#00000\(rawValue)'" }

  /// The colour on the page, as a CSS value.
  var variable: String {
    switch self {
    case .text: "currentColor"
    case .grid: "var(--rule)"
    case .mark: "var(--mark)"
    case .curve1: "var(--curve-1)"
    case .curve2: "var(--curve-2)"
    case .curve3: "var(--curve-3)"
    case .curve4: "var(--curve-4)"
    }
  }
}

extension Gnuplot {
  /// Draws pictures for a page, an `<svg>` element each. Their identifiers begin with `prefix` and
  /// a number.
  public func svg(_ drawings: [any Drawing], prefix: String) throws(Failure) -> [String] {
    guard !drawings.isEmpty else { return [] }
    let scratch = try ScratchDirectory("drawing")
    defer { scratch.remove() }
    let directory = scratch.path
    let scripts = drawings.enumerated().map { index, drawing in
      """
      reset
      set encoding utf8
      set terminal svg size \(drawing.size.width),\(drawing.size.height) dynamic noenhanced \
      font 'sans-serif,12' name '\(prefix)\(index)'
      set output '\(index).svg'
      set border 3 \(Ink.text.code)
      set tics nomirror textcolor rgb '#000001'
      set xlabel textcolor rgb '#000001'
      set ylabel textcolor rgb '#000001'
      set key textcolor rgb '#000001'
      set grid \(Ink.grid.code) lw 0.7 dt solid
      \(drawing.script)
      unset output
      """
    }
    try run(
      scripts.joined(separator: "\n") + "\n", in: directory, making: "\(drawings.count - 1).svg")
    var pictures: [String] = []
    for index in drawings.indices {
      guard let text = try? String(contentsOfFile: "\(directory)/\(index).svg", encoding: .utf8)
      else { throw .internalFault("gnuplot has drawn no picture \(index + 1).") }
      pictures.append(Self.element(text, prefix: "\(prefix)\(index)"))
    }
    return pictures
  }

  /// The element of a finished file, in the page's colours.
  private static func element(_ text: String, prefix: String) -> String {
    var text = text[(text.range(of: "<svg")?.lowerBound ?? text.startIndex)...].description
    // Foundation's regular expressions, as Swift's take seconds for the pictures of a page.
    func replace(_ pattern: String, _ template: String) {
      text = text.replacingOccurrences(of: pattern, with: template, options: .regularExpression)
    }
    // These definitions are of the symbols for points; without marked points none is used.
    if !text.contains("<use xlink:href='#gpPt6' transform") { replace("(?s)<defs>.*?</defs>", "") }
    for ink in Ink.allCases { replace("rgb\\( *0, *0, *\(ink.rawValue)\\)", ink.variable) }
    replace("\\scolor=\"(?:black|white|gray)\"", "")
    // gnuplot's titles are names such as `plot_1`, which browsers would show as tooltips.
    replace("<(title|desc)>.*?</\\1>\\s*", "")
    replace("(id=['\"]|'#)(gp|gnuplot|text|grey)", "$1\(prefix)-$2")
    // Most of gnuplot's groups are empty.
    replace("<g [^>]*>\\s*</g>\\s*", "")
    text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    return text.replacing("<svg", with: "<svg role=\"img\"", maxReplacements: 1)
  }
}

/// A string as gnuplot reads it.
func gnuplotQuoted(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

/// Numbers as a data block of gnuplot; a row with a value that is not finite gives no point.
func gnuplotTable(_ name: String, _ rows: [[Double]]) -> String {
  let lines = rows.map { row in
    row.map { $0.isFinite ? String(format: "%.7g", $0) : "NaN" }.joined(separator: " ")
  }
  return "$\(name) << END\n\(lines.joined(separator: "\n"))\nEND"
}
