// ares TABLE andx, ifn [, ixmode [, ixoff [, iwrap]]]
// kres TABLE kndx, ifn [, ixmode [, ixoff [, iwrap]]]
// ires TABLE indx, ifn [, ixmode [, ixoff [, iwrap]]]
//
// The element of a table at or before an index.
//
// The same as Csound's `table`, with these differences:
// - when a table is replaced during the note, the new one is read; `table` keeps reading the old memory;
// - a NaN reads the first element, and an index beyond 2^30 elements counts as 2^30; `table` hangs or reads another one.
//
// Four frames are computed at once.
//
// Category: Signal Generators:Table Access

// ares TABLEI andx, ifn [, ixmode [, ixoff [, iwrap]]]
// kres TABLEI kndx, ifn [, ixmode [, ixoff [, iwrap]]]
// ires TABLEI indx, ifn [, ixmode [, ixoff [, iwrap]]]
//
// A table at an index, on the line between two elements. After the last element comes the guard point.
//
// The same as Csound's `tablei`, with these differences:
// - without iwrap an index below 0 counts as 0, and one beyond the table as its end, the guard point, as the manual says
//   of `tablei`. That goes on with the fraction of such an index, so that a curve that should be flat is a saw;
// - when a table is replaced during the note, the new one is read; `tablei` keeps reading the old memory;
// - a NaN counts as 0, and an index beyond 2^30 elements as 2^30; `tablei` hangs or reads another one.
//
// Four frames are computed at once.
//
// Category: Signal Generators:Table Access

// ares TABLE3 andx, ifn [, ixmode [, ixoff [, iwrap]]]
// kres TABLE3 kndx, ifn [, ixmode [, ixoff [, iwrap]]]
// ires TABLE3 indx, ifn [, ixmode [, ixoff [, iwrap]]]
//
// A table at an index, on the cubic through the two elements before and the two after it (Lagrange's polynomial, see
// `DelayTap.value`). Before the second element, after the last one, and in a table of less than four elements it is the line
// between two elements.
//
// The same as Csound's `table3`, with these differences:
// - without iwrap an index below 0 counts as 0, and one beyond the table as its end, the guard point, as the manual says
//   of `table3`. That goes on with the fraction of such an index, so that a curve that should be flat is a saw;
// - when a table is replaced during the note, the new one is read; `table3` keeps reading the old memory;
// - a NaN counts as 0, and an index beyond 2^30 elements as 2^30; `table3` hangs or reads another one.
//
// Four frames are computed at once.
//
// Category: Signal Generators:Table Access

import OpcodeKit

@Opcode("TABLE", "Table at an index, no interpolation", StepReading.self)
@Opcode("TABLEI", "Table at an index, linear interpolation", LinearReading.self)
@Opcode("TABLE3", "Table at an index, cubic interpolation", CubicReading.self)
struct TableReader<Reading: TableReading>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The values of the table.
    let output: AudioOutput
    /// Index: in elements from 0, or with ixmode in lengths of the table, from 0 to 1.
    let index: AudioInput
    /// Number of the table. A missing table is an init error; a table deleted during the note ends the note with an error.
    let table: InitInput
    /// Nonzero: the index and ixoff are in lengths of the table. Default 0: in elements.
    @Default(0) let mode: InitInput
    /// Is added to the index: half the table's length for a table whose origin is in its middle. Default 0.
    @Default(0) let offset: InitInput
    /// Nonzero wraps an index beyond the table around; a whole number, whose fraction is dropped. Default 0: the index is
    /// limited to the table.
    @Default(0) let wrap: InitInput
  }

  private var table: TableNumber
  private let index: TableIndex

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    table = try TableNumber(arguments.table.value, context, argument: "ifn")
    index = TableIndex(arguments.mode.value, arguments.offset.value, arguments.wrap.value)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let table = context.table(table)?.elements else { throw .deletedTable }
    // Each loop has only its own steps.
    if !index.wraps {
      read(table, LimitedIndex(index, table.count), arguments, context.frames)
    } else if table.count & (table.count &- 1) == 0 {
      read(table, MaskedIndex(index, table.count), arguments, context.frames)
    } else {
      read(table, WrappedIndex(index, table.count), arguments, context.frames)
    }
  }

  @inline(__always)
  private func read<Places: TablePlaces>(
    _ table: TableElements, _ places: Places, _ arguments: Arguments, _ frames: Range<Int>
  ) {
    var frame = frames.lowerBound
    while frame &+ 4 <= frames.upperBound {
      let (places, rests) = places.places(arguments.index.quad(at: frame))
      arguments.output.setQuad(Reading.values(of: table, at: places, rests), at: frame)
      frame &+= 4
    }
    while frame < frames.upperBound {
      let (place, rest) = places.place(arguments.index[frame])
      arguments.output[frame] = Reading.value(of: table, at: place, rest)
      frame &+= 1
    }
  }
}

