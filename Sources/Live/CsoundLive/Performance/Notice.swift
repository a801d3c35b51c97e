import HarnessBase

/// What a listener hears of a performance, one notice after the other, never on the audio thread.
public enum Notice: Sendable {
  /// It plays, in this way.
  case started(Format)
  /// Csound said something.
  case message(CsoundMessage)
  /// The device ran out of sound so many times since the last notice; or it was suspended and lost what it had.
  case xruns(Int)
  /// A new version of the piece has taken over.
  case replaced
  /// It has come to an end and everything is closed, after `failed` and `unplugged` too. The listener may play it
  /// again at once.
  case ended(LoopEnding, Failure?)
}

/// How a performance runs.
public struct Format: Sendable, Equatable {
  public var sampleRate: Double
  /// The sample rate the orchestra asks for, where the device has another.
  public var otherSampleRate: Double?
  public var ksmps: Int
  public var channels: Int
  public var inputChannels: Int
  /// The device's sample format, nil without one.
  public var sampleFormat: SampleFormat?
  public var period: Int
  /// Frames of the device's buffer; 0 without one.
  public var buffer: Int
  /// Frames from the input to the output; nil without an input.
  public var roundTrip: Int?
  /// Why there is no real-time priority; nil where there is.
  public var priorityRefusal: String?
}

/// Where a performance is, in numbers.
public struct Status: Sendable, Equatable {
  /// Seconds of sound handed to the device.
  public var seconds: Double
  public var isPaused: Bool
  public var xruns: Int
  /// Part of the time of a period that computing took, in the worst period since the last look and in the worst
  /// of all; 1 is a missed deadline.
  public var load: Double
  public var worstLoad: Double
  /// Mean over the whole performance.
  public var meanLoad: Double
  /// Periods whose computing took longer than they last.
  public var latePeriods: Int
  /// Largest sample of each channel since the last look, full scale at 1.
  public var peaks: [Double]
  /// Samples beyond full scale, and samples that were no numbers and were silenced.
  public var clipped: Int
  public var notFinite: Int
  /// Events that came after their time, and were played at once.
  public var lateEvents: Int
}
