import CRealtime
import Foundation
public import HarnessBase
import Synchronization

/// A source of MIDI messages: a keyboard, another program, a FIFO or a raw device.
///
/// The port reads it on a thread of its own, which calls `deliver` with each whole message and the time it arrived, in
/// nanoseconds of the monotonic clock. If the source goes away, the port ends all notes and waits for it to come back.
public final class MIDIPort: Sendable {
  public typealias Delivery = @Sendable (_ message: MIDIMessage, _ time: Int) -> Void

  private let isClosing = Atomic<Bool>(false)
  private let ended = DispatchSemaphore(value: 0)

  /// Opens a source. `name` is the path of a FIFO or of a device such as `/dev/snd/midiC1D0`; or it is the beginning of
  /// the names of clients of ALSA's sequencer; or it is `all`, for all hardware clients.
  public init(_ name: String, deliver: @escaping Delivery) throws(Failure) {
    let source: any MIDIBytes =
      name.contains("/") || access(name, F_OK) == 0 ? try MIDIFile(name) : try SequencerSource(name)
    nonisolated(unsafe) let bytes = source
    let thread = Thread { [self] in
      read(bytes, deliver)
      bytes.close()
      ended.signal()
    }
    thread.name = "csound-midi"
    thread.start()
  }

  /// Ends all notes and closes the source; nothing is delivered afterwards.
  public func close() {
    isClosing.store(true, ordering: .releasing)
    ended.wait()
    ended.signal()
  }

  private func read(_ source: any MIDIBytes, _ deliver: Delivery) {
    var parser = MIDIParser()
    while !isClosing.load(ordering: .acquiring) {
      switch source.read(waiting: 20) {
      case .bytes(let bytes):
        let now = Int(realtime_now())
        for byte in bytes { if let message = parser.take(byte) { deliver(message, now) } }
      case .nothing: break
      case .lost:
        parser = MIDIParser()
        Self.endNotes(deliver)
      }
    }
    Self.endNotes(deliver)
  }

  /// Delivers hold pedal up and all notes off on all 16 channels.
  private static func endNotes(_ deliver: Delivery) {
    let now = Int(realtime_now())
    for channel in 1...16 {
      deliver(.controller(64, 0, channel: channel), now)
      deliver(.controller(123, 0, channel: channel), now)
    }
  }
}

/// The result of reading a source of bytes.
enum MIDIReading {
  case bytes([UInt8])
  case nothing
  /// The sender has gone.
  case lost
}

/// Where MIDI bytes come from.
protocol MIDIBytes: AnyObject {
  func read(waiting milliseconds: CInt) -> MIDIReading
  func close()
}

/// A FIFO or a raw MIDI device.
final class MIDIFile: MIDIBytes {
  private let path: String
  private var descriptor: CInt

  init(_ path: String) throws(Failure) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(
        errno == ENOENT ? .missingInput : .unavailable,
        "MIDI cannot be read from '\(path)': \(String(cString: strerror(errno))).")
    }
    var status = stat()
    fstat(descriptor, &status)
    guard [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT) else {
      Glibc.close(descriptor)
      throw .badInput(
        "'\(path)' is neither a FIFO nor a device; MIDI that is played live comes from one of them."
      )
    }
  }

  func read(waiting milliseconds: CInt) -> MIDIReading {
    if descriptor < 0 {
      usleep(UInt32(milliseconds) * 1000)
      descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
      return .nothing
    }
    var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, milliseconds) > 0 else { return isGone ? lose() : .nothing }
    var buffer = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(descriptor, &buffer, buffer.count)
    if count > 0 { return .bytes(Array(buffer[..<count])) }
    if count < 0, errno == EAGAIN || errno == EINTR { return .nothing }
    // The last writer has closed a FIFO, or the device was unplugged.
    return lose()
  }

  /// Whether the path now belongs to another file or to none, so that what is written to it does not arrive here.
  private var isGone: Bool {
    var (here, there) = (stat(), stat())
    return fstat(descriptor, &here) != 0 || stat(path, &there) != 0 || here.st_ino != there.st_ino
      || here.st_dev != there.st_dev
  }

  private func lose() -> MIDIReading {
    Glibc.close(descriptor)
    descriptor = -1
    return .lost
  }

  func close() { if descriptor >= 0 { Glibc.close(descriptor) } }
}
