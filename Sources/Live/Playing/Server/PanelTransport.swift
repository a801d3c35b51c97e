public import HarnessBase

/// Recording and pausing of a piece that plays, for pages and OSC. The functions are called on a thread that may wait.
public protocol PanelTransport: Sendable {
  var state: TransportState { get }
  /// Begins to record, or ends the recording.
  func record(_ isOn: Bool) throws(Failure)
  /// Fades out and pauses the piece where it is, or continues it.
  func pause(_ isOn: Bool)
  /// Writes what the piece did in the last seconds beside it, and returns the path of the trace.
  func trace() throws(Failure) -> String
}

/// What is recorded, and whether the piece is paused.
public struct TransportState: Sendable, Equatable {
  /// A recording in progress.
  public struct Recording: Sendable, Equatable {
    /// The name of the file, without its directory.
    public var name: String
    public var begin: ContinuousClock.Instant
    /// Whether it records the whole performance, so that nobody can end it.
    public var isWhole: Bool

    public init(_ name: String, begin: ContinuousClock.Instant = .now, isWhole: Bool = false) {
      (self.name, self.begin, self.isWhole) = (name, begin, isWhole)
    }
  }

  public var recording: Recording?
  /// The path of the last recording that has ended, which pages can download; nil if there is none.
  public var take: String?
  public var isPaused: Bool

  public init(recording: Recording? = nil, isPaused: Bool = false) {
    (self.recording, self.isPaused) = (recording, isPaused)
  }
}
