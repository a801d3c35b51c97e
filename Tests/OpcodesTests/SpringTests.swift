import Foundation
import OpcodeKit
import Opcodes
import Testing

/// A complex number.
private struct Phasor {
  var real, imaginary: Double

  static func * (_ a: Phasor, _ b: Phasor) -> Phasor {
    Phasor(
      real: a.real * b.real - a.imaginary * b.imaginary,
      imaginary: a.real * b.imaginary + a.imaginary * b.real)
  }
  static func / (_ a: Phasor, _ b: Phasor) -> Phasor {
    let size = b.real * b.real + b.imaginary * b.imaginary
    return a * Phasor(real: b.real / size, imaginary: -b.imaginary / size)
  }
  func plus(_ number: Double) -> Phasor { Phasor(real: real + number, imaginary: imaginary) }
  var magnitude: Double { hypot(real, imaginary) }

  /// size e^(i angle).
  init(size: Double, angle: Double) { (real, imaginary) = (size * cos(angle), size * sin(angle)) }
  init(real: Double, imaginary: Double) { (self.real, self.imaginary) = (real, imaginary) }

  func power(_ exponent: Int) -> Phasor {
    Phasor(size: pow(magnitude, Double(exponent)), angle: Double(exponent) * atan2(imaginary, real))
  }
}

extension SpringLoop {
  /// What a round makes of z^n, as the opcode's file says it: g A(z)^48 z^-(length + 3).
  fileprivate func response(_ z: Phasor, decay: Double) -> Phasor {
    let back = Phasor(real: 1, imaginary: 0) / z
    let a = Self.coefficient
    let pass = back.plus(a) / Phasor(real: a * back.real, imaginary: a * back.imaginary).plus(1)
    let round = pass.power(4 * Self.stages) * back.power(length + 3)
    return round * Phasor(real: gain(decay: decay), imaginary: 0)
  }
}

@Suite("The loop of a spring, without Csound")
struct SpringLoopTests {
  private static let corners: [(delay: Double, decay: Double, rate: Double)] =
    [0.002, 0.005, 0.025, 0.2].flatMap { delay in
      [0.01, 0.5, 2, 10].flatMap { decay in
        [7_300, 8_000, 8_820, 9_600].map { (delay, decay, $0) }
      }
    }

  @Test("A round's gain is below 1 at every frequency, and loses 60 dB in the decay")
  func gain() {
    for (delay, decay, rate) in Self.corners {
      let loop = SpringLoop(delay: delay, rate: rate)
      for step in 0...2_000 {
        let z = Phasor(size: 1, angle: Double.pi * Double(step) / 2_000)
        #expect(loop.response(z, decay: decay).magnitude < 1)
      }
      let lost = -20 * log10(loop.gain(decay: decay)) / loop.round * decay
      #expect(abs(lost - 60) < 1e-9)
      #expect(abs(loop.round - delay) <= 0.501 / rate)
    }
    #expect(SpringLoop(delay: 0.02, rate: 9_600).gain(decay: 0) == 0)
  }

  @Test("Up to 700 Hz a frequency's own decay is within 5 %, and above longer by its round trip")
  func decays() throws {
    func decay(_ loop: SpringLoop, _ hertz: Double, rate: Double) -> Double {
      let a = SpringLoop.coefficient
      func delay(_ omega: Double) -> Double {
        Double(4 * SpringLoop.stages) * (1 - a * a) / (1 + 2 * a * cos(omega) + a * a)
      }
      return 1 + (delay(2 * Double.pi * hertz / rate) - delay(0)) / rate / loop.round
    }
    for (delay, _, rate) in Self.corners {
      let loop = SpringLoop(delay: delay, rate: rate)
      #expect(decay(loop, 700, rate: rate) < 1.05)
    }
    let usual = SpringLoop(delay: 0.025, rate: 9_600)
    let told = try pageFigures("VCS3/Spring.swift", "1 % longer at 1.6 kHz and 21 % at 3.8 kHz")
    for (hertz, percent) in [(1_600.0, told[0]), (2_800, 4.5), (3_800, told[2])] {
      #expect(abs(decay(usual, hertz, rate: 9_600) - 1 - percent / 100) < 0.007)
    }
  }
}

