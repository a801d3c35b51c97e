import Foundation

/// The energy of one octave of a note's output in each quarter of the note.
package struct RingingBand {
  /// The output and the band's upper frequency, for messages.
  package let name: String
  package let quarters: [Double]
  /// The energy of a quarter at full scale.
  private let full: Double

  private init(_ name: String, _ quarters: [Double], full: Double) {
    (self.name, self.quarters, self.full) = (name, quarters, full)
  }

  /// Whether the energy grows by more than 2 % from the second quarter to the third and from the third
  /// to the last, and the last is above -200 dB of full scale.
  package var isGrowing: Bool {
    quarters[3] > 1e-20 * full && quarters[3] > 1.02 * quarters[2]
      && quarters[2] > 1.02 * quarters[1]
  }

  /// Whether the energy grows by more than a half from the second quarter to the last.
  package var isClearlyGrowing: Bool { quarters[3] > 1.5 * quarters[1] }

  /// Whether the last quarter has more than twice the energy of the first, in which the signal was, and
  /// is above -200 dB of full scale.
  package var hasGrown: Bool { quarters[3] > 1e-20 * full && quarters[3] > 2 * quarters[0] }

  /// Whether the last quarter's energy is above that of 100 times full scale.
  package var isHuge: Bool { !(quarters[3] <= 1e4 * full) }

  package var levels: String {
    quarters.map { String(format: "%.1f", 10 * log10($0)) }.joined(separator: ", ")
      + " dB in its quarters"
  }

  /// The upper nine octaves of an output, down to about 50 Hz at a sample rate of 48 kHz, and one band
  /// for everything below.
  package static func bands(of stream: NoteTake.Stream, sampleRate: Double) -> [RingingBand] {
    let length = stream.values.count / 4
    let quarters = (0..<4).map { energies(stream.values[($0 * length)..<(($0 + 1) * length)]) }
    return quarters[0].indices.map { octave in
      let high = Int(sampleRate / Foundation.pow(2, Double(octave + 1)))
      return RingingBand(
        "\(stream.name) up to \(high) Hz", quarters.map { $0[octave] },
        full: Double(length))
    }
  }

  /// The energy of each octave by Haar wavelets: differences of neighbouring samples are the upper
  /// octave; their sums are the input of the next step. The energies add up to that of the whole.
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
