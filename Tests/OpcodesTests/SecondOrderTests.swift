import Foundation
import Opcodes
import OpcodeKit
import Testing

/// The gain of a filter of second order with output c0 t[n] + c1 t[n-1] + c2 t[n-2], decibels, at a
/// part of the sample rate.
private func gain(
  _ c: SecondOrderCoefficients, _ taps: (Double, Double, Double), at frequency: Double
) -> Double {
  func polynomial(_ c0: Double, _ c1: Double, _ c2: Double) -> Double {
    let (w, v) = (2 * Double.pi * frequency, 4 * Double.pi * frequency)
    let real = c0 + c1 * cos(w) + c2 * cos(v)
    let imaginary = c1 * sin(w) + c2 * sin(v)
    return real * real + imaginary * imaginary
  }
  return 10
    * log10(polynomial(taps.0, taps.1, taps.2) / polynomial(1, c.feedback1, c.feedback2))
}

@Suite("Filters of second order without Csound")
struct SecondOrderTests {
  @Test(
    "Lowpass and highpass are 3.01 dB down at their cutoff, 0 dB at 0 Hz and at sr/2",
    arguments: [0.001, 0.1, 0.4])
  func corners(cutoff: Double) throws {
    let told = try pageFigures("Filters/ButterworthCornerFilter.swift", "-3.01 dB at the cutoff")
    let both = CornerCoefficients(cutoffs: Pair(cutoff))
    for (c, middle, passed, stopped) in [
      (both.low[0], 2.0, 0, 0.45), (both.high[0], -2, 0.5, 0.01),
    ] {
      let taps = (c.gain, middle * c.gain, c.gain)
      #expect(abs(gain(c, taps, at: cutoff) + 10 * log10(2)) < 1e-8)
      #expect(abs(gain(c, taps, at: cutoff) - told[0]) < 0.005)
      #expect(abs(gain(c, taps, at: passed)) < 1e-8)
      if cutoff == 0.1 { #expect(gain(c, taps, at: stopped) < -40) }
    }
  }

  @Test(
    "Bandpass and band reject share the power between them",
    arguments: [(0.01, 0.002), (0.2, 0.1), (0.45, 0.01)])
  func bands(centre: Double, bandwidth: Double) throws {
    let band = BandCoefficients(centres: Pair(centre), bandwidths: Pair(bandwidth))
    let (pass, reject) = (band.pass[1], band.reject[1])
    for frequency in [centre, 0.3, 0.01, centre + bandwidth / 2] {
      let passed = gain(pass, (pass.gain, 0, -pass.gain), at: frequency)
      let rejected = gain(
        reject, (reject.gain, reject.feedback1, reject.gain), at: frequency)
      #expect(abs(pow(10, passed / 10) + pow(10, rejected / 10) - 1) < 1e-9)
      if frequency == centre { #expect(abs(passed) < 1e-6 && rejected < -100) }
    }
    let told = try pageFigures(
      "Filters/ButterworthBandFilter.swift", "-3.01 dB at the edges of the band")
    // Twice the middle of the edges, which is not the centre near 0 and sr/2.
    let sum = acos(cos(2 * Double.pi * centre) * cos(Double.pi * bandwidth)) / Double.pi
    for edge in [sum - bandwidth, sum + bandwidth] {
      #expect(abs(gain(pass, (pass.gain, 0, -pass.gain), at: edge / 2) - told[0]) < 0.005)
      let rejected = gain(reject, (reject.gain, reject.feedback1, reject.gain), at: edge / 2)
      #expect(abs(rejected - told[0]) < 0.005)
    }
  }

  @Test("A centre beyond sr/2 is mirrored, and NaN is sr/2")
  func mirrored() {
    func turn(_ centre: Double) -> Double {
      BandCoefficients(centres: Pair(centre), bandwidths: Pair(0.1)).pass[0].feedback1
    }
    #expect(abs(turn(0.7) - turn(0.3)) < 1e-12 && abs(turn(-0.2) - turn(0.2)) < 1e-12)
    #expect(turn(.nan) == turn(0.5) && turn(.infinity) == turn(0.5) && turn(0.1) != turn(0.2))
  }

  @Test("The resonator's peak is 1 with scale 1, its power that of noise with 2")
  func resonator() throws {
    let peak = ResonatorDesign(try Scaling(1)).coefficients(Pair(0.1), Pair(0.001))[0]
    #expect(abs(gain(peak, (peak.gain, 0, 0), at: 0.1)) < 0.01)
    let noise = ResonatorDesign(try Scaling(2)).coefficients(Pair(0.1), Pair(0.01))[0]
    let power = (0..<20_000).reduce(0.0) { sum, step in
      sum + pow(10, gain(noise, (noise.gain, 0, 0), at: (Double(step) + 0.5) / 40_000) / 10)
    }
    #expect(abs(power / 20_000 - 1) < 0.001)
    #expect(throws: OpcodeError.self) { try Scaling(3) }
    #expect(throws: OpcodeError.self) { try Scaling(-1) }
    #expect(throws: OpcodeError.self) { try Scaling(.nan) }
  }
}

@Suite("Filters of second order in Csound", .serialized)
struct SecondOrderOrchestraTests {
  @Test(
    "A centre that swings at audio rate feeds no endless growth", arguments: [1, 7, 16, 1024],
    [
      "RESON asignal, acentre, 50", "RESON asignal, acentre, 5", "BUTTERBP asignal, acentre, 50",
      "BUTTERBR asignal, acentre, 50",
    ])
  func swinging(ksmps: Int, _ call: String) throws {
    let channels = try performNote(
      """
      anoise rand 1, 0.3, 1
      asignal = anoise * linseg:a(1, 2, 1, 0, 0, 1, 0)
      acentre = 1000 + 900 * poscil:a(1, 500)
      a1 \(call)
      acentre = 1000 + 900 * poscil:a(1, 2000)
      a2 \(call)
      """, heard: "a1, a2", note: "6", ksmps: ksmps)
    for channel in channels {
      // The state is within 1 / (1 - stay)² of a signal up to 1, or a few times that between two looks.
      #expect(channel.allSatisfy { abs($0) < 1e8 } && channel.contains { abs($0) > 0.1 })
      // Without a signal it dies away, 5 Hz wide by 136 dB a second.
      let end = channel.suffix(4_800).map(abs).max()!
      #expect(end < 1e-3 * channel[48_000..<96_000].map(abs).max()!)
    }
  }

  @Test("Held at 0, they let through what they do not filter", arguments: [1, 8])
  func held(ksmps: Int) throws {
    let channels = try performNote(
      """
      asignal rand 1, 0.3, 1
      a1 BUTTERHP asignal, 0
      a2 BUTTERBP asignal, 500, 0
      a3 BUTTERBR asignal, 500, upsamp(k(0))
      """, heard: "asignal, a1, a2, a3", note: "0.01", ksmps: ksmps)
    let isThrough = channels[1] == channels[0] && channels[3] == channels[0]
    #expect(isThrough && channels[0].contains { $0 != 0 })
    #expect(channels[2].allSatisfy { $0 == 0 })
  }

  @Test(
    "At cutoff 0, below and NaN a lowpass is silent and holds its state", arguments: [1, 7, 64])
  func heldState(ksmps: Int) throws {
    let channels = try performNote(
      """
      kcycle timeinstk
      kminus init -1
      kcutoff = (kcycle == 2 ? 0 : (kcycle == 3 ? -5 : (kcycle == 4 ? log(kminus) : 300)))
      a1 BUTTERLP upsamp(k(1)), kcutoff
      a2 BUTTERLP upsamp(k(1)), upsamp(kcutoff)
      a3 BUTTERLP upsamp(k(1)), 300
      """, heard: "a1, a2, a3", note: "0.01", ksmps: ksmps)
    for channel in channels[..<2] {
      #expect(channel[ksmps..<(4 * ksmps)].allSatisfy { $0 == 0 })
      let heard = channel[..<ksmps] + channel[(4 * ksmps)..<448]
      #expect(largestDifference(heard, channels[2][..<(448 - 3 * ksmps)]) < 1e-11)
    }
  }

  @Test("NaN goes in where a filter is held, and silence comes out", arguments: [1, 16])
  func heldNaN(ksmps: Int) throws {
    let channels = try performNote(
      """
      anan = 0 / upsamp(k(0))
      a1 BUTTERLP anan, upsamp(k(0))
      a2 BUTTERBP anan, 500, upsamp(k(0))
      a3 BUTTERBP anan, 500, 0
      """, heard: "a1, a2, a3, anan", note: "0.01", ksmps: ksmps)
    #expect(channels[..<3].allSatisfy { $0.allSatisfy { $0 == 0 } } && channels[3][0].isNaN)
  }

  @Test(
    "A control that moves where nothing changes is one that stands still",
    arguments: [
      "BUTTERLP asignal, X(700)", "BUTTERHP asignal, X(700)", "BUTTERBP asignal, X(700), X(300)",
      "BUTTERBR asignal, 700, X(300)", "RESON asignal, X(700), X(300), 2",
    ])
  func standing(_ call: String) throws {
    let moving = call.replacing("X(", with: "upsamp(")
    let still = call.replacing("X(", with: "k(")
    let channels = try performNote(
      """
      asignal rand 1, 0.3, 1
      a1 \(still)
      a2 \(moving)
      """, heard: "a1, a2", note: "0.02", ksmps: 27)
    let peak = channels[0].reduce(0) { max($0, abs($1)) }
    #expect(peak > 0.01 && zip(channels[0], channels[1]).allSatisfy { abs($0 - $1) < 1e-11 * peak })
  }

  @Test("A frame whose control is 0 is held between others that are not", arguments: [1, 32])
  func heldFrames(ksmps: Int) throws {
    let channels = try performNote(
      """
      asignal rand 1, 0.3, 1
      aphase phasor sr/4
      agate = ceil(aphase - 0.1)
      a1 BUTTERLP asignal, agate * 700
      a2 BUTTERHP asignal, agate * 700
      a3 BUTTERBR asignal, 500, agate * 300
      """, heard: "asignal, a1, a2, a3, agate", note: "0.02", ksmps: ksmps)
    let held = channels[4].indices.filter { channels[4][$0] == 0 && channels[0][$0] != 0 }
    #expect(held.count > 100 && held.count < channels[4].count / 3)
    for frame in held {
      #expect(channels[1][frame] == 0)
      #expect(channels[2][frame] == channels[0][frame])
      #expect(channels[3][frame] == channels[0][frame])
    }
    let open = channels[4].indices.filter { channels[4][$0] != 0 }
    #expect(open.contains { channels[1][$0] != 0 && channels[2][$0] != channels[0][$0] })
  }

  @Test("A constant goes away as igain says", arguments: [1, 7, 64])
  func constant(ksmps: Int) throws {
    let channels = try performNote(
      """
      aone linseg 1, 1, 1
      a1 DCBLOCK aone
      a2 DCBLOCK aone, -0.5
      """, heard: "a1, a2", note: "0.01", ksmps: ksmps)
    for frame in 0..<448 {
      #expect(abs(channels[0][frame] - pow(0.99, Double(frame))) < 1e-12)
      #expect(abs(channels[1][frame] - pow(-0.5, Double(frame))) < 1e-12)
    }
  }
}