/// The k-rate form: one value in each k-cycle.
@Opcode("TABLE.k", "Table at an index, no interpolation", StepReading.self)
@Opcode("TABLEI.k", "Table at an index, linear interpolation", LinearReading.self)
@Opcode("TABLE3.k", "Table at an index, cubic interpolation", CubicReading.self)
struct ControlTableReader<Reading: TableReading>: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let output: ControlOutput
    let index: ControlInput
    let table: InitInput
    @Default(0) let mode, offset, wrap: InitInput
  }

  private var table: TableNumber
  private let index: TableIndex

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    table = try TableNumber(arguments.table.value, context, argument: "ifn")
    index = TableIndex(arguments.mode.value, arguments.offset.value, arguments.wrap.value)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let table = context.table(table)?.elements else { throw .deletedTable }
    arguments.output.value = Reading.value(of: table, index, at: arguments.index.value)
  }
}

/// The i-time form.
@Opcode("TABLE.i", "Table at an index, no interpolation", StepReading.self)
@Opcode("TABLEI.i", "Table at an index, linear interpolation", LinearReading.self)
@Opcode("TABLE3.i", "Table at an index, cubic interpolation", CubicReading.self)
struct InitTableReader<Reading: TableReading>: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let output: InitOutput
    let index, table: InitInput
    @Default(0) let mode, offset, wrap: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let table = try context.table(arguments.table.value, argument: "ifn").elements
    let index = TableIndex(arguments.mode.value, arguments.offset.value, arguments.wrap.value)
    arguments.output.value = Reading.value(of: table, index, at: arguments.index.value)
  }
}

/// What an index counts, and what one beyond the table is.
struct TableIndex: BitwiseCopyable {
  let isInLengths, wraps: Bool
  let offset: Double

  init(_ mode: Double, _ offset: Double, _ wrap: Double) {
    (isInLengths, self.offset, wraps) = (mode != 0, offset, wrap.magnitude >= 1)
  }
}

/// Where in a table an index is: the number of an element, from 0 to `count - 1`, and the distance from it, from 0 to 1.
protocol TablePlaces: BitwiseCopyable {
  func places(_ index: Quad) -> (places: SIMD4<Int32>, rests: Quad)
  func place(_ index: Double) -> (place: Int, rest: Double)
}

/// Indices beyond the table are limited to it.
struct LimitedIndex: TablePlaces {
  private let offset, scale, count: Double

  @inline(__always)
  init(_ index: TableIndex, _ count: Int) {
    (offset, self.count) = (index.offset, Double(count))
    scale = index.isInLengths ? self.count : 1
  }

  // `maximum` first, because it turns NaN into 0.
  @inline(__always) @_semantics("no_performance_analysis")
  func places(_ index: Quad) -> (places: SIMD4<Int32>, rests: Quad) {
    let position = Quad.minimum(
      .maximum((index + Quad(offset)) * Quad(scale), Quad(0)), Quad(count))
    let places = Quad.minimum(position, Quad(count - 1)).truncated
    return (places, position - Quad(places))
  }

  @inline(__always) @_semantics("no_performance_analysis")
  func place(_ index: Double) -> (place: Int, rest: Double) {
    let position = min(max(0, (index + offset) * scale), count)
    let place = Math.truncated(min(position, count - 1))
    return (place, position - Double(place))
  }
}

/// Indices beyond a table whose length is a power of two wrap around.
struct MaskedIndex: TablePlaces {
  private let offset, scale: Double
  private let mask: Int32

  @inline(__always)
  init(_ index: TableIndex, _ count: Int) {
    (offset, mask) = (index.offset, Int32(truncatingIfNeeded: count &- 1))
    scale = index.isInLengths ? Double(count) : 1
  }

  @inline(__always) @_semantics("no_performance_analysis")
  func places(_ index: Quad) -> (places: SIMD4<Int32>, rests: Quad) {
    let position = ((index + Quad(offset)) * Quad(scale)).withinIndices
    let floor = position.floor
    return (floor.truncated & mask, position - floor)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  func place(_ index: Double) -> (place: Int, rest: Double) {
    let position = ((index + offset) * scale).withinIndices
    let floor = Math.floor(position)
    return (Math.truncated(floor) & Int(mask), position - floor)
  }
}

/// Indices beyond the table wrap around.
struct WrappedIndex: TablePlaces {
  private let offset, scale, count, period: Double

  @inline(__always)
  init(_ index: TableIndex, _ count: Int) {
    (offset, self.count, period) = (index.offset, Double(count), 1 / Double(count))
    scale = index.isInLengths ? self.count : 1
  }

