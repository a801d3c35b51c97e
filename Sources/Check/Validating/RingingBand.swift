import Foundation

/// The energy of one octave of a note's output in each quarter of the note.
struct RingingBand {
  /// The output and the frequencies, for a sentence.
  let name: String
  let quarters: [Double]
  /// Energy at full scale.
  private let full: Double

  private init(_ name: String, _ quarters: [Double], full: Double) {
    (self.name, self.quarters, self.full) = (name, quarters, full)
  }

  /// Whether the last quarters have more and more, above -200 dB of full scale.
  var isGrowing: Bool {
    quarters[3] > 1e-20 * full && quarters[3] > 1.02 * quarters[2]
      && quarters[2] > 1.02 * quarters[1]
  }

  /// Whether the last quarter has more than the first, in which the signal was.
  var hasGrown: Bool { quarters[3] > 1e-20 * full && quarters[3] > 2 * quarters[0] }

  /// Whether the last quarter is above a hundred times full scale.
  var isHuge: Bool { !(quarters[3] <= 1e4 * full) }

  var levels: String {
    quarters.map { String(format: "%.1f", 10 * log10($0)) }.joined(separator: ", ")
      + " dB in its quarters"
  }

  /// The octaves of an output down to some 50 Hz, and all below as one.
  static func bands(of stream: NoteTake.Stream, sampleRate: Double) -> [RingingBand] {
    let length = stream.values.count / 4
    let quarters = (0..<4).map { energies(stream.values[($0 * length)..<(($0 + 1) * length)]) }
    return quarters[0].indices.map { octave in
      let high = Int(sampleRate / Foundation.pow(2, Double(octave + 1)))
      return RingingBand(
        "\(stream.name) up to \(high) Hz", quarters.map { $0[octave] },
        full: Double(length))
    }
  }

  /// By Haar's wavelets, whose octaves' energies add up to that of the whole: differences of neighbours are
  /// the upper octave, their sums go on to the next.
  private static func energies(_ samples: ArraySlice<Double>) -> [Double] {
    var rest = Array(samples)
    var list: [Double] = []
    for _ in 0..<9 {
      var (sums, energy) = ([Double](), 0.0)
      sums.reserveCapacity(rest.count / 2)
      for place in stride(from: 0, to: rest.count - 1, by: 2) {
        let (one, other) = (rest[place], rest[place + 1])
        energy += 0.5 * (one - other) * (one - other)
        sums.append((one + other) * 0.5.squareRoot())
      }
      list.append(energy)
      rest = sums
    }
    return list + [rest.reduce(0) { $0 + $1 * $1 }]
  }
}
