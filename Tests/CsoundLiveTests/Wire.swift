import CsoundLive
import Foundation
import Synchronization
import TestSupport

/// The reading end of a FIFO that a performance sends MIDI to.
final class Wire: Sendable {
  let path: String
  private let heard = Mutex<[MIDIMessage]>([])
  private let isOpen = Mutex(true)
  private let ended = DispatchSemaphore(value: 0)

  /// Reads the FIFO, which is made unless it is there.
  init(_ path: String = Rig.file()) {
    self.path = path
    mkfifo(path, 0o600)
    let file = open(path, O_RDONLY | O_NONBLOCK)
    Thread { [self] in
      var parser = MIDIParser()
      var buffer = [UInt8](repeating: 0, count: 4096)
      while isOpen.withLock({ $0 }) {
        let count = read(file, &buffer, buffer.count)
        if count <= 0 { usleep(1000) }
        for byte in buffer.prefix(max(0, count)) {
          if let message = parser.take(byte) { heard.withLock { $0.append(message) } }
        }
      }
      Glibc.close(file)
      ended.signal()
    }.start()
  }

  /// The messages so far.
  var messages: [[UInt8]] { heard.withLock { $0.map(\.bytes) } }

  func hears(_ bytes: [UInt8]) -> Bool { waits { messages.contains(bytes) } }

  func close() {
    isOpen.withLock { $0 = false }
    ended.wait()
  }
}
