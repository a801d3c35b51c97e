import Foundation
import HarnessBase
import Testing

@Suite("Comparing two sounds")
struct ComparisonTests {
  /// Seeded noise in so many channels.
  func noise(channels: Int = 1, frames: Int = 4800) -> Sound {
    var generator = SeededGenerator(seed: 7)
    return Sound(
      sampleRate: 48_000, channelCount: channels,
      samples: (0..<channels * frames).map { _ in Double.random(in: -1...1, using: &generator) })
  }

  @Test("Identical sounds have a null depth of minus infinity")
  func identical() {
    let comparison = Comparison(subject: noise(), rival: noise(), tolerance: -100)
    #expect(comparison.verdict == .passed)
    #expect(comparison.nullDepth == -.infinity)
    #expect(comparison.peakError == -.infinity)
  }

  @Test("A gain error of 1 + e nulls to 20 log10 e", arguments: [1e-2, 1e-4, 1e-6])
  func gain(error: Double) {
    var subject = noise()
    for index in subject.samples.indices { subject.samples[index] *= 1 + error }
    let comparison = Comparison(subject: subject, rival: noise(), tolerance: -100)
    #expect(abs(comparison.nullDepth - 20 * log10(error)) < 1e-6)
    #expect(comparison.verdict == (error < 1e-5 ? .passed : .exceedsTolerance))
  }

  @Test(
    "The largest difference is found with channel, frame and both values, in the last frame too",
    arguments: [1234, 4799])
  func worst(frame: Int) {
    var subject = noise(channels: 2)
    let rival = noise(channels: 2)
    subject.samples[2 * frame + 1] += 0.5
    let comparison = Comparison(subject: subject, rival: rival, tolerance: -100)
    #expect(comparison.verdict == .exceedsTolerance)
    #expect(comparison.worst.channel == 2)
    #expect(comparison.worst.frame == frame)
    #expect(comparison.worst.rival == rival.samples[2 * frame + 1])
    #expect(abs(comparison.peakError - 20 * log10(0.5)) < 1e-9)
  }

  @Test(
    "A quiet channel that is wrong is not hidden by a loud one that is right", arguments: [0, 1])
  func quietChannel(channel: Int) {
    var rival = noise(channels: 2)
    for frame in 0..<rival.frameCount { rival.samples[2 * frame + channel] *= 1e-6 }
    var subject = rival
    for frame in 0..<rival.frameCount { subject.samples[2 * frame + channel] = 0 }
    let comparison = Comparison(subject: subject, rival: rival, tolerance: -100)
    #expect(comparison.nullDepth == 0)
    #expect(comparison.verdict == .exceedsTolerance)
  }

  @Test(
    "NaN and infinity never pass, in either sound", arguments: [Double.nan, .infinity], [99, 4799])
  func notFinite(value: Double, frame: Int) {
    var bad = noise()
    bad.samples[frame] = value
    for (subject, rival) in [(bad, noise()), (noise(), bad), (bad, bad)] {
      let comparison = Comparison(subject: subject, rival: rival, tolerance: -100)
      #expect(comparison.verdict == .notFinite)
      #expect(comparison.worst.frame == frame)
    }
  }

  @Test(
    "Sounds whose squares leave the range of numbers are still told apart",
    arguments: [1e200, 1e-200])
  func extremeLevels(level: Double) {
    var rival = noise()
    for index in rival.samples.indices { rival.samples[index] *= level }
    var subject = rival
    for index in subject.samples.indices { subject.samples[index] *= -2 }
    let wrong = Comparison(subject: subject, rival: rival, tolerance: -100)
    #expect(abs(wrong.nullDepth - 20 * log10(3)) < 1e-9)
    #expect(wrong.verdict == .exceedsTolerance)
    #expect(Comparison(subject: rival, rival: rival, tolerance: -100).verdict == .passed)
  }

  @Test("A different length never passes")
  func length() {
    var short = noise()
    short.samples.removeLast()
    let comparison = Comparison(subject: short, rival: noise(), tolerance: -100)
    #expect(comparison.verdict == .differentShape)
  }

  @Test("Agreeing with a silent rival is no pass, nor is sounding beside one")
  func silence() {
    var silent = noise()
    for index in silent.samples.indices { silent.samples[index] = 0 }
    #expect(
      Comparison(subject: silent, rival: silent, tolerance: -100).verdict == .rivalSilent)
    #expect(
      Comparison(subject: noise(), rival: silent, tolerance: -100).verdict == .rivalSilent)
  }
}