@Suite("SPRING in Csound", .serialized)
struct SpringTests {
  /// What a click leaves.
  static func click(
    _ arguments: String = "", seconds: Double = 1, rate: Int = 48_000
  ) throws -> [Double] {
    try performNote(
      """
      aout SPRING mpulse:a(1, 0)\(arguments)
      """, heard: "aout", note: "\(seconds)", sampleRate: rate, ksmps: 50)[0]
  }

  /// When a band of a response's first chirp is loudest, seconds.
  static func arrival(_ samples: [Double], _ frequency: Double, rate: Double = 48_000) -> Double {
    let length = Int(rate / 250)
    let starts = stride(from: 0, to: Int(0.1 * rate), by: 12)
    let levels = starts.map {
      Partial(of: frequency, in: samples[$0..<($0 + length)], sampleRate: rate).amplitude
    }
    let loudest = levels.indices.max { levels[$0] < levels[$1] }!
    return (Double(loudest) * 12 + Double(length) / 2) / rate
  }

  @Test(
    "A spring answers after its delay with a chirp: low frequencies first, by its allpasses' delay")
  func chirp() throws {
    // Both springs alike, one pass.
    let samples = try Self.click(", 0, 0.025, 0.025", seconds: 0.2)
    #expect(samples.prefix(1_100).allSatisfy { abs($0) < 1e-4 })
    func expected(_ frequency: Double) -> Double {
      // 48 allpasses at 9600 Hz: (1 - a^2) / (1 + 2 a cos ω + a^2) samples each.
      func delay(_ omega: Double) -> Double {
        48 * (1 - 0.5625) / (1 + 1.5 * cos(omega) + 0.5625)
      }
      return (delay(2 * Double.pi * frequency / 9_600) - delay(0)) / 9_600
    }
    let first = Self.arrival(samples, 500)
    #expect(abs(first - 0.0256) < 0.0005)
    for frequency in [1_500, 2_500, 3_000, 3_500.0] {
      let late = Self.arrival(samples, frequency) - first
      let asked = expected(frequency) - expected(500)
      #expect(abs(late - asked) < 0.0006, "\(frequency): \(late), \(asked)")
    }
    #expect(expected(3_500) > 0.003)
  }

  @Test("The two springs have their delays")
  func delays() throws {
    let both = try Self.click(", 0", seconds: 0.2)
    let first = try Self.click(", 0, 0.025, 0.025", seconds: 0.2)
    let second = try Self.click(", 0, 0.03, 0.03", seconds: 0.2)
    let half = zip(first, second).map { 0.5 * ($0 + $1) }
    #expect(largestDifference(both[...], half[...]) < 1e-12)
    // 5 ms are 48 samples at 9600 Hz.
    #expect(largestDifference(first.prefix(4_000), second.dropFirst(240).prefix(4_000)) < 1e-12)
  }

