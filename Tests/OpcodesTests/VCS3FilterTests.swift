import Foundation
import HarnessBase
import Opcodes
import Testing

@Suite("VCS3FILTER without Csound")
struct VCS3FilterTests {
  static let sampleRate = 48_000.0
  static let least = 0.918
  static let threshold = 10_637.0 / 1083

  static func tuning(
    _ cutoffHz: Double, _ response: Double, _ sampleRate: Double = sampleRate
  ) -> DiodeLadderTuning {
    DiodeLadderTuning(cutoffHz: cutoffHz, response: response, samplePeriod: 1 / sampleRate)
  }

  /// The gain of a small sine, dB, after the ladder has settled.
  static func gain(
    atHz frequency: Double, cutoffHz: Double, response: Double, sampleRate: Double = sampleRate
  ) -> Double {
    var ladder = DiodeLadder(fullScale: 1)
    let tuning = tuning(cutoffHz, response, sampleRate)
    let count = Int(sampleRate)
    var (cosine, sine) = (0.0, 0.0)
    for frame in 0..<(2 * count) {
      let phase = 2 * Double.pi * frequency * Double(frame) / sampleRate
      let output = ladder.next(1e-6 * sin(phase), tuning)
      if frame >= count {
        cosine += output * cos(phase)
        sine += output * sin(phase)
      }
    }
    return 10 * log10((cosine * cosine + sine * sine) * 4e12 / Double(count * count))
  }

  /// The gain of the linear diode ladder with the trapezoidal rule, dB: its transfer function at
  /// p = i √(18/19) tan(π f / sr) / tan(π cutoff / sr).
  static func linearGain(
    atHz frequency: Double, cutoffHz: Double, response: Double, sampleRate: Double = sampleRate
  ) -> Double {
    let k = least + (threshold - least) * response
    let w =
      (18.0 / 19).squareRoot() * tan(Double.pi * frequency / sampleRate)
      / tan(Double.pi * cutoffHz / sampleRate)
    let real = 3 * pow(w, 4) - 35 * w * w + 1 + 3 * k
    let imaginary = 18 * w - 19 * pow(w, 3)
    return 20 * log10(3 * k / (real * real + imaginary * imaginary).squareRoot())
  }

