/// Where and how a piece is played.
public struct Settings: Sendable {
  /// The sound device of the output.
  public enum Device: Sendable, Equatable {
    /// No device: the piece runs in real time without sound.
    case null
    /// A device by its ALSA name, such as `default` or `hw:1`.
    case named(String)

    /// `null`, or an ALSA name.
    public init(_ name: String) { self = name == "null" ? .null : .named(name) }

    /// The ALSA name; nil without a device.
    public var name: String? { if case .named(let name) = self { name } else { nil } }
  }

  public var device: Device
  /// The ALSA name of the input; nil: the orchestra's inputs are silent.
  public var input: String?
  /// Frames in a period. The device may take the nearest number it supports.
  public var period: Int
  /// Periods in the device's buffer. The device may take the nearest number it supports.
  public var periods: Int
  /// The sample rate of device and orchestra in Hz; nil: the device's rate nearest to the orchestra's.
  public var sampleRate: Int?
  /// The real-time priority to ask the system for; 0: none.
  public var priority: Int
  /// Whether MIDI goes to Csound's own MIDI opcodes.
  public var midi: Bool
  /// Where MIDI goes that Csound's opcodes send, such as `noteondur`: the path of a FIFO or a raw MIDI device, the
  /// beginning of the names of clients of ALSA's sequencer, or `all` for all hardware; nil: nowhere.
  public var midiOutput: String?
  /// The tempo of the MIDI clock that is sent to `midiOutput`; nil: none is.
  public var clock: ClockTempo?

  public init(
    device: Device = .named("default"), input: String? = nil, period: Int = 256, periods: Int = 3,
    sampleRate: Int? = nil, priority: Int = 70, midi: Bool = false,
    midiOutput: String? = nil, clock: ClockTempo? = nil
  ) {
    (self.device, self.input, self.period, self.periods) = (device, input, period, periods)
    (self.sampleRate, self.priority, self.midi) = (sampleRate, priority, midi)
    (self.midiOutput, self.clock) = (midiOutput, clock)
  }

  var midiWays: MIDIWays { MIDIWays(input: midi, output: midiOutput != nil) }
}
