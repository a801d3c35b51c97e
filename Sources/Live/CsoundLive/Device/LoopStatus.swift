import Synchronization

/// How an audio loop ended.
public enum LoopEnding: Int32, Sendable {
  /// It goes on.
  case none
  /// The piece came to its end.
  case finished
  /// It was stopped.
  case stopped
  /// The device was unplugged.
  case unplugged
  /// The device no longer answers, or with an error.
  case failed
}

/// What the audio thread tells all others. Each value has one writer.
struct LoopStatus: ~Copyable {
  /// Frames handed to the device since the beginning.
  let frames = Atomic<Int>(0)
  let xruns = Atomic<Int>(0)
  /// Nanoseconds: spent computing, in the worst period since somebody looked, and in the worst of all.
  let busy = Atomic<Int>(0)
  let worst = Atomic<Int>(0)
  let worstEver = Atomic<Int>(0)
  /// Periods whose computing took longer than they last.
  let late = Atomic<Int>(0)
  /// Samples beyond full scale, and samples that were no numbers and became 0.
  let clipped = Atomic<Int>(0)
  let notFinite = Atomic<Int>(0)
  /// Periods of the recording for which there was no room.
  let unrecorded = Atomic<Int>(0)
  /// Commands that have been taken.
  let commands = Atomic<Int>(0)
  let isPaused = Atomic<Bool>(false)
  /// When the last period was begun, and the frame of the engine it begins with; read as `anchor`.
  private let sequence = Atomic<Int>(0)
  private let time = Atomic<Int>(0)
  private let frame = Atomic<Int>(0)
  let ending = Atomic<Int32>(0)
  /// The errno of a failure.
  let error = Atomic<Int32>(0)
  /// Largest samples since somebody looked, a value for each channel.
  let peaks: UnsafeMutablePointer<Atomic<Double>>
  let channels: Int
  let trace = OutputTrace()

  init(channels: Int) {
    self.channels = channels
    peaks = .allocate(capacity: channels)
    for channel in 0..<channels { (peaks + channel).initialize(to: Atomic(0)) }
  }

  deinit {
    peaks.deinitialize(count: channels)
    peaks.deallocate()
  }

  @inline(__always) func setAnchor(time now: Int, frame position: Int) {
    sequence.wrappingAdd(1, ordering: .acquiringAndReleasing)
    time.store(now, ordering: .releasing)
    frame.store(position, ordering: .releasing)
    sequence.wrappingAdd(1, ordering: .releasing)
  }

  var anchor: (time: Int, frame: Int) {
    while true {
      let before = sequence.load(ordering: .acquiring)
      let result = (time: time.load(ordering: .acquiring), frame: frame.load(ordering: .acquiring))
      if before % 2 == 0, sequence.load(ordering: .acquiring) == before { return result }
    }
  }
}
