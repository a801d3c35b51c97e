import Foundation

/// Curves over an axis.
public struct Chart: Drawing {
  public enum Axis: Sendable {
    case linear(String)
    case logarithmic(String)
    /// Hz, logarithmic, labelled at 1, 2 and 5 times powers of ten.
    case frequency
    /// dB, from the greatest value down by at most `span`, but by at least 12.
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
  /// The index of the curve that is drawn first and wide, so that another curve can be seen on it
  /// where both are the same.
  public var background: Int?

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
    let order = curves.indices.sorted { $0 == background && $1 != background }
    let plots = order.map { index in
      let title = curves.count > 1 ? "title \(gnuplotQuoted(curves[index].name))" : "notitle"
      let style = hasMarks ? "with linespoints pt 7 ps 0.4" : "with lines"
      let width = index == background ? 4 : 1.4
      return "$curve\(index) using 1:2 \(style) lw \(width) \(Ink.curve(index).code) \(title)"
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
      // The axis of a constant value has a height, too.
      guard letter == "y" else { return "set xrange [\(low):\(high)]" }
      let pad = high > low ? 0.05 * (high - low) : max(0.1 * abs(high), 0.1)
      return "set yrange [\(low - pad):\(high + pad)]"
    case .logarithmic:
      // Up to 6 different x values are labelled themselves; otherwise round values are.
      let places = Set(finite)
      func multiples(_ factors: [Double]) -> [Double] {
        let decades: [Double] = (-3...9).map { pow(10, Double($0)) }
        let values: [Double] = decades.flatMap { decade in factors.map { $0 * decade } }
        return values.filter { $0 >= low / 1.3 && $0 <= high * 1.3 }
      }
      let coarse = multiples([1, 2, 5])
      let round = coarse.count < 3 ? multiples([1, 1.5, 2, 3, 4, 5, 6, 8]) : coarse
      let ticks = letter == "x" && places.count <= 6 ? places.sorted() : round
      return """
        set logscale \(letter)
        set \(letter)range [\(low / 1.3):\(high * 1.3)]
        set \(letter)tics (\(ticks.map { String(format: "'%g' %g", $0, $0) }.joined(separator: ", ")))
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
