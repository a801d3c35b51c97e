import CRealtime
import CsoundLive

/// Converts OSC's time tags to times of the monotonic clock and to frames of a piece.
///
/// Both relations are measured with some jitter, so they are kept as long as measurements agree with them: two time tags
/// are then apart by the same number of frames, whenever they arrive.
struct OscClock {
  private let performance: Performance
  /// Nanoseconds from the monotonic clock to the clock of the day.
  private var offset: Int?
  /// A time of the monotonic clock, in nanoseconds, and the frame that belongs to it.
  private var origin: (time: Int, frame: Int)?
  /// By how many frames later measurements are above the frames that follow from `origin`, as a mean.
  private var drift = 0.0

  init(_ performance: Performance) { self.performance = performance }

  /// Seconds from 1900, where time tags begin, to 1970.
  private static let epoch = 2_208_988_800
  /// Disagreements up to these are jitter: of the clocks in nanoseconds, and of frames in seconds.
  private static let jitter = (clocks: 500_000, frames: 0.0005)

  /// The time of the monotonic clock, in nanoseconds, for a time tag; about now for the tag "at once".
  mutating func time(of tag: UInt64) -> Int {
    guard tag != OscMessage.now else { return Int(realtime_now()) }
    let before = Int(realtime_now())
    var day = timespec()
    clock_gettime(CLOCK_REALTIME, &day)
    let measured = day.tv_sec * 1_000_000_000 + day.tv_nsec - (before + Int(realtime_now())) / 2
    if offset.map({ abs(measured - $0) > Self.jitter.clocks }) ?? true { offset = measured }
    let seconds = Int(tag >> 32) - Self.epoch
    let nanoseconds = Int(((tag & 0xFFFF_FFFF) * 1_000_000_000 + 1 << 31) >> 32)
    return seconds * 1_000_000_000 + nanoseconds - offset!
  }

  /// The frame of the piece for a time of the monotonic clock.
  mutating func frame(at time: Int) -> Int {
    let now = Int(realtime_now())
    let measured = performance.frame(at: now)
    guard let format = performance.format else { return measured }
    let perNanosecond = format.sampleRate * 1e-9
    func follows(_ time: Int, _ origin: (time: Int, frame: Int)) -> Int {
      origin.frame + Int((Double(time - origin.time) * perNanosecond).rounded())
    }
    let error = origin.map { Double(measured - follows(now, $0)) } ?? .infinity
    // An xrun, a pause or a suspend of the computer moves the piece against the clock by more than a period.
    if abs(error) > 2 * Double(format.period) + 0.02 * format.sampleRate {
      (origin, drift) = ((now, measured), 0)
    } else {
      drift += (error - drift) / 16
      if abs(drift) > Self.jitter.frames * format.sampleRate { origin!.frame += drift > 0 ? 1 : -1 }
    }
    return follows(time, origin!)
  }
}
