extension Builtin {
  /// `table`, `tablei`, `table3`, `tab` and their like, and `tablew` and `tabw`: a function table at an index.
  @frozen public struct Table: BitwiseCopyable {
    @usableFromInline let number, offset, wrapping: Double
    @usableFromInline let isScaled: Bool
    @usableFromInline var table: FunctionTable?

    /// With a `scale` other than 0 the index goes from 0 to 1. An index beyond the table is limited, or wrapped if
    /// `wrapping` is not 0; 2 rounds the index that is written, and keeps the guard point the same as the first element.
    ///
    /// Throws where there is no such table.
    public init(
      rate: Double, number: Double, scale: Double = 0, offset: Double = 0, wrapping: Double = 0,
      _ context: Context
    ) throws(OpcodeError) {
      (self.number, self.offset, self.wrapping) = (number, offset, wrapping)
      isScaled = scale != 0
      table = try context.table(number, argument: "the table")
    }
    /// Looks up the table anew, at the beginning of a performance pass.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func find(_ context: Context) { table = context.table(number) }
    /// Elements without the guard point.
    @inlinable public var count: Double { Double(table?.count ?? 0) }

    @inlinable @inline(__always)
    func position(_ index: Double, in table: FunctionTable) -> Double {
      (index + offset) * (isScaled ? Double(table.count) : 1)
    }
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    func place(_ position: Double, in table: FunctionTable) -> Int {
      let place = Math.truncated(position)
      guard wrapping != 0 else { return max(0, min(place, table.count &- 1)) }
      let rest = place % table.count
      return rest < 0 ? rest &+ table.count : rest
    }
    /// The element at or before an index.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public func next(_ index: Double) -> Double {
      guard let table else { return 0 }
      return table[place(Math.floor(position(index, in: table)), in: table)]
    }
    /// On a line between two elements.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public func linear(_ index: Double) -> Double {
      guard let table else { return 0 }
      let position = position(index, in: table)
      let floor = Math.floor(position)
      let place = place(floor, in: table)
      return table[place] + (table[place &+ 1] - table[place]) * (position - floor)
    }
    /// On a cubic through four elements.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public func cubic(_ index: Double) -> Double {
      guard let table else { return 0 }
      let position = position(index, in: table)
      let floor = Math.floor(position)
      let place = place(floor, in: table)
      let rest = position - floor
      if place < 1 || place == table.count &- 1 || table.count < 4 {
        return table[place] + (table[place &+ 1] - table[place]) * rest
      }
      return Builtin.cubic(
        table[place &- 1], table[place], table[place &+ 1], table[place &+ 2], at: rest)
    }
    /// The element nearest to an index. Beyond the table Csound ends the note; here it is the last or first element.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public func nearest(_ index: Double) -> Double {
      guard let table else { return 0 }
      return table[max(0, min(Builtin.nearest(position(index, in: table)), table.count))]
    }
    /// Writes the element at or before an index.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public func write(_ value: Double, _ index: Double) {
      guard let table else { return }
      let position = position(index, in: table) + (wrapping == 2 ? 0.5 : 0)
      let place = place(Math.floor(position), in: table)
      table[place] = value
      if place == 0, wrapping == 2 { table.wrapGuardPoint() }
    }
    /// Writes the element nearest to an index, limited to the table.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public func writeNearest(_ value: Double, _ index: Double) {
      guard let table else { return }
      table[max(0, min(Builtin.nearest(position(index, in: table)), table.count))] = value
    }
  }

  /// An array of numbers. Beyond its ends Csound ends the note; here 0 is read, and nothing written.
  @frozen public struct Numbers: BitwiseCopyable {
    @usableFromInline let elements: Buffer<Double>
    /// How many there are.
    public let count: Double

    /// `init`: so many zeros, at least one.
    public init(rate: Double, count: Double, _ context: Context) throws(OpcodeError) {
      guard count >= 1, count < 0x1p24 else {
        throw OpcodeError(argument: "an array's length", is: count, mustBe: "from 1 to 16777215")
      }
      self.count = Math.trunc(count)
      elements = try context.buffer(count: Int(count))
    }
    /// A copy of an argument, which may be empty.
    public init<Element>(
      rate: Double, copying array: ArrayInput<Element>, _ context: Context
    ) throws(OpcodeError) {
      count = Double(array.count)
      elements = try context.buffer(count: max(array.count, 1))
      take(array)
    }
    /// Copies the elements again; more than there were at first are left out.
    public func take<Element>(_ array: ArrayInput<Element>) {
      let count = min(array.count, Math.truncated(count))
      for index in 0..<count { elements[index] = array.number(index) }
    }
    /// `=`: a copy of another one.
    public init(rate: Double, copying other: Numbers, _ context: Context) throws(OpcodeError) {
      try self.init(rate: rate, count: other.count, context)
      take(other)
    }
    /// Copies the elements of another one, as many as both have.
    public func take(_ other: Numbers) {
      for index in 0..<min(elements.count, other.elements.count) {
        elements[index] = other.elements[index]
      }
    }
    /// `minarray`, `maxarray` and `sumarray`.
    public var least: Double { reduced { min($0, $1) } }
    public var greatest: Double { reduced { max($0, $1) } }
    public var sum: Double { reduced { $0 + $1 } }
    @inline(__always) func reduced(_ combine: (Double, Double) -> Double) -> Double {
      var result = elements[0]
      for index in 1..<max(1, Math.truncated(count)) { result = combine(result, elements[index]) }
      return result
    }
    /// Gives the array away, with its length [init pass].
    public func give<Element>(
      _ output: ArrayOutput<Element>, _ context: Context
    ) throws(OpcodeError) {
      try output.resize(to: Math.truncated(count), context)
      give(output)
    }
    /// Gives its elements away.
    public func give<Element>(_ output: ArrayOutput<Element>) {
      let count = min(output.count, Math.truncated(count))
      for index in 0..<count { output.setNumber(index, elements[index]) }
    }
    /// `fillarray`: these.
    public init<let length: Int>(
      rate: Double, values: InlineArray<length, Double>, _ context: Context
    ) throws(OpcodeError) {
      try self.init(rate: rate, count: Double(length), context)
      for index in 0..<length { elements[index] = values[index] }
    }
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public func element(_ index: Double) -> Double {
      let index = Math.truncated(index)
      return index >= 0 && index < elements.count ? elements[index] : 0
    }
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public func setElement(_ value: Double, _ index: Double) {
      let index = Math.truncated(index)
      if index >= 0, index < elements.count { elements[index] = value }
    }
  }

  /// `ftgentmp` and `ftgen`: a new table. The opcode deletes that of `ftgentmp` when its note ends.
  @frozen public struct NewTable: BitwiseCopyable {
    /// The table's number.
    public let number: Double

    /// Makes it with a GEN routine of Csound and its parameters, at most eight.
    ///
    /// Throws as `Context.createTable` does.
    public init<let count: Int>(
      rate: Double, size: Double, generator: Double, values: InlineArray<count, Double>,
      _ context: Context
    ) throws(OpcodeError) {
      number = try context.createTable(
        signedCount: Math.truncated(size), generator: Math.truncated(generator),
        InlineArray { $0 < count ? values[$0] : nil })
    }
    /// Deletes the table [deinit pass].
    public func delete(_ context: Context) { context.deleteTable(number) }
  }

  /// Csound's cubic through four values, at a place from 0 to 1 between the middle ones.
  @inlinable @inline(__always)
  static func cubic(
    _ before: Double, _ left: Double, _ right: Double, _ after: Double, at rest: Double
  ) -> Double {
    let square = rest * rest
    let first = square * before
    let last = after + left + left + left
    return left + 0.5 * first + rest * (right - first / 6 - last / 6 - before / 3)
      + square * rest * (last / 6 - 0.5 * right) + square * (0.5 * right - left)
  }

  /// `poscil` and `poscil3`: a table read at a precise phase.
  @frozen public struct Poscil: BitwiseCopyable {
    @usableFromInline let number, period: Double
    @usableFromInline var table: FunctionTable?
    @usableFromInline var position: Double

    /// A negative `phase` is 0. Throws where there is no such table.
    public init(
      rate: Double, number: Double, phase: Double, _ context: Context
    ) throws(OpcodeError) {
      let table = try context.table(number, argument: "the table")
      (self.number, self.table, period) = (number, table, 1 / rate)
      position = phase >= 0 ? (phase - Math.trunc(phase)) * Double(table.count) : 0
    }
    /// Looks up the table anew, at the beginning of a performance pass.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func find(_ context: Context) { table = context.table(number) }
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    mutating func step(_ frequency: Double, _ count: Double) {
      position += frequency * (count * period)
      if position >= count || position < 0 {
        position = Math.fmod(position, count)
        if position < 0 { position += count }
      } else if position.isNaN {
        position = 0
      }
    }
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func next(_ amplitude: Double, _ frequency: Double) -> Double {
      guard let table else { return 0 }
      let place = max(0, min(Math.truncated(position), table.count &- 1))
      let rest = position - Double(place)
      step(frequency, Double(table.count))
      return amplitude * (table[place] + (table[place &+ 1] - table[place]) * rest)
    }
    /// On a cubic through four elements.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func cubic(_ amplitude: Double, _ frequency: Double) -> Double {
      guard let table else { return 0 }
      let count = table.count
      let place = max(0, min(Math.truncated(position), count &- 1))
      let rest = position - Double(place)
      step(frequency, Double(count))
      let value = Builtin.cubic(
        table[place > 0 ? place &- 1 : count &- 1], table[place], table[place &+ 1],
        table[place &+ 2 > count ? 1 : place &+ 2], at: rest)
      return amplitude * value
    }
  }

  /// `oscil` and `oscili`: a table with a power of two for its length, read at a phase of 28 bits.
  @frozen public struct Oscil: BitwiseCopyable {
    @usableFromInline let number, perHertz: Double
    @usableFromInline let truncates: Bool
    @usableFromInline var table: FunctionTable?
    @usableFromInline var phase: Int

    /// A negative `phase` is 0. The k-rate form truncates the step that the audio form rounds. Throws where there is no
    /// such table, or not of such a length.
    public init(
      rate: Double, truncates: Bool = false, number: Double, phase: Double, _ context: Context
    ) throws(OpcodeError) {
      let table = try context.table(number, argument: "the table")
      guard table.count & (table.count - 1) == 0 else {
        throw OpcodeError(
          argument: "the table", is: number, mustBe: "one with a power of two for its length")
      }
      (self.number, self.table, perHertz) = (number, table, 0x1p28 / rate)
      self.truncates = truncates
      self.phase = phase >= 0 ? Math.truncated(phase * 0x1p28) & 0xFFF_FFFF : 0
    }
    /// Looks up the table anew, at the beginning of a performance pass.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func find(_ context: Context) { table = context.table(number) }
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    mutating func advance(_ frequency: Double) -> Int {
      let step = frequency * perHertz
      defer {
        phase = (phase &+ (truncates ? Math.truncated(step) : Builtin.nearest(step))) & 0xFFF_FFFF
      }
      return phase
    }
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func next(_ amplitude: Double, _ frequency: Double) -> Double {
      guard let table else { return 0 }
      return table[advance(frequency) &* table.count &>> 28] * amplitude
    }
    /// On a line between two elements.
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func linear(_ amplitude: Double, _ frequency: Double) -> Double {
      guard let table else { return 0 }
      let scaled = advance(frequency) &* table.count
      let place = scaled &>> 28
      let rest = Double(scaled & 0xFFF_FFFF) * 0x1p-28
      return (table[place] + (table[place &+ 1] - table[place]) * rest) * amplitude
    }
  }

  /// `lfo` with k-rate amplitude and frequency: 0 sine, 1 triangle, 2 square, 3 square from 0 to 1, 4 and 5 saw up and
  /// down.
  @frozen public struct LFO: BitwiseCopyable {
    @usableFromInline let perHertz: Double
    @usableFromInline let shape: Int
    @usableFromInline let sine: Buffer<Double>
    @usableFromInline var phase = 0

    /// Throws for another shape.
    public init(rate: Double, shape: Double, _ context: Context) throws(OpcodeError) {
      guard shape > -1, shape < 6 else {
        throw OpcodeError(argument: "the shape", is: shape, mustBe: "from 0 to 5")
      }
      (perHertz, self.shape) = (0x1p24 / rate, Int(shape))
      sine = try context.buffer(count: self.shape == 0 ? 4097 : 1)
      // The last element stays 0.
      if self.shape == 0 {
        for index in 0..<4096 { sine[index] = Math.sin(2 * Double.pi * Double(index) / 4096) }
      }
    }
    @inlinable @inline(__always) @_semantics("no_performance_analysis")
    public mutating func next(_ amplitude: Double, _ frequency: Double) -> Double {
      let now = phase
      phase = (phase &+ Math.truncated(frequency * perHertz)) & 0xFF_FFFF
      let cycle = Double(now) * 0x1p-24
      switch shape {
      case 0:
        let (place, rest) = (now &>> 12, Double(now & 0xFFF) * 0x1p-12)
        return amplitude * (sine[place] + (sine[place &+ 1] - sine[place]) * rest)
      case 1:
        let line = Double(now &<< 2 & 0xFF_FFFF) * 0x1p-24
        return amplitude
          * (cycle < 0.25 ? line : cycle < 0.5 ? 1 - line : cycle < 0.75 ? -line : line - 1)
      case 2: return cycle < 0.5 ? amplitude : -amplitude
      case 3: return cycle < 0.5 ? amplitude : 0
      case 4: return amplitude * cycle
      default: return amplitude * (1 - cycle)
      }
    }
  }
}
