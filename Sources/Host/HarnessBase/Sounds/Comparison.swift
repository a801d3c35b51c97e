import Foundation

/// How close a subject's sound is to its rival's.
public struct Comparison: Codable, Equatable, Sendable {
  public enum Verdict: String, Codable, Sendable {
    case passed
    /// The null depth is greater than the tolerance.
    case exceedsTolerance
    /// The subject or the rival put out NaN or infinity.
    case notFinite
    /// The two sounds differ in length or channels.
    case differentShape
    /// The rival is silent, so agreeing with it shows nothing.
    case rivalSilent
  }

  /// One sample of both sounds.
  public struct Point: Codable, Equatable, Sendable {
    /// Counted from 1, as Csound does.
    public var channel: Int
    /// Counted from 0.
    public var frame: Int
    public var subject: Double
    public var rival: Double
  }

  public var verdict: Verdict
  /// The energy of the difference divided by the energy of the rival, in the worst channel, in dB.
  /// Lower is closer; −∞ is identical.
  public var nullDepth: Double
  /// Largest difference, dBFS; −∞ is identical.
  public var peakError: Double
  /// The sample with the largest difference, or the first sample that is not finite.
  public var worst: Point

  /// Compares two sounds; `tolerance` is the largest null depth that passes, dB.
  public init(subject: Sound, rival: Sound, tolerance: Double) {
    nullDepth = -.infinity
    worst = Point(channel: 1, frame: 0, subject: 0, rival: 0)
    peakError = -.infinity
    verdict = .passed
    guard subject.channelCount == rival.channelCount, subject.frameCount == rival.frameCount else {
      verdict = .differentShape
      nullDepth = .infinity
      peakError = .infinity
      return
    }
    // Without scaling, squares of very large or very small samples would overflow or underflow.
    let peak = zip(subject.samples, rival.samples).reduce(0) { max($0, abs($1.0), abs($1.1)) }
    let scale = peak > 1e100 || (peak > 0 && peak < 1e-100) ? 1 / max(peak, 1e-300) : 1
    var peakDifference = 0.0
    var rivalIsSilent = true
    for channel in 0..<rival.channelCount {
      var differenceEnergy = 0.0
      var rivalEnergy = 0.0
      for frame in 0..<rival.frameCount {
        let index = frame * rival.channelCount + channel
        let point = Point(
          channel: channel + 1, frame: frame, subject: subject.samples[index],
          rival: rival.samples[index])
        guard point.subject.isFinite, point.rival.isFinite else {
          verdict = .notFinite
          nullDepth = .infinity
          peakError = .infinity
          worst = point
          return
        }
        let difference = abs(point.subject - point.rival)
        differenceEnergy += (scale * difference) * (scale * difference)
        rivalEnergy += (scale * point.rival) * (scale * point.rival)
        if difference > peakDifference {
          peakDifference = difference
          worst = point
        }
      }
      rivalIsSilent = rivalIsSilent && rivalEnergy == 0
      let depth = differenceEnergy == 0 ? -.infinity : 10 * log10(differenceEnergy / rivalEnergy)
      nullDepth = max(nullDepth, depth)
    }
    peakError = 20 * log10(peakDifference)
    if rivalIsSilent {
      verdict = .rivalSilent
    } else if !(nullDepth <= tolerance) {
      verdict = .exceedsTolerance
    }
  }
}
