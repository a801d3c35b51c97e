import CsoundLive
import Foundation
import HarnessBase
import Synchronization

/// Sends blocks of random lengths through a ring between two threads, and prints what arrived wrong.
func printRingRun(seconds: Double) {
  guard let ring = Ring(capacity: 8192) else { return print("no memory") }
  let end = Date(timeIntervalSinceNow: seconds)
  let isOver = Atomic<Bool>(false)
  let sent = Atomic<Int>(0)
  nonisolated(unsafe) var writer = ring.writer
  let done = DispatchSemaphore(value: 0)
  Thread {
    var generator = SeededGenerator(seed: 1)
    var block = [UInt8](repeating: 0, count: 8192)
    var total = 0
    while !isOver.load(ordering: .acquiring) {
      let length = Int.random(in: 1...8192, using: &generator)
      for index in 0..<length { block[index] = UInt8(truncatingIfNeeded: (total + index) &* 31) }
      while !writer.write(block, length), !isOver.load(ordering: .acquiring) { sched_yield() }
      total += length
      sent.wrappingAdd(1, ordering: .relaxed)
    }
    done.signal()
  }.start()
  var generator = SeededGenerator(seed: 2)
  var reader = ring.reader
  var (received, wrong) = (0, 0)
  while Date() < end {
    let length = Int.random(in: 1...8192, using: &generator)
    guard let place = reader.peek(length) else {
      // What has been asked for may be more than the writer can add.
      let there = reader.count()
      if let place = reader.peek(there) { check(place, there) }
      sched_yield()
      continue
    }
    check(place, length)
  }
  isOver.store(true, ordering: .releasing)
  done.wait()
  func check(_ place: UnsafeRawPointer, _ length: Int) {
    for index in 0..<length {
      let byte = place.load(fromByteOffset: index, as: UInt8.self)
      if byte != UInt8(truncatingIfNeeded: (received + index) &* 31) { wrong += 1 }
    }
    reader.advance(length)
    received += length
  }
  print("\(sent.load(ordering: .relaxed)) blocks, \(received) bytes read, \(wrong) of them wrong")
}
