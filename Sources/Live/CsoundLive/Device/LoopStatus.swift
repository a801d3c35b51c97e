import CFlight
import Glibc
import Synchronization

/// How an audio loop ended.
public enum LoopEnding: Int32, Sendable {
  /// It still runs.
  case none
  /// The piece came to its end.
  case finished
  /// It was stopped.
  case stopped
  /// The device was unplugged.
  case unplugged
  /// The device no longer answers, or reports an error.
  case failed
}

/// What the audio thread reports to other threads. Only `worst` and `peaks` are also written by others, who reset them.
struct LoopStatus: ~Copyable {
  /// Frames handed to the device since the beginning.
  let frames = Atomic<Int>(0)
  let xruns = Atomic<Int>(0)
  /// Nanoseconds spent computing so far.
  let busy = Atomic<Int>(0)
  /// Nanoseconds that the worst period since the last look took.
  let worst = Atomic<Int>(0)
  /// Nanoseconds that the worst period of all took.
  let worstEver = Atomic<Int>(0)
  /// Periods whose computing took longer than they last.
  let late = Atomic<Int>(0)
  /// Samples beyond full scale.
  let clipped = Atomic<Int>(0)
  /// Samples that were infinite or NaN and became 0.
  let notFinite = Atomic<Int>(0)
  /// Periods that the recording lacks, as its ring was full.
  let unrecorded = Atomic<Int>(0)
  /// Commands that have been taken.
  let commands = Atomic<Int>(0)
  /// Whether the piece stands still: true from the first period that begins and ends at one frame.
  let isPaused = Atomic<Bool>(false)
  /// When the last period was begun, in nanoseconds of the monotonic clock, and the engine's frame that it begins with;
  /// read as `anchor`. `sequence` is odd while they are written.
  private let sequence = Atomic<Int>(0)
  private let time = Atomic<Int>(0)
  private let frame = Atomic<Int>(0)
  let ending = Atomic<Int32>(0)
  /// The errno of a failure.
  let error = Atomic<Int32>(0)
  /// The largest absolute sample of each channel since the last look, full scale at 1.
  let peaks: UnsafeMutablePointer<Atomic<Double>>
  let channels: Int
  let trace = OutputTrace()
  /// What the last periods took.
  let tape: UnsafeMutablePointer<flight_tape>

  init(channels: Int) {
    self.channels = channels
    tape = .allocate(capacity: 1)
    // Writes all of it, so that no page is missing later.
    memset(tape, 0, MemoryLayout<flight_tape>.size)
    peaks = .allocate(capacity: channels)
    for channel in 0..<channels { (peaks + channel).initialize(to: Atomic(0)) }
  }

  deinit {
    tape.deallocate()
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
