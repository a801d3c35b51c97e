import CCsound

/// The function tables of an engine with marks around them, for whoever reads beyond one.
final class MarkedTables {
  private struct Table {
    var function: UnsafeMutablePointer<FUNC>
    var own: UnsafeMutablePointer<Double>
    var memory: UnsafeMutablePointer<Double>
  }

  private var tables: [Table] = []

  /// Moves the points of every table that `ftgen` has made so far.
  init(_ engine: UnsafeMutablePointer<CSOUND>, between surroundings: Double) {
    // Csound numbers tables it chooses numbers for from 101.
    for number in 101..<133 {
      guard let function = ccs_table_numbered(engine, CInt(number)),
        let own = function.pointee.ftable
      else { continue }
      // With the guard point behind the last.
      let count = Int(function.pointee.flen) + 1
      let margin = count + 64
      let memory = UnsafeMutablePointer<Double>.allocate(capacity: count + 2 * margin)
      memory.initialize(repeating: surroundings, count: count + 2 * margin)
      (memory + margin).update(from: own, count: count)
      function.pointee.ftable = memory + margin
      tables.append(Table(function: function, own: own, memory: memory))
    }
  }

  /// Moves the points back, before the engine frees them.
  func giveBack() {
    for table in tables {
      let count = Int(table.function.pointee.flen) + 1
      if let moved = table.function.pointee.ftable { table.own.update(from: moved, count: count) }
      table.function.pointee.ftable = table.own
      table.memory.deallocate()
    }
    tables = []
  }
}