  @Test(
    "The loop that is played has the gain of the loop that is documented, at every frequency",
    arguments: [(5, 0.005), (10, 0.002), (2, 0.025), (10, 0.2)])
  func loopGain(decay: Double, delay: Double) throws {
    let once = try Self.click(", 0, \(delay), \(delay)", seconds: 1.5)
    let round = try Self.click(", \(decay), \(delay), \(delay)", seconds: 1.5)
    let loop = SpringLoop(delay: delay, rate: 9_600)
    // On a circle where what comes after the end is 120 dB below.
    let radius = pow(10, 6 / Double(round.count))
    func transform(_ samples: [Double], _ angle: Double) -> Phasor {
      let step = Phasor(size: 1 / radius, angle: -angle)
      var (power, sum) = (Phasor(real: 1, imaginary: 0), Phasor(real: 0, imaginary: 0))
      for sample in samples {
        sum.real += sample * power.real
        sum.imaginary += sample * power.imaginary
        power = power * step
      }
      return sum
    }
    for hertz in stride(from: 110.0, to: 3_700, by: 97) {
      let angle = 2 * Double.pi * hertz / 48_000
      let found = (transform(once, angle) / transform(round, angle)).plus(-1)
      let z = Phasor(size: radius, angle: angle).power(5)
      let expected = loop.response(z, decay: decay)
      #expect(
        hypot(found.real - expected.real, found.imaginary - expected.imaginary) < 1e-3,
        "\(hertz) Hz: \(found.magnitude), \(expected.magnitude)")
    }
  }

  @Test(
    "What rings up to 700 Hz loses 60 dB in the decay asked for, within 5 %",
    arguments: [0.002, 0.005, 0.025, 0.2], [0.5, 2, 10])
  func reverberation(delay: Double, decay: Double) throws {
    let samples = try performNote(
      """
      anoise rand 0.5, 0.3, 1
      anoise *= linseg:a(1, 0.05, 1, 0, 0, 1, 0)
      aburst = butterhp(butterlp(butterlp(butterlp(anoise, 500), 500), 500), 120)
      aout SPRING aburst, \(decay), \(delay), \(delay)
      """, heard: "aout", note: "\(1 + 1.2 * decay)", ksmps: 48)[0]
    // Schroeder's integral from the end, at two moments whole rounds apart.
    var energies = [0.0]
    for sample in samples.reversed() { energies.append(energies.last! + sample * sample) }
    func level(_ second: Double) -> Double {
      10 * log10(energies[samples.count - Int(second * 48_000)])
    }
    let round = SpringLoop(delay: delay, rate: 9_600).round
    let rounds = max(1, (decay / 2 / round).rounded(.down))
    let slope = (level(0.3 + delay) - level(0.3 + delay + rounds * round)) / (rounds * round)
    #expect(abs(60 / slope / decay - 1) < 0.05, "\(60 / slope) s")
  }

  @Test("At no delay and decay it gets louder", arguments: [44_100, 48_000, 96_000])
  func stable(rate: Int) throws {
    for (decay, first, second) in [
      (5, 0.005, 0.006), (10, 0.025, 0.03), (10, 0.002, 0.002), (5, 0.002, 0.003), (10, 0.2, 0.2),
    ] {
      let samples = try Self.click(", \(decay), \(first), \(second)", seconds: 6, rate: rate)
      let peaks = (0..<6).map { samples[($0 * rate)..<(($0 + 1) * rate)].map(abs).max()! }
      #expect(zip(peaks, peaks.dropFirst()).allSatisfy { $1 < $0 }, "\(peaks)")
    }
  }

  @Test("Low frequencies lose 60 dB in the time asked for", arguments: [0.5, 2])
  func decay(_ seconds: Double) throws {
    let samples = try performNote(
      """
      asource poscil linseg:k(0.5, 0.1, 0.5, 0.01, 0, 1, 0), 300
      aout SPRING asource, \(seconds), 0.02, 0.02
      """, heard: "aout", note: "1.4", ksmps: 48)[0]
    func level(_ second: Double) -> Double {
      let window = samples[Int(second * 48_000)..<Int((second + 0.3) * 48_000)]
      return 10 * log10(window.reduce(0) { $0 + $1 * $1 })
    }
    let slope = (level(0.3) - level(0.9)) / 0.6
    #expect(abs(slope - 60 / seconds) < 0.1 * 60 / seconds, "\(slope) dB a second")
  }

  @Test("Nothing above its lowpass's edge passes, nor a direct voltage")
  func band() throws {
    for (frequency, loudest) in [(8_000, 0.001), (5_760, 0.003), (0, 0.001)] {
      let samples = try performNote(
        """
        aout SPRING poscil:a(1, \(frequency), -1, 0.25), 0
        """, heard: "aout", note: "1", ksmps: 50)[0].suffix(4_800)
      #expect(samples.allSatisfy { abs($0) < loudest })
    }
  }

  @Test("It answers alike at other rates", arguments: [44_100, 96_000])
  func rates(_ rate: Int) throws {
    let usual = try Self.click(", 0, 0.025, 0.025", seconds: 0.2)
    let other = try Self.click(", 0, 0.025, 0.025", seconds: 0.2, rate: rate)
    for frequency in [500, 2_000.0] {
      let late = Self.arrival(other, frequency, rate: Double(rate)) - Self.arrival(usual, frequency)
      #expect(abs(late) < 0.001)
    }
  }

  @Test("A NaN or infinity is gone, and a tail ends in zero")
  func notANumber() throws {
    for bad in ["log(kminus)", "-log(0 * kminus)"] {
      let samples = try performNote(
        """
        kcycle timeinstk
        kminus init -1
        kbad = (kcycle == 2 ? \(bad) : (kcycle < 100 ? 0.5 : 0))
        aout SPRING upsamp(kbad), 0.01
        """, heard: "aout", note: "1")[0]
      #expect(samples.allSatisfy(\.isFinite) && samples[2_000...].contains { abs($0) > 1e-3 })
      #expect(samples.suffix(2_400).allSatisfy { $0 == 0 })
    }
  }
}
