import HarnessBase

/// What a listener is told about a performance: one notice at a time, in order, never on the audio thread.
public enum Notice: Sendable {
  /// The performance has started, in this format.
  case started(Format)
  /// Csound has printed a message.
  case message(CsoundMessage)
  /// The number of xruns since the last notice: the device ran out of sound, or was suspended and lost what it had.
  case xruns(Int)
  /// A new version of the piece has taken over.
  case replaced
  /// The performance has ended and everything is closed; this notice comes after `failed` and `unplugged` too. The
  /// listener may play it again at once.
  case ended(LoopEnding, Failure?)
}

/// How a performance runs.
public struct Format: Sendable, Equatable {
  public var sampleRate: Double
  /// The sample rate that the orchestra asks for, in Hz, if the device has another; otherwise nil.
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
  /// Why real-time priority was refused; nil if it was granted or not asked for.
  public var priorityRefusal: String?
}

/// The position, load and levels of a performance.
public struct Status: Sendable, Equatable {
  /// Seconds of sound handed to the device.
  public var seconds: Double
  /// The position in the piece in seconds, which stands still in a pause.
  public var position: Double
  public var isPaused: Bool
  public var xruns: Int
  /// The computing time of the worst period since the last look, as a fraction of the period's duration. Above 1 the
  /// deadline was missed.
  public var load: Double
  /// The same for the worst period of the whole performance.
  public var worstLoad: Double
  /// The same as a mean over the whole performance.
  public var meanLoad: Double
  /// Periods whose computing took longer than they last.
  public var latePeriods: Int
  /// The largest absolute sample of each channel since the last look, full scale at 1.
  public var peaks: [Double]
  /// Samples beyond full scale.
  public var clipped: Int
  /// Samples that were infinite or NaN and were replaced by 0.
  public var notFinite: Int
  /// Events that came after their time, and were played at once.
  public var lateEvents: Int
  /// Messages of MIDI out that were not sent: the receiver took no more, or their data were no MIDI.
  public var unsentMIDI: Int
}