  @Test(
    "Small signals are filtered by the diode ladder's transfer function",
    arguments: [0, 0.5, 0.9])
  func transferFunction(response: Double) {
    for cutoff in [100.0, 1000, 6000, 12_000, 20_000] {
      for frequency in [20.0, 500, 1000, 3000, 11_000, 19_000] {
        let found = Self.gain(atHz: frequency, cutoffHz: cutoff, response: response)
        let expected = Self.linearGain(atHz: frequency, cutoffHz: cutoff, response: response)
        #expect(
          abs(found - expected) < 1e-3, "\(frequency) Hz, cutoff \(cutoff) Hz: \(found) dB")
      }
    }
  }

  @Test("At response 0 it is 3 dB down at 0.343 of the cutoff and 17 dB down at the cutoff")
  func knee() throws {
    let told = try pageFigures(
      "VCS3/VCS3Filter.swift", "-3 dB at 0.343 of the cutoff and -17 dB at the cutoff")
    #expect(told == [-3, 0.343, -17])
    let low = Self.gain(atHz: 2, cutoffHz: 1000, response: 0)
    #expect(abs(Self.gain(atHz: 343, cutoffHz: 1000, response: 0) - low + 3.01) < 0.05)
    #expect(abs(Self.gain(atHz: 1000, cutoffHz: 1000, response: 0) - low + 17.04) < 0.05)
  }

  @Test("Above the cutoff octave after octave falls by 14.1, 17.9, 21.4, 23.3 and 23.9 dB")
  func slope() throws {
    let told = try pageFigures(
      "VCS3/VCS3Filter.swift", "next octaves fall by 14.1, 17.9, 21.4, 23.3 and 23.9 dB")
    for (octave, expected) in told.enumerated() {
      let frequency = 100 * pow(2, Double(octave))
      let drop =
        Self.gain(atHz: frequency, cutoffHz: 100, response: 0, sampleRate: 192_000)
        - Self.gain(atHz: 2 * frequency, cutoffHz: 100, response: 0, sampleRate: 192_000)
      #expect(abs(drop - expected) < 0.1, "from \(frequency) Hz: \(drop) dB")
    }
  }

  /// Frequency and amplitude of what a kick makes of the ladder, in its last quarter.
  static func oscillation(
    cutoffHz: Double, response: Double, sampleRate: Double = sampleRate
  ) -> (cents: Double, amplitude: Double) {
    var ladder = DiodeLadder(fullScale: 1)
    let tuning = tuning(cutoffHz, response, sampleRate)
    let count = Int(max(2 * sampleRate, 400 * sampleRate / cutoffHz))
    let sound = (0..<count).map { ladder.next($0 == 0 ? 1 : 0, tuning) }.suffix(count / 4)
    return (cents(of: sound, above: cutoffHz * 48_000 / sampleRate), sound.map(abs).max()!)
  }

  @Test(
    "At the threshold and a little above it oscillates within 8 cents of the cutoff",
    arguments: [44_100, 48_000, 96_000])
  func oscillationFrequency(sampleRate: Double) {
    for cutoff in [50, 440, 1000, 3000, 6000, 10_000, 15_000, 0.45 * sampleRate] {
      for response in [1.02, 1.05] {
        let found = Self.oscillation(cutoffHz: cutoff, response: response, sampleRate: sampleRate)
        #expect(abs(found.cents) < 8, "cutoff \(cutoff) Hz, response \(response): \(found)")
        #expect(found.amplitude > 0.1 && found.amplitude < 0.3)
      }
    }
  }

  @Test("Below response 1 a kick dies away, above it stays")
  func threshold() {
    for cutoff in [200.0, 2000, 15_000] {
      #expect(Self.oscillation(cutoffHz: cutoff, response: 0.98).amplitude < 1e-3)
      #expect(Self.oscillation(cutoffHz: cutoff, response: 1.02).amplitude > 0.1)
    }
  }

  @Test("Driven harder it goes flat and no louder than the model: -14, -46, -65 cents")
  func hardOscillation() throws {
    let told = try pageFigures(
      "VCS3/VCS3Filter.swift",
      "by 14 cents at 1.1, 46 at 1.5 and 65 at 2. There the error of the method grows with the cutoff, for a response of 1.5 to +5 cents at sr/16 and +11 at sr/8"
    )
    for (cutoff, error) in [(3000.0, told[7]), (6000, told[9])] {
      let found = Self.oscillation(cutoffHz: cutoff, response: 1.5).cents + 46.3
      #expect(abs(found - error) < 0.7, "\(found)")
    }
    let locked = try pageFigures(
      "VCS3/VCS3Filter.swift", "at a response of 2 up to 240 cents away")
    let errors = stride(from: 7000.0, through: 21_500, by: 250).map {
      Self.oscillation(cutoffHz: $0, response: 2).cents
    }
    #expect(abs(errors.map(abs).max()! - locked[1]) < 5, "\(errors)")
    let aliases = try pageFigures(
      "VCS3/VCS3Filter.swift",
      "-41 dB for a full-scale sine of 5 kHz at a cutoff of 2 kHz, -76 dB at half that level")
    for (level, figure) in [(1, aliases[0]), (0.5, aliases[3])] {
      var ladder = DiodeLadder(fullScale: 1)
      let tuning = Self.tuning(2000, 0)
      let sound = (0..<16_384).map {
        ladder.next(level * sin(2 * Double.pi * 853 / 8192 * Double($0)), tuning)
      }
      let found = -harmonicsToAliases(Array(sound.suffix(8192)), cycles: 853)
      #expect(abs(found - figure) < 1, "\(found)")
    }
    for (place, (cents, amplitude)) in [(-14.1, 0.319), (-46.3, 0.753), (-64.6, 1.137)].enumerated()
    {
      let found = Self.oscillation(cutoffHz: 200, response: told[2 * place + 1])
      #expect(abs(found.cents - cents) < 0.5 && abs(cents + told[2 * place]) < 0.5)
      #expect(abs(found.amplitude - amplitude) < 0.005)
    }
    #expect(abs(Self.oscillation(cutoffHz: 15_000, response: 1.5).cents + 9.4) < 3)
    for cutoff in stride(from: 500.0, through: 21_600, by: 750) {
      #expect(Self.oscillation(cutoffHz: cutoff, response: 2).amplitude < 1.8)
    }
  }

  /// The circuit's differential equations by the Runge-Kutta rule, 32 steps a sample.
  struct Circuit {
    var v = SIMD4<Double>()

    func slope(_ v: SIMD4<Double>, _ u: Double, _ k: Double) -> SIMD4<Double> {
      let (a, b, c) = (tanh(v.x - v.y), tanh(v.y - v.z), tanh(v.z - v.w))
      return SIMD4(tanh(u - k * v.w) - a, a - b, b - c, c - tanh(v.w / 3))
    }

    mutating func next(from: Double, to: Double, feedback k: Double, gain: Double) -> Double {
      let steps = 32
      let h = 2 * gain / Double(steps)
      for step in 0..<steps {
        let u = from + (to - from) * Double(step) / Double(steps)
        let end = from + (to - from) * Double(step + 1) / Double(steps)
        let first = slope(v, u, k)
        let second = slope(v + first * (0.5 * h), (u + end) / 2, k)
        let third = slope(v + second * (0.5 * h), (u + end) / 2, k)
        let fourth = slope(v + third * h, end, k)
        let sum = first + (second + third) * 2 + fourth
        v += sum * (h / 6)
      }
      return k * v.w
    }
  }

  @Test("A hot signal comes out as of the circuit's differential equations, to -45 dB")
  func circuit() {
    for (cutoff, response) in [(300.0, 0.0), (1000, 0), (1000, 0.9), (3000, 0.5)] {
      let tuning = Self.tuning(cutoff, response)
      var ladder = DiodeLadder(fullScale: 2)  // one unit in is one unit of the transistors
      var circuit = Circuit()
      var (error, energy, last) = (0.0, 0.0, 0.0)
      for frame in 0..<4800 {
        let time = Double(frame) / Self.sampleRate
        let input = 1.5 * sin(2 * Double.pi * 110 * time) + 1.5 * sin(2 * Double.pi * 470 * time)
        let found = ladder.next(input, tuning)
        let expected = circuit.next(
          from: last, to: input, feedback: tuning.feedback, gain: tuning.gain)
        last = input
        error += (found - expected) * (found - expected)
        energy += expected * expected
      }
      #expect(10 * log10(error / energy) < -45, "cutoff \(cutoff), response \(response)")
    }
  }

  @Test("The conductance is tanh(d)/d to 8e-6 up to 6, 1 at 0, and never grows")
  func conductance() {
    #expect(diodeConductance(0) == 1)
    var last = 1.0
    for step in 1...80_000 {
      let d = Double(step) * 1e-4
      let found = diodeConductance(d)
      if d <= 6 { #expect(abs(found * d / tanh(d) - 1) < 8e-6, "\(d)") }
      #expect(found <= last && found > 0 && found == diodeConductance(-d))
      last = found
    }
  }

  @Test("g is tan(pi cutoff / sr) / sqrt(18/19) to 3.8e-9")
  func gain() {
    for cutoff in stride(from: 1.0, through: 21_600, by: 7) {
      let exact = tan(Double.pi * cutoff / 48_000) / (18.0 / 19).squareRoot()
      #expect(abs(Self.tuning(cutoff, 0).gain / exact - 1) < 3.8e-9, "cutoff \(cutoff) Hz")
    }
  }

  @Test("At cutoff 0 the filter holds its state")
  func cutoffZero() {
    var ladder = DiodeLadder(fullScale: 1)
    var last = 0.0
    for _ in 0..<100 { last = ladder.next(0.5, Self.tuning(1000, 0.5)) }
    let held = ladder.next(-0.5, Self.tuning(0, 0.5))
    #expect(abs(held - last) < 0.05 * abs(last))
    for frame in 0..<1000 {
      let output = ladder.next(frame % 2 == 0 ? 1 : -1, Self.tuning(0, 0.5))
      #expect(abs(output - held) < 1e-12)
    }
  }

  @Test("Any signal, cutoff and response keeps the output finite and within 150 times full scale")
  func alwaysBounded() {
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed: seed)
    func random(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
    for _ in 0..<600 {
      var ladder = DiodeLadder(fullScale: 1)
      let level = pow(10, random(-3...9)) * (random(0...1) < 0.1 ? 1e290 : 1)
      let highest = random(0...1) < 0.2 ? 21_600 : random(10...40_000)
      let response = random(0...3)
      var largest = 0.0
      for frame in 0..<3000 {
        let tuning = Self.tuning(
          frame / 50 % 2 == 0 ? highest : random(-100...highest),
          frame / 500 % 2 == 0 ? response : random(-1...4))
        let input = frame / 97 % 2 == 0 ? level : random(-level...level)
        let output = ladder.next(frame % 1009 == 7 ? .infinity : input, tuning)
        largest = output.magnitude <= largest ? largest : output.magnitude
        if frame % 64 == 63 { ladder.settle() }
      }
      #expect(
        largest < 150, "seed \(seed), level \(level), cutoff \(highest), response \(response)")
    }
  }

  @Test("Level scales with 0dbfs")
  func fullScale() {
    var (one, large) = (DiodeLadder(fullScale: 1), DiodeLadder(fullScale: 32_768))
    for frame in 0..<1000 {
      let input = sin(Double(frame) * 0.1)
      let tuning = Self.tuning(3000, 1.2)
      #expect(one.next(input, tuning) * 32_768 == large.next(input * 32_768, tuning))
    }
  }
}
