import CRealtime
import Foundation
import HarnessBase
import Synchronization

/// Sends the MIDI messages of a piece, each when its frame is heard, on a thread of its own.
final class MIDIOutput: Sendable {
  /// The audio thread's side; valid after `start`.
  nonisolated(unsafe) let tape: UnsafeMutablePointer<MIDITape>
  nonisolated(unsafe) private let counters: UnsafeMutablePointer<MIDICounters>
  nonisolated(unsafe) private let target: any MIDITarget
  private let ring: Ring
  private let clock: ClockTempo?
  private let isClosing = Atomic<Bool>(false)
  private let isStarted = Atomic<Bool>(false)
  private let ended = DispatchSemaphore(value: 0)

  /// Opens a receiver. `name` is the path of a FIFO or of a device such as `/dev/snd/midiC1D0`, or the beginning of the
  /// names of clients of ALSA's sequencer, or `all`, for all hardware clients.
  init(_ name: String, clock: ClockTempo?) throws(Failure) {
    guard let ring = Ring(capacity: 1 << 18) else {
      throw .unavailable("There is no memory left for MIDI.")
    }
    (self.ring, self.clock) = (ring, clock)
    target =
      name.contains("/") || access(name, F_OK) == 0
      ? try MIDITargetFile(name) : try SequencerTarget(name)
    tape = .allocate(capacity: 1)
    counters = .allocate(capacity: 1)
    counters.initialize(to: MIDICounters())
  }

  deinit {
    tape.deallocate()
    counters.deinitialize(count: 1)
    counters.deallocate()
  }

  /// Begins to send. `priority` is the real-time priority to ask the system for; 0: none.
  func start(sampleRate: Double, priority: Int) {
    tape.initialize(to: MIDITape(ring.writer, counters, sampleRate: sampleRate))
    isStarted.store(true, ordering: .releasing)
    let thread = Thread { [self] in
      Self.blockBrokenPipes()
      if priority > 0 { _ = realtime_prioritise(CInt(priority)) }
      send(sampleRate)
      target.close()
      ended.signal()
    }
    thread.name = "csound-midi-out"
    thread.start()
  }

  /// Keeps the signal of a FIFO whose reader has gone from ending the program; writing then fails.
  private static func blockBrokenPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Ends the notes that sound, and closes. The audio thread must no longer use `tape`.
  func close() {
    guard !isClosing.exchange(true, ordering: .acquiringAndReleasing) else { return }
    guard isStarted.load(ordering: .acquiring) else { return target.close() }
    ended.wait()
  }

  /// Messages that were not sent: for want of room, and as their data were no MIDI.
  var unsent: (lost: Int, faulty: Int) {
    (
      counters.pointee.lost.load(ordering: .relaxed),
      counters.pointee.faulty.load(ordering: .relaxed)
    )
  }

  private func send(_ sampleRate: Double) {
    var reader = ring.reader
    var schedule = MIDISchedule(clock: clock.map { ClockPulses($0, sampleRate: sampleRate) })
    while !isClosing.load(ordering: .acquiring) {
      take(&reader, &schedule)
      send(schedule.messages(until: Int(realtime_now())))
      // The audio thread wakes nobody, so this looks each millisecond for what it has written: that is heard later.
      let look = Int(realtime_now()) + 1_000_000
      realtime_sleep_until(Int64(min(look, schedule.next ?? look)))
    }
    take(&reader, &schedule)
    send(schedule.end())
  }

  private func take(_ reader: inout RingReader, _ schedule: inout MIDISchedule) {
    let size = MemoryLayout<MIDIEntry>.stride
    while let entry = reader.peek(size)?.load(as: MIDIEntry.self) {
      reader.advance(size)
      schedule.take(entry)
    }
  }

  private func send(_ messages: [MIDIMessage]) {
    for message in messages where !target.write(message.bytes) {
      counters.pointee.lost.wrappingAdd(1, ordering: .relaxed)
    }
  }
}

/// Where MIDI messages go.
protocol MIDITarget: AnyObject {
  /// Writes a whole message. False if there was no room for it. What nobody receives counts as written.
  func write(_ bytes: [UInt8]) -> Bool
  func close()
}

/// A FIFO or a raw MIDI device, also one that comes later.
final class MIDITargetFile: MIDITarget {
  private let path: String
  private var descriptor: CInt = -1
  /// When opening was tried last, in nanoseconds of the monotonic clock.
  private var tried = 0

  init(_ path: String) throws(Failure) {
    self.path = path
    var status = stat()
    guard stat(path, &status) == 0 else { throw Self.failure(path) }
    guard [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT) else {
      throw .badInput(
        "'\(path)' is neither a FIFO nor a device; MIDI that is sent live goes to one of them.")
    }
    // A FIFO that nobody reads yet is opened later.
    guard open() || errno == ENXIO else { throw Self.failure(path) }
  }

  private static func failure(_ path: String) -> Failure {
    Failure(
      errno == ENOENT ? .missingInput : .unavailable,
      "MIDI cannot be sent to '\(path)': \(String(cString: strerror(errno))).")
  }

  private func open() -> Bool {
    tried = Int(realtime_now())
    descriptor = Glibc.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    return descriptor >= 0
  }

  func write(_ bytes: [UInt8]) -> Bool {
    if descriptor < 0 {
      guard Int(realtime_now()) - tried > 100_000_000, open() else { return true }
    }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
      }
      if count > 0 {
        done += count
      } else if count < 0, errno == EINTR {
        continue
      } else if count < 0, errno == EAGAIN {
        // A message is not left in part; a device takes the rest as soon as it has sent some.
        var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard done > 0, poll(&poller, 1, 100) > 0 else { return false }
      } else {
        // The reader of a FIFO has gone, or the device was unplugged.
        close()
        return true
      }
    }
    return true
  }

  func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  deinit { close() }
}
