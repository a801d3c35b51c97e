import Foundation
import HarnessBase
import Testing
import Validating

@Suite("Comparing a render with its reference")
struct GoldenTests {
  /// Seeded noise of half a second at 48 kHz in two channels, different ones.
  let expected: Sound = {
    var generator = SeededGenerator(seed: 11)
    return Sound(
      sampleRate: 48_000, channelCount: 2,
      samples: (0..<48_000).map { _ in Double.random(in: -0.5...0.5, using: &generator) })
  }()

  func compare(
    _ actual: Sound, _ limits: GoldenRecording.Limits = .init()
  ) throws -> GoldenComparison {
    try GoldenComparison(actual: actual, expected: expected, limits: limits)
  }

  func kinds(_ comparison: GoldenComparison) -> [GoldenComparison.Deviation.Kind] {
    comparison.deviations.map(\.kind)
  }

  /// The reference with each sample made anew from frame and channel.
  func changed(_ sample: (_ frame: Int, _ channel: Int) -> Double) -> Sound {
    var sound = expected
    for index in sound.samples.indices { sound.samples[index] = sample(index / 2, index % 2) }
    return sound
  }

  func original(_ frame: Int, _ channel: Int) -> Double {
    frame < 0 ? 0 : expected.samples[2 * frame + channel]
  }

  @Test("The same sound passes, identical")
  func same() throws {
    let comparison = try compare(expected)
    #expect(comparison.passed)
    #expect(comparison.difference == -.infinity && comparison.spectralDistance == 0)
    #expect(comparison.firstBad == nil)
  }

  @Test(
    "A gain of g dB has the spectral distance g and differs by 20 lg (10^(g/20) - 1)",
    arguments: [0.05, 0.2, -0.2, 3])
  func gain(decibels: Double) throws {
    let factor = pow(10, decibels / 20)
    let comparison = try compare(changed { original($0, $1) * factor })
    #expect(abs(comparison.difference - 20 * log10(abs(factor - 1))) < 1e-9)
    #expect(abs(comparison.spectralDistance - abs(decibels)) < 1e-3)
    let isSpectral = abs(decibels) > 0.1
    #expect(kinds(comparison) == (isSpectral ? [.difference, .spectrum] : [.difference]))
    #expect(comparison.firstBad?.sample == 0)
  }

  @Test("What is 95 dB below passes by default, what is 85 dB below does not")
  func tolerance() throws {
    for (level, passes) in [(-95.0, true), (-85, false)] {
      let error = pow(10, level / 20)
      let comparison = try compare(changed { original($0, $1) * (1 + error) })
      #expect(comparison.passed == passes)
    }
  }

  @Test("The first bad sample has its channel, its time and both values")
  func firstBad() throws {
    let comparison = try compare(changed { original($0, $1) + ($0 >= 7000 && $1 == 1 ? 0.1 : 0) })
    let point = try #require(comparison.firstBad)
    #expect(point.channel == 2 && point.sample == 7000)
    #expect(point.seconds == 7000 / 48_000.0)
    #expect(point.expected == original(7000, 1) && point.actual == original(7000, 1) + 0.1)
    #expect(comparison.worstChannel == 1)
    #expect(abs(comparison.peakError + 20) < 1e-9)
  }

  @Test("A different length fails, and where it is only that, says where the shorter one ends")
  func length() throws {
    var short = expected
    short.samples.removeLast(2)
    let comparison = try compare(short)
    #expect(kinds(comparison) == [.length])
    #expect(comparison.firstBad?.sample == 23_999 && comparison.firstBad?.actual == nil)
    #expect(comparison.difference == -.infinity)
    var long = expected
    long.samples += [0, 0]
    #expect(try kinds(compare(long)) == [.length])
    #expect(try compare(Sound(sampleRate: 48_000, channelCount: 2)).passed == false)
  }

  @Test("Swapped channels, a missing channel and another sample rate fail")
  func shape() throws {
    #expect(try kinds(compare(changed { original($0, 1 - $1) })).contains(.difference))
    let mono = Sound(sampleRate: 48_000, channelCount: 1, samples: expected.samples)
    #expect(try kinds(compare(mono)) == [.channels])
    var faster = expected
    faster.sampleRate = 44_100
    #expect(try kinds(compare(faster)) == [.sampleRate])
  }

  @Test("One sample of delay fails on the difference; the spectrum stays")
  func shift() throws {
    let comparison = try compare(changed { original($0 - 1, $1) })
    #expect(kinds(comparison).contains(.difference))
    #expect(comparison.difference > 0)
  }

  @Test("An inverted sound has the same spectrum and differs by 6.02 dB")
  func inverted() throws {
    let comparison = try compare(changed { -original($0, $1) })
    #expect(kinds(comparison) == [.difference])
    #expect(comparison.spectralDistance == 0)
    #expect(abs(comparison.difference - 20 * log10(2)) < 1e-9)
  }

  @Test(
    "A single NaN or infinity fails, and is the first bad sample",
    arguments: [Double.nan, .infinity])
  func notFinite(value: Double) throws {
    let comparison = try compare(changed { $0 == 99 && $1 == 1 ? value : original($0, $1) })
    #expect(kinds(comparison) == [.notFinite])
    #expect(comparison.firstBad?.sample == 99 && comparison.firstBad?.channel == 2)
  }

  @Test("Silence fails, even where the reference is silent too, unless it is declared")
  func silence() throws {
    let silent = changed { _, _ in 0 }
    #expect(try kinds(compare(silent)).contains(.silent))
    let both = try GoldenComparison(actual: silent, expected: silent, limits: .init())
    #expect(kinds(both) == [.silent, .silent])
    var limits = GoldenRecording.Limits()
    limits.maySilent = true
    #expect(try GoldenComparison(actual: silent, expected: silent, limits: limits).passed)
    #expect(
      try GoldenComparison(actual: expected, expected: silent, limits: limits).passed == false)
    #expect(try compare(silent, limits).passed == false)
  }

  @Test("A spectral limit guards where the waveform may differ")
  func spectrumOnly() throws {
    var limits = GoldenRecording.Limits()
    limits.tolerance = 40
    #expect(try compare(changed { -original($0, $1) }, limits).passed)
    for channel in 0...1 {
      let louder = changed { original($0, $1) * ($1 == channel ? 1.03 : 1) }
      #expect(try kinds(compare(louder, limits)) == [.spectrum])
    }
  }
}
