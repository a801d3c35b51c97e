import Foundation

/// Curves over an axis.
public struct Chart: Drawing {
  public enum Axis: Sendable {
    case linear(String)
    case logarithmic(String)
    /// Hz, logarithmic, labelled at 1, 2 and 5 times powers of ten.
    case frequency
    /// dB; at most `span` of them from the greatest downwards, at least 12.
    case decibels(span: Double)

    var label: String {
      switch self {
      case .linear(let label), .logarithmic(let label): label
      case .frequency: "Hz"
      case .decibels: "dB"
      }
    }
  }

  public var x: Axis
  public var y: Axis
  public var curves: [Curve]
  public var size = (width: 760, height: 300)
  /// Whether points are marked.
  public var hasMarks = false

  public init(x: Axis, y: Axis, _ curves: [Curve]) {
    (self.x, self.y) = (x, y)
    self.curves = curves.filter { $0.y.contains { $0.isFinite } }
  }

  /// Whether there is nothing to draw.
  public var isEmpty: Bool { curves.isEmpty }

  public var script: String {
    let tables = curves.enumerated().map { index, curve in
      gnuplotTable("curve\(index)", zip(curve.x, curve.y).map { [$0, $1] })
    }
    let plots = curves.enumerated().map { index, curve in
      let title = curves.count > 1 ? "title \(gnuplotQuoted(curve.name))" : "notitle"
      let style = hasMarks ? "with linespoints pt 7 ps 0.4" : "with lines"
      return "$curve\(index) using 1:2 \(style) lw 1.4 \(Ink.curve(index).code) \(title)"
    }
    return """
      \(tables.joined(separator: "\n"))
      set xlabel \(gnuplotQuoted(x.label))
      set ylabel \(gnuplotQuoted(y.label)) offset 1,0
      set key outside top right horizontal samplen 2
      \(commands(x, "x", curves.flatMap(\.x)))
      \(commands(y, "y", curves.flatMap(\.y)))
      plot \(plots.joined(separator: ", "))
      """
  }

  private func commands(_ axis: Axis, _ letter: String, _ values: [Double]) -> String {
    let finite = values.filter(\.isFinite)
    let (low, high) = (finite.min() ?? 0, finite.max() ?? 1)
    switch axis {
    case .linear:
      // A value that never changes still has a height.
      guard letter == "y" else { return "set xrange [\(low):\(high)]" }
      let pad = high > low ? 0.05 * (high - low) : max(0.1 * abs(high), 0.1)
      return "set yrange [\(low - pad):\(high + pad)]"
    case .logarithmic:
      return """
        set logscale \(letter)
        set \(letter)range [\(low / 1.3):\(high * 1.3)]
        set m\(letter)tics default
        set format \(letter) '%g'
        """
    case .frequency:
      let ticks = [20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000].map { hertz in
        "'\(hertz < 1000 ? "\(hertz)" : "\(hertz / 1000)k")' \(hertz)"
      }
      return """
        set logscale \(letter)
        set \(letter)range [\(low):\(high)]
        set \(letter)tics (\(ticks.joined(separator: ", ")))
        """
    case .decibels(let span):
      let top = high + 3
      let bottom = min(max(low, high - span) - 3, top - 12)
      return "set \(letter)range [\(bottom):\(top)]"
    }
  }
}