  // Half an element keeps the quotient away from whole numbers, which rounding could miss.
  @inline(__always) @_semantics("no_performance_analysis")
  func places(_ index: Quad) -> (places: SIMD4<Int32>, rests: Quad) {
    let position = ((index + Quad(offset)) * Quad(scale)).withinIndices
    let floor = position.floor
    let rounds = ((floor + Quad(0.5)) * Quad(period)).floor
    return ((floor - rounds * Quad(count)).truncated, position - floor)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  func place(_ index: Double) -> (place: Int, rest: Double) {
    let position = ((index + offset) * scale).withinIndices
    let floor = Math.floor(position)
    // Most are within the table.
    let rounds = floor >= 0 && floor < count ? 0 : Math.floor((floor + 0.5) * period)
    return (Math.truncated(floor - rounds * count), position - floor)
  }
}

extension Double {
  /// Limited to what a table's index can be; a NaN to the least.
  @inline(__always)
  fileprivate var withinIndices: Double { min(max(-0x1p30, self), 0x1p30) }
}

extension Quad {
  @inline(__always) @_semantics("no_performance_analysis")
  fileprivate var withinIndices: Quad { .minimum(.maximum(self, Quad(-0x1p30)), Quad(0x1p30)) }
}

/// What lies between the elements of a table.
protocol TableReading: BitwiseCopyable {
  static func values(of table: TableElements, at places: SIMD4<Int32>, _ rests: Quad) -> Quad
  static func value(of table: TableElements, at place: Int, _ rest: Double) -> Double
}

extension TableReading {
  @inline(__always)
  static func value(of table: TableElements, _ index: TableIndex, at position: Double) -> Double {
    let (place, rest) =
      index.wraps
      ? WrappedIndex(index, table.count).place(position)
      : LimitedIndex(index, table.count).place(position)
    return value(of: table, at: place, rest)
  }
}

enum StepReading: TableReading {
  @inline(__always)
  static func values(of table: TableElements, at places: SIMD4<Int32>, _ rests: Quad) -> Quad {
    Quad(
      values: SIMD4(
        table[Int(places[0])], table[Int(places[1])], table[Int(places[2])], table[Int(places[3])]))
  }

  @inline(__always)
  static func value(of table: TableElements, at place: Int, _ rest: Double) -> Double {
    table[place]
  }
}

enum LinearReading: TableReading {
  @inline(__always)
  static func values(of table: TableElements, at places: SIMD4<Int32>, _ rests: Quad) -> Quad {
    let (a, b) = (table.pair(at: Int(places[0])), table.pair(at: Int(places[1])))
    let (c, d) = (table.pair(at: Int(places[2])), table.pair(at: Int(places[3])))
    let left = Quad.firsts(a, b, c, d)
    return left + (Quad.seconds(a, b, c, d) - left) * rests
  }

  @inline(__always)
  static func value(of table: TableElements, at place: Int, _ rest: Double) -> Double {
    let neighbours = table.pair(at: place)
    return neighbours[0] + (neighbours[1] - neighbours[0]) * rest
  }
}

enum CubicReading: TableReading {
  @inline(__always)
  static func values(of table: TableElements, at places: SIMD4<Int32>, _ rests: Quad) -> Quad {
    let (i, j) = (Int(places[0]), Int(places[1]))
    let (k, l) = (Int(places[2]), Int(places[3]))
    guard table.isInside(i), table.isInside(j), table.isInside(k), table.isInside(l) else {
      return Quad(
        values: SIMD4(
          value(of: table, at: i, rests[0]), value(of: table, at: j, rests[1]),
          value(of: table, at: k, rests[2]), value(of: table, at: l, rests[3])))
    }
    let lower = (
      table.pair(at: i &- 1), table.pair(at: j &- 1), table.pair(at: k &- 1),
      table.pair(at: l &- 1)
    )
    let upper = (
      table.pair(at: i &+ 1), table.pair(at: j &+ 1), table.pair(at: k &+ 1),
      table.pair(at: l &+ 1)
    )
    return DelayTap.values(
      .firsts(lower.0, lower.1, lower.2, lower.3), .seconds(lower.0, lower.1, lower.2, lower.3),
      .firsts(upper.0, upper.1, upper.2, upper.3), .seconds(upper.0, upper.1, upper.2, upper.3),
      at: rests)
  }

  @inline(__always)
  static func value(of table: TableElements, at place: Int, _ rest: Double) -> Double {
    guard table.isInside(place) else { return LinearReading.value(of: table, at: place, rest) }
    let (lower, upper) = (table.pair(at: place &- 1), table.pair(at: place &+ 1))
    return DelayTap.value(lower[0], lower[1], upper[0], upper[1], at: rest)
  }
}

extension TableElements {
  /// Whether an element from 0 on has one before it and two after it.
  @inline(__always)
  fileprivate func isInside(_ place: Int) -> Bool {
    UInt(bitPattern: place &- 1) < UInt(bitPattern: max(count &- 2, 0)) && count >= 4
  }
}
