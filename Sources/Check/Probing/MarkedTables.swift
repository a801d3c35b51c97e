import CCsound

/// Moves an engine's function tables into memory that is filled with a marker value around them, so
/// that reading beyond a table is noticed.
package final class MarkedTables {
  private struct Table {
    var function: UnsafeMutablePointer<FUNC>
    var own: UnsafeMutablePointer<Double>
    var memory: UnsafeMutablePointer<Double>
  }

  private var tables: [Table] = []

  /// Moves every table that `ftgen` has created so far. `surroundings` is the value around the
  /// tables.
  package init(_ engine: UnsafeMutablePointer<CSOUND>, between surroundings: Double) {
    // Numbers that Csound chooses for tables begin at 101.
    for number in 101..<133 {
      guard let function = ccs_table_numbered(engine, CInt(number)),
        let own = function.pointee.ftable
      else { continue }
      // Including the guard point after the last point.
      let count = Int(function.pointee.flen) + 1
      let margin = count + 64
      let memory = UnsafeMutablePointer<Double>.allocate(capacity: count + 2 * margin)
      memory.initialize(repeating: surroundings, count: count + 2 * margin)
      (memory + margin).update(from: own, count: count)
      function.pointee.ftable = memory + margin
      tables.append(Table(function: function, own: own, memory: memory))
    }
  }

  /// Moves the tables back, before the engine frees them.
  package func giveBack() {
    for table in tables {
      let count = Int(table.function.pointee.flen) + 1
      if let moved = table.function.pointee.ftable { table.own.update(from: moved, count: count) }
      table.function.pointee.ftable = table.own
      table.memory.deallocate()
    }
    tables = []
  }
}
