import CsoundLive
import Foundation
import HarnessBase
import Synchronization
import Testing

@Suite("Timing")
struct TimingTests {
  @Test("A ring gives back what was written, whatever the lengths, between two threads")
  func ring() throws {
    let ring = try #require(Ring(capacity: 5000))
    #expect(ring.capacity == 8192)
    let total = 3_000_000
    nonisolated(unsafe) var writer = ring.writer
    let thread = Thread {
      var generator = SeededGenerator(seed: 1)
      var block = [UInt8](repeating: 0, count: 4000)
      var sent = 0
      while sent < total {
        let length = min(Int.random(in: 1...4000, using: &generator), total - sent)
        for index in 0..<length { block[index] = UInt8(truncatingIfNeeded: (sent + index) &* 31) }
        while !writer.write(block, length) { sched_yield() }
        sent += length
      }
    }
    thread.start()
    var generator = SeededGenerator(seed: 2)
    var reader = ring.reader
    var (received, wrong) = (0, 0)
    while received < total {
      let length = min(Int.random(in: 1...4000, using: &generator), total - received)
      guard let place = reader.peek(length) else {
        sched_yield()
        continue
      }
      for index in 0..<length {
        let byte = place.load(fromByteOffset: index, as: UInt8.self)
        if byte != UInt8(truncatingIfNeeded: (received + index) &* 31) { wrong += 1 }
      }
      reader.advance(length)
      received += length
    }
    let left = reader.count()
    #expect(wrong == 0 && left == 0)
  }

  @Test("A full ring takes nothing, an empty one gives nothing")
  func limits() throws {
    let ring = try #require(Ring(capacity: 4096))
    var (writer, reader) = (ring.writer, ring.reader)
    let block = [UInt8](repeating: 7, count: 4096)
    let whenEmpty = reader.peek(1)
    let written = [writer.write(block, 4096), writer.write(block, 1)]
    let count = reader.count()
    let first = reader.peek(1)
    reader.advance(1)
    let afterwards = [writer.write(block, 1), writer.write(block, 1)]
    #expect(whenEmpty == nil && written == [true, false] && count == 4096)
    #expect(first != nil && afterwards == [true, false])
  }

  @Test(
    "Sample-accurate events sound on their sample, others with their k-cycle",
    arguments: [1, 10, 64, 256])
  func events(ksmps: Int) throws {
    let exact = try EventTrial.run(ksmps: ksmps, isSampleAccurate: true, count: 200)
    #expect(exact.exact == 200)
    let rounded = try EventTrial.run(ksmps: ksmps, isSampleAccurate: false, count: 200)
    #expect(rounded.least > -ksmps && rounded.largest <= 0)
  }

  @Test("Actions run in the order of their times, none before its own")
  func timer() {
    let timer = PreciseTimer(priority: 0)
    let ran = Mutex<[(Int, Int)]>([])
    let begin = PreciseTimer.now
    for (number, delay) in [(3, 30), (1, 10), (2, 20), (0, -5)] {
      let time = begin + delay * 1_000_000
      timer.schedule(at: time) { ran.withLock { $0.append((number, PreciseTimer.now - time)) } }
    }
    while ran.withLock({ $0.count < 4 }) { usleep(1000) }
    #expect(ran.withLock { $0.map(\.0) } == [0, 1, 2, 3])
    #expect(ran.withLock { $0.allSatisfy { $0.1 >= 0 } })
  }
}
