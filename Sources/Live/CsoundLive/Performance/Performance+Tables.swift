import Glibc
public import HarnessBase
import Synchronization

extension Performance {
  /// The samples of a function table, as they are between two k-cycles.
  public func table(_ number: Int) throws(Failure) -> [Double] {
    var room = 0
    while true {
      var samples = [Double](repeating: 0, count: room)
      let length = try exchange(number, &samples, isWritten: false)
      guard length > room else { return Array(samples.prefix(length)) }
      room = length
    }
  }

  /// Replaces the samples of a function table between two k-cycles; there must be as many as it has.
  public func setTable(_ number: Int, to samples: [Double]) throws(Failure) {
    var samples = samples
    let length = try table(number).count
    guard length == samples.count else {
      throw .badInput("Function table \(number) has \(length) samples, not \(samples.count).")
    }
    _ = try exchange(number, &samples, isWritten: true)
  }

  /// Makes the audio thread copy the samples and waits for that. Returns the table's length.
  private func exchange(
    _ number: Int, _ samples: inout [Double], isWritten: Bool
  ) throws(Failure) -> Int {
    let session = try live()
    let result = UnsafeMutablePointer<Atomic<Int>>.allocate(capacity: 1)
    result.initialize(to: Atomic(TableCopy.pending))
    let copy = UnsafeMutablePointer<Double>.allocate(capacity: max(1, samples.count))
    copy.initialize(from: samples, count: samples.count)
    defer {
      result.deinitialize(count: 1)
      result.deallocate()
      copy.deallocate()
    }
    var event = LiveEvent(kind: .table)
    let request = malloc(MemoryLayout<TableCopy>.stride)!
    request.assumingMemoryBound(to: TableCopy.self).initialize(
      to: TableCopy(
        table: Int32(number), isWritten: isWritten, samples: copy, count: samples.count,
        result: result))
    event.memory = request
    let engine = try session.send(event)
    while result.pointee.load(ordering: .acquiring) == TableCopy.pending {
      // Another version of the piece may have taken over meanwhile.
      guard session.performs(engine) else { throw Session.isOver }
      usleep(500)
    }
    let length = result.pointee.load(ordering: .acquiring)
    guard length >= 0 else { throw .badInput("There is no function table \(number).") }
    for index in samples.indices { samples[index] = copy[index] }
    return length
  }
}
