import Foundation
import Testing

@Suite("VCS3OSC in Csound", .serialized)
struct VCS3OscillatorTests {
  /// A second of one of its waves, from 0.1 s on.
  static func play(
    _ frequency: Double, shape: Double, _ oscillator: Int, _ wave: Int, rate: Int = 48_000
  ) throws -> ArraySlice<Double> {
    let samples = try performNote(
      """
      a1, a2 VCS3OSC \(frequency), \(shape), \(oscillator)
      """, heard: "a\(wave)", note: "0.7", sampleRate: rate, ksmps: 100)[0]
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

  @Test("Aliases are under the figures of its page", arguments: [1_003.3, 4_988.1, 9_988.1])
  func aliases(_ frequency: Double) throws {
    let lines = try pageFigures(
      "VCS3/VCS3Oscillator.swift",
      "-78 dB or less for a frequency of 1 kHz, -73 dB for 5 kHz and -62 dB for 10 kHz")
    let arches = try pageFigures(
      "VCS3/VCS3Oscillator.swift", "those of the arches at -100, -59 and -31 dB")
    let high = try pageFigures(
      "VCS3/VCS3Oscillator.swift", "Above 10 kHz the ramp's aliases reach -33, -21 and -28 dB")
    let place = Int(frequency / 4500)
    let ramp = try Self.play(frequency, shape: 0.37, 1, 2)
    let waves = try [
      ramp, Self.play(frequency, shape: 0.37, 2, 1), Self.play(frequency, shape: 0.37, 2, 2),
    ]
    let levels = waves.map { Self.decibelsBetween($0, frequency, below: 10_000) }
    #expect(lines[2 * place] - 6...lines[2 * place] ~= levels.max()!, "\(levels)")
    let arched = try Self.decibelsBetween(
      Self.play(frequency, shape: 0, 1, 1), 2 * frequency, below: 10_000)
    #expect(arches[place] - 6...arches[place] ~= arched, "\(arched)")
    let treble = Self.decibelsBetween(ramp, frequency, below: 24_000)
    #expect(high[place + 1] - 1...high[place + 1] ~= treble, "\(treble)")
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
    let told = try pageFigures(
      "VCS3/VCS3Oscillator.swift", "0.1 dB are lost at 10 kHz, 0.4 dB at 15 kHz")
    #expect(abs(loss + told[2]) < 0.1)
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
    let told = try pageFigures("VCS3/VCS3Oscillator.swift", "shorter than 1 % of the cycle")
    let pulse = try Self.play(400, shape: 0, 2, 1)
    let share = pulse.reduce(0, +) / Double(pulse.count) / 2 + 0.5
    #expect(abs(share - max(told[0] / 100, 400 / 48_000)) < 0.001)
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
      let samples = try performNote(
        """
        kminus init -1
        kcycle timeinstk
        kfrequency = kcycle < 20 ? 333 : \(still)
        a1, a2 VCS3OSC kfrequency, 0.3, 2
        """, heard: "a2", note: "0.1", ksmps: 10)[0]
      let later = samples[400..<4_800]
      #expect(later.max()! - later.min()! < 1e-9)
      #expect(samples[400].isFinite && Set(samples.prefix(190)).count > 100)
    }
  }

  /// The amplitude at a frequency of a wave of straight lines whose phase goes on evenly from each sample to the next, by
  /// the exact integral over each line. `steps` are the ways in cycles of a period of the whole. The lines begin at `places`
  /// in the cycle, with `slopes` in units per cycle; the wave jumps by `jump` where the cycle ends.
  private func exact(
    _ hertz: Double, _ steps: [Double], places: [Double], slopes: [Double], jump: Double
  ) -> Double {
    let angle = 2 * Double.pi * hertz / 48_000
    var (real, imaginary, start) = (0.0, 0.0, 0.0)
    for (sample, step) in steps.enumerated() {
      var (phase, time) = (start, Double(sample))
      while phase < start + step - 1e-12 {
        let cycle = (phase + 1e-12).rounded(.down)
        let line = places.lastIndex { $0 <= phase - cycle + 1e-12 }!
        let end = min(start + step, cycle + (line + 1 < places.count ? places[line + 1] : 1))
        let next = Double(sample) + (end - start) / step
        // The slope times the integral of e^(-iwt), and below a jump, all over iw.
        let slope = slopes[line] * step / angle
        real += slope * (sin(angle * next) - sin(angle * time))
        imaginary += slope * (cos(angle * next) - cos(angle * time))
        if end > cycle + 1 - 1e-12 {
          real += jump * cos(angle * next)
          imaginary -= jump * sin(angle * next)
        }
        (phase, time) = (end, next)
      }
      start += step
    }
    return 2 * hypot(real, imaginary) / angle / Double(steps.count)
  }

  @Test("Modulated at audio rate, better ramps and triangles have the lines of the exact waves")
  func betterModulation() throws {
    // A period of 0.1 s.
    let steps = (0..<4800).map {
      (3000 + 2900 * sin(2 * Double.pi * 1010 * Double($0) / 48_000)) / 48_000
    }
    let sound = try performNote(
      """
      afrequency = 3000 + 2900 * sin(2 * $M_PI * phasor:a(1010))
      afirst, aramp VCS3OSC afrequency, 0.5, 1, 1
      asquare, atriangle VCS3OSC afrequency, 0.3, 2, 1
      afirst, aplain VCS3OSC afrequency, 0.5, 1, 0
      """, heard: "aramp, atriangle, aplain", note: "0.21")
    func heard(_ channel: Int, _ hertz: Double) -> Double {
      var (real, imaginary) = (0.0, 0.0)
      for frame in 4800..<9600 {
        let angle = 2 * Double.pi * hertz * Double(frame) / 48_000
        real += sound[channel][frame] * cos(angle)
        imaginary += sound[channel][frame] * sin(angle)
      }
      return hypot(real, imaginary) / 2400
    }
    for (carrier, order) in (0...2).flatMap({ c in (-4...8).map { (c, $0) } }) {
      let hertz = Double(3000 * carrier + 1010 * order)
      guard hertz > 100, hertz < 20_000 else { continue }
      let ramp = exact(hertz, steps, places: [0], slopes: [2], jump: -2)
      let triangle = exact(
        hertz, steps, places: [0, 0.3], slopes: [2 / 0.3, -2 / 0.7], jump: 0)
      for (channel, level) in [(0, ramp), (1, triangle)] {
        // 0.02 dB, and aliases of -80 dB.
        #expect(
          abs(heard(channel, hertz) - level) < 0.0025 * level + 1e-4, "\(hertz) Hz: \(channel)")
      }
      guard carrier == 0, order == 1 else { continue }
      let told = try pageFigures(
        "VCS3/VCS3Oscillator.swift", "a line of -49 dB at 1010 Hz, the exact one of -87 dB")
      #expect(abs(20 * log10(heard(2, hertz)) - told[0]) < 1)
      #expect(abs(20 * log10(ramp) - told[2]) < 1)
      #expect(20 * log10(heard(0, hertz)) < -80)
    }
  }
}
