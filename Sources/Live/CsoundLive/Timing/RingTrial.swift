import CRealtime
import HarnessBase

/// Measures the cost of writing and reading a block on one thread: with `Ring`, with the same ring in C, and with a C
/// ring that copies a block in two parts.
package enum RingTrial {
  package struct Row: Sendable {
    package var bytes: Int
    /// Nanoseconds a block, the best of five runs.
    package var ring, inC, twoCopies: Double
  }

  package static func run(bytes: Int, count: Int) throws(Failure) -> Row {
    let capacity = 65536
    guard let ring = Ring(capacity: capacity), let inC = rival_ring_new(capacity, 1),
      let twoCopies = rival_ring_new(capacity, 0)
    else { throw Failure(.unavailable, "There is no memory left for the rings.") }
    defer {
      rival_ring_free(inC, 1)
      rival_ring_free(twoCopies, 0)
    }
    var row = Row(bytes: bytes, ring: .infinity, inC: .infinity, twoCopies: .infinity)
    for _ in 0..<5 {
      let sums = [
        time(&row.ring, count) { Self.swift(ring, count, bytes) },
        time(&row.inC, count) { Int(rival_ring_run(inC, count, bytes, 1)) },
        time(&row.twoCopies, count) { Int(rival_ring_run(twoCopies, count, bytes, 0)) },
      ]
      guard sums.allSatisfy({ $0 == sums[0] }) else {
        throw Failure(.internalFault, "The rings do not give back the same.")
      }
    }
    return row
  }

  private static func time(_ best: inout Double, _ count: Int, _ body: () -> Int) -> Int {
    let begin = realtime_now()
    let sum = body()
    best = min(best, Double(realtime_now() - begin) / Double(count))
    return sum
  }

  private static func swift(_ ring: Ring, _ count: Int, _ bytes: Int) -> Int {
    var (writer, reader) = (ring.writer, ring.reader)
    let block = UnsafeMutableRawPointer.allocate(byteCount: 8192, alignment: 64)
    defer { block.deallocate() }
    block.initializeMemory(as: Int8.self, repeating: 0, count: 8192)
    var sum = 0
    for index in 0..<count {
      block.storeBytes(of: Int8(truncatingIfNeeded: index), as: Int8.self)
      _ = writer.write(block, bytes)
      _ = reader.read(block + 4096, bytes)
      sum += Int(block.load(fromByteOffset: 4096, as: Int8.self))
    }
    return sum
  }
}
