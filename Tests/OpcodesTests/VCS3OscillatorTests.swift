import Foundation
import Testing

@Suite("VCS3OSC in Csound", .serialized)
struct VCS3OscillatorTests {
  /// A second of one of its waves, from 0.1 s on.
  static func play(
    _ frequency: Double, shape: Double, _ oscillator: Int, _ wave: Int, rate: Int = 48_000
  ) throws -> ArraySlice<Double> {
    let samples = try perform(
      """
      instr 1
        a1, a2 VCS3OSC \(frequency), \(shape), \(oscillator)
        outch 1, a\(wave)
      endin
      """, score: "i1 0 0.7", sampleRate: rate, ksmps: 100)[0]
    return samples[(rate / 10)..<(rate / 10 + rate / 2)]
  }

  /// What the harmonics below half the rate leave of a signal, by their sines taken off, dB beside the first.
  static func decibelsBetween(_ samples: ArraySlice<Double>, _ frequency: Double, below top: Double)
    -> Double
  {
    let first = Partial(of: frequency, in: samples).amplitude
    var loudest = 0.0
    // Aliases lie off the harmonics: at the images of those beyond half the rate.
    for harmonic in 1...60 where Double(harmonic) * frequency > 24_000 {
      let image = (Double(harmonic) * frequency).remainder(dividingBy: 48_000).magnitude
      let distance = (image / frequency - (image / frequency).rounded()).magnitude * frequency
      guard image < top, distance > 20 else { continue }
      loudest = max(loudest, Partial(of: image, in: samples).amplitude)
    }
    return 20 * log10(loudest / first)
  }

  @Test("Aliases below 10 kHz are under the figures of its page", arguments: [1_003.3, 4_988.1])
  func aliases(_ frequency: Double) throws {
    for (oscillator, wave) in [(1, 2), (2, 1), (2, 2)] {
      let samples = try Self.play(frequency, shape: 0.37, oscillator, wave)
      let level = Self.decibelsBetween(samples, frequency, below: 10_000)
      #expect(level < -73, "\(oscillator) \(wave): \(level) dB")
    }
    let naive = try perform(
      "instr 1\nout 2 * phasor:a(\(frequency)) - 1\nendin", score: "i1 0 0.7")[0]
    #expect(Self.decibelsBetween(naive[4_800..<28_800], frequency, below: 10_000) > -45)
  }

  @Test("A ramp's harmonics are those of a ramp, to 0.1 dB up to 10 kHz")
  func ramp() throws {
    let samples = try Self.play(1_003, shape: 0.2, 1, 2)
    for harmonic in [1, 2, 3, 5, 8, 9.0] {
      let level = Partial(of: 1_003 * harmonic, in: samples).decibels
      #expect(abs(level - 20 * log10(2 / (Double.pi * harmonic))) < 0.1)
    }
    let loss = Partial(of: 15_045, in: samples).decibels - 20 * log10(2 / (Double.pi * 15))
    #expect(-0.5...(-0.3) ~= loss)
  }

  @Test("A rectangle's and a triangle's harmonics follow the shape", arguments: [0.5, 0.2, 0.9])
  func shapes(_ shape: Double) throws {
    let rectangle = try Self.play(400, shape: shape, 2, 1)
    let triangle = try Self.play(400, shape: shape, 3, 2)
    for harmonic in 1...8 {
      let n = Double(harmonic)
      let sine = sin(Double.pi * n * shape).magnitude
      let ofRectangle = 4 / (Double.pi * n) * sine
      let ofTriangle = 2 / (pow(Double.pi * n, 2) * shape * (1 - shape)) * sine
      #expect(abs(Partial(of: 400 * n, in: rectangle).amplitude - ofRectangle) < 0.002)
      #expect(abs(Partial(of: 400 * n, in: triangle).amplitude - ofTriangle) < 0.002)
    }
    let mean = rectangle.reduce(0, +) / Double(rectangle.count)
    #expect(abs(mean - (2 * shape - 1)) < 0.01)
  }

  @Test("The sine is one in the middle and bends into arches an octave higher, without an offset")
  func sine() throws {
    let pure = try Self.play(500, shape: 0.5, 1, 1)
    #expect(abs(Partial(of: 500, in: pure).amplitude - 1) < 1e-6)
    for harmonic in 2...6 {
      #expect(Partial(of: 500 * Double(harmonic), in: pure).decibels < -150)
    }
    for shape in [0, 1.0] {
      let arches = try Self.play(500, shape: shape, 1, 1)
      // |cos|: 4 / (π (4 n^2 - 1)) at the even harmonics 2 n.
      #expect(Partial(of: 500, in: arches).decibels < -100)
      for n in 1...4 {
        let expected: Double = 4 / (Double.pi * Double(4 * n * n - 1))
        let amplitude: Double = Partial(of: 1_000 * Double(n), in: arches).amplitude
        #expect(abs(amplitude - expected) < 0.002)
      }
      let sum: Double = arches.reduce(0, +)
      #expect(abs(sum / Double(arches.count)) < 0.001)
      let peak: Double = arches.max()!
      #expect((peak > 0.6) == (shape == 0))
    }
  }

  @Test("It keeps its tune, also very slowly, and stands still at 0, below and at NaN")
  func frequency() throws {
    let slow = try perform(
      "instr 1\na1, a2 VCS3OSC 0.05, 0.5, 3\nout a2\nendin", score: "i1 0 20", sampleRate: 1_000)[0]
    // A triangle from -1 to 1 in ten seconds, and back.
    for second in [2.5, 5, 7.5, 12.5, 17.5] {
      let expected = second <= 10 ? second / 5 - 1 : 3 - second / 5
      #expect(abs(slow[Int(second * 1_000)] - expected) < 0.001)
    }
    for still in ["0", "-300", "log(kminus)"] {
      let samples = try perform(
        """
        instr 1
          kminus init -1
          kcycle timeinstk
          kfrequency = kcycle < 20 ? 333 : \(still)
          a1, a2 VCS3OSC kfrequency, 0.3, 2
          outch 1, a2
        endin
        """, score: "i1 0 0.1", ksmps: 10)[0]
      let later = samples[400..<4_800]
      #expect(later.max()! - later.min()! < 1e-9)
      #expect(samples[400].isFinite && Set(samples.prefix(190)).count > 100)
    }
  }

  @Test("A sound modulates its frequency: sidebands of Bessel's functions")
  func modulation() throws {
    let samples = try perform(
      """
      instr 1
        a1, a2 VCS3OSC 2000 + 300 * oscili:a(1, 150), 0.5
        outch 1, a1
      endin
      """, score: "i1 0 0.7")[0][4_800..<28_800]
    for (order, level) in [(0, 0.22389), (1, 0.57672), (2, 0.35283), (3, 0.12894)] {
      let amplitude = Partial(of: 2_000 + 150 * Double(order), in: samples).amplitude
      #expect(abs(amplitude - level) < 0.001)
    }
  }

  @Test("An oscillator there is none of is refused")
  func refusal() throws {
    let performance = try perform(
      "instr 1\na1, a2 VCS3OSC 100, 0.5, 4\nout a1\nendin", score: "i1 0 0.1")
    #expect(performance.said("'ioscillator' is 4; it must be 1, 2 or 3"))
  }
}
