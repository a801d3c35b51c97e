import CCsound
import Synchronization

/// A function table to be read or written between two cycles, so that no note sees half of it.
struct TableCopy: BitwiseCopyable {
  let table: Int32
  let isWritten: Bool
  let samples: UnsafeMutablePointer<Double>
  /// How many samples there are room for, and must be where it is written.
  let count: Int
  /// The table's length once it is done, −1 where there is no such table.
  let result: UnsafeMutablePointer<Atomic<Int>>

  static let pending = Int.min
}

extension Vouched {
  /// Csound copies under its own lock.
  @inline(__always) @_semantics("no_performance_analysis")
  static func copy(_ request: UnsafeMutablePointer<TableCopy>, _ engine: EngineVoice.Pointer) {
    var place: UnsafeMutablePointer<Double>?
    let length = Int(csoundGetTable(engine, &place, request.pointee.table))
    if let place, length >= 0, length <= request.pointee.count {
      let samples = request.pointee.samples
      if request.pointee.isWritten {
        place.update(from: samples, count: length)
      } else {
        samples.update(from: place, count: length)
      }
    }
    request.pointee.result.pointee.store(length, ordering: .releasing)
  }
}
