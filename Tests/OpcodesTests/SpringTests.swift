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

  @Test("At no delay and decay it gets louder")
  func stable() throws {
    let rate = 44_100
    for (decay, first, second) in [
      (5, 0.005, 0.006), (10, 0.025, 0.03), (10, 0.002, 0.002), (5, 0.002, 0.003), (10, 0.2, 0.2),
    ] {
      let samples = try Self.click(", \(decay), \(first), \(second)", seconds: 6, rate: rate)
      let peaks = (0..<6).map { samples[($0 * rate)..<(($0 + 1) * rate)].map(abs).max()! }
      #expect(zip(peaks, peaks.dropFirst()).allSatisfy { $1 < $0 }, "\(peaks)")
    }
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
}
