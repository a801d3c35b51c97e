import CommandKit
import Foundation
import HarnessBase

/// The comparison of a render with its reference.
public struct GoldenComparison: Codable, Equatable, Sendable {
  /// One deviation, with a sentence about it without a full stop.
  public struct Deviation: Codable, Equatable, Sendable {
    public enum Kind: String, Codable, Sendable {
      /// The difference is greater than the tolerance; the spectral distance is greater than its
      /// limit.
      case difference, spectrum
      /// NaN or infinity.
      case notFinite
      case silent, length, channels, sampleRate
    }

    public var kind: Kind
    public var sentence: String
  }

  /// The same sample in both sounds. `expected` is nil after the end of the reference, `actual`
  /// after the end of the render.
  public struct Point: Codable, Equatable, Sendable {
    /// Counted from 1, as Csound does.
    public var channel: Int
    /// Counted from 0.
    public var sample: Int
    public var seconds: Double
    public var actual: Double?
    public var expected: Double?
  }

  /// All deviations; empty for a render that passes.
  public private(set) var deviations: [Deviation] = []
  /// The RMS of the difference divided by the RMS of the reference, in the worst channel, in dB; −∞
  /// is identical.
  public private(set) var difference = Double.infinity
  /// Largest difference, dBFS; −∞ is identical.
  public private(set) var peakError = Double.infinity
  /// The `SpectralDistance` of the worst channel, in dB.
  public private(set) var spectralDistance = Double.infinity
  /// The first sample whose difference is greater than the tolerance allows as RMS of the whole
  /// channel; without one, the first sample after the end of the shorter sound.
  public private(set) var firstBad: Point?
  /// The channel that is furthest from its reference, counted from 0.
  public private(set) var worstChannel = 0
  /// The length of the render in seconds.
  public private(set) var seconds: Double

  public var passed: Bool { deviations.isEmpty }

  /// Compares a render with its reference. If the lengths differ, the common part is compared.
  /// `isCutOff` says that the render was stopped before its end.
  public init(
    actual: Sound, expected: Sound, limits: GoldenRecording.Limits, isCutOff: Bool = false
  ) throws(Failure) {
    seconds = actual.duration
    guard actual.channelCount == expected.channelCount else {
      add(.channels, "it has \(actual.channelCount) channels instead of \(expected.channelCount)")
      return
    }
    guard actual.sampleRate == expected.sampleRate else {
      add(.sampleRate, "its sample rate is \(actual.sampleRate) Hz, not \(expected.sampleRate) Hz")
      return
    }
    if actual.frameCount != expected.frameCount {
      add(
        .length,
        "it lasts \(isCutOff ? "at least " : "")\(actual.lengthWords) instead of \(expected.lengthWords)"
      )
    }
    for (sound, name) in [(actual, "the render"), (expected, "the reference")] {
      let level = 20 * log10(sound.peak)
      guard level < GoldenRecording.Limits.silence, !limits.maySilent else { continue }
      // A sound with NaN or infinity is reported as not finite instead.
      guard sound.samples.allSatisfy(\.isFinite) else { continue }
      add(.silent, "\(name) is silent")
    }
    let shared = min(actual.frameCount, expected.frameCount)
    guard shared > 0 else { return }
    try compare(actual.prefix(frames: shared), expected.prefix(frames: shared), limits)
    if firstBad == nil, actual.frameCount != expected.frameCount {
      let index = shared * expected.channelCount
      firstBad = Point(
        channel: 1, sample: shared, seconds: Double(shared) / expected.sampleRate,
        actual: index < actual.samples.count ? actual.samples[index] : nil,
        expected: index < expected.samples.count ? expected.samples[index] : nil)
    }
  }

  private mutating func compare(
    _ actual: Sound, _ expected: Sound, _ limits: GoldenRecording.Limits
  ) throws(Failure) {
    let comparison = Comparison(subject: actual, rival: expected, tolerance: limits.tolerance)
    worstChannel = comparison.worst.channel - 1
    if comparison.verdict == .notFinite {
      let worst = comparison.worst
      firstBad = point(worst.channel - 1, worst.frame, actual, expected)
      let bad = actual.samples.count { !$0.isFinite }
      add(.notFinite, "\(bad) samples are NaN or infinite")
      return
    }
    difference = comparison.nullDepth
    peakError = comparison.peakError
    var worstFrame = 0
    spectralDistance = 0
    var spectra = try SpectralDistance()
    for channel in 0..<expected.channelCount {
      let found = spectra.distance(actual.channel(channel), expected.channel(channel))
      if found.decibels > spectralDistance {
        (spectralDistance, worstFrame) = (found.decibels, found.worstFrame)
      }
    }
    if !(difference <= limits.tolerance) {
      let amount =
        difference == .infinity
        ? "a channel sounds that is silent in the reference"
        : "it differs by \(difference.formatted(1)) dB where"
          + " \(limits.tolerance.formatted(1)) dB are allowed"
      add(.difference, amount + ", at most \(peakError.formatted(1)) dBFS in a sample")
      firstBad = firstSample(above: limits.tolerance, actual, expected)
    }
    if !(spectralDistance <= limits.spectralDistance) {
      let start = Double(worstFrame) / expected.sampleRate
      add(
        .spectrum,
        "its spectral distance is \(spectralDistance.formatted(2)) dB where"
          + " \(limits.spectralDistance.formatted(2)) dB are allowed, most at"
          + " \(start.formatted(4)) s")
    }
  }

  /// The first sample whose difference is greater than the tolerance allows as RMS of the whole
  /// channel. There is one whenever the tolerance is exceeded.
  private func firstSample(above tolerance: Double, _ actual: Sound, _ expected: Sound) -> Point? {
    let channels = expected.channelCount
    let limits = (0..<channels).map { channel in
      let samples = expected.channel(channel)
      let energy = samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
      return energy.squareRoot() * pow(10, tolerance / 20)
    }
    for index in expected.samples.indices {
      let (frame, channel) = index.quotientAndRemainder(dividingBy: channels)
      if abs(actual.samples[index] - expected.samples[index]) > limits[channel] {
        return point(channel, frame, actual, expected)
      }
    }
    return nil
  }

  private func point(_ channel: Int, _ frame: Int, _ actual: Sound, _ expected: Sound) -> Point {
    let index = frame * expected.channelCount + channel
    return Point(
      channel: channel + 1, sample: frame, seconds: Double(frame) / expected.sampleRate,
      actual: actual.samples[index], expected: expected.samples[index])
  }

  private mutating func add(_ kind: Deviation.Kind, _ sentence: String) {
    deviations.append(Deviation(kind: kind, sentence: sentence))
  }
}

extension Sound {
  fileprivate var lengthWords: String { "\(duration.formatted(4)) s (\(frameCount) samples)" }
}
