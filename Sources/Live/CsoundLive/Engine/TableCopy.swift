import CCsound
import Synchronization

/// A request to read or write a function table between two cycles, so that no note sees a half-written table.
struct TableCopy: BitwiseCopyable {
  let table: Int32
  let isWritten: Bool
  let samples: UnsafeMutablePointer<Double>
  /// How many samples fit into `samples`. To write a table, this must be at least its length.
  let count: Int
  /// `pending`, then the table's length when the copy is done; −1 if there is no such table.
  let result: UnsafeMutablePointer<Atomic<Int>>

  static let pending = Int.min
}

extension Vouched {
  /// Carries out the request, on the audio thread between two cycles.
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
