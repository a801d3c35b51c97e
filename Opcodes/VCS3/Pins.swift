// aout[] PINS ain[], ipins, icolumns [, ktolerance [, klimit]]
//
// A pin matrix, like the VCS3's with 16 rows and 16 columns: each column mixes the rows that pins connect to it.
//
//     aout[c] = sum over r of pin[r][c] (1 + ktolerance e[r][c]) ain[r]
//
// The pins are in a table, row by row: element r icolumns + c is the gain from row r to column c, 0 where there is no
// pin. The orchestra or a panel may change it during the note; a change takes effect within 64 samples or one k-cycle,
// whichever is longer. The cost depends only on the number of pins.
//
// A pin of the VCS3 is a resistor into a virtual earth: 2.7 kohm (white and red) or 68 kohm (green). That gives gains of
// 1 and 0.04, and a ktolerance of 0.05 for white pins and 0.01 for red ones. e is the relative error of the resistor at a place.
// It is the same in every note and is spread evenly from -1 to 1: e = 2 frac(0.618034 (r icolumns + c + 1)) - 1. Not
// modelled: the source resistances, through which each additional pin lowers the level of the others.
//
// In a feedback loop, from a column through an opcode back to a row, the delay is one k-cycle: 0.17 ms with ksmps = 8
// at 48 kHz.
//
// Category: Mixer Opcodes

import OpcodeKit

@Opcode("PINS", "Pin matrix: adds signals to signals where a pin connects them")
struct Pins: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The columns. The array gets the length icolumns, even if it is the same variable as ain[].
    let output: ArrayOutput<AudioOutput>
    /// The rows. If the array's length changes during a note, the note ends with an error.
    let input: ArrayInput<AudioInput>
    /// Number of the table of pins, with at least rows × columns elements. Gains are clamped to ±1000; NaN counts as 0.
    /// If the table is deleted or becomes too short during a note, the note ends with an error.
    let pins: InitInput
    /// Number of columns, 1 to 256; rows × columns may be at most 4096.
    let columns: InitInput
    /// Tolerance of the resistors, clamped to 0 … 1; NaN counts as 0. Default 0.
    @Default(0) let tolerance: ControlInput
    /// Limit to which the columns are clipped, ±klimit in units of 0dbfs. 0, negative values and NaN do not clip. When
    /// it clips, NaN in a column becomes the limit. Default 0.
    @Default(0) let limit: ControlInput
  }

  private struct Pin: BitwiseCopyable {
    var row = 0, column = 0
    var gain = 0.0
  }

  static let bufferCount = 3

  private let rowCount, columnCount: Int
  /// The last values read from the table.
  private let seen: Buffer<Double>
  private let pins: Buffer<Pin>
  private let sums: Buffer<Lanes>
  private var pinCount = 0
  /// Index in the table where reading continues.
  private var place = 0
  private var tolerance = 0.0
  private var isNew = true

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let columns = arguments.columns.value
    guard columns >= 1, columns <= 256 else {
      throw OpcodeError(argument: "icolumns", is: columns, mustBe: "from 1 to 256")
    }
    columnCount = Int(columns)
    try arguments.output.resize(to: columnCount, context)
    rowCount = arguments.input.count
    guard rowCount * columnCount <= 4096 else {
      throw OpcodeError(
        argument: "icolumns", is: columns, mustBe: "at most 4096 over the number of rows")
    }
    let table = try context.table(arguments.pins.value, argument: "ipins")
    guard table.count >= rowCount * columnCount else {
      throw OpcodeError(
        argument: "ipins", is: arguments.pins.value,
        mustBe: "the number of a table with an element for each row and column")
    }
    seen = try context.buffer(of: Double.self, count: rowCount * columnCount)
    pins = try context.buffer(of: Pin.self, count: rowCount * columnCount)
    sums = try context.buffer(of: Lanes.self, count: columnCount)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard arguments.input.count == rowCount, arguments.output.count == columnCount else {
      throw OpcodeError("the length of its array has changed since the init pass.")
    }
    guard let table = context.table(arguments.pins.value), table.count >= rowCount * columnCount
    else { throw OpcodeError("its table of pins was deleted or made shorter.") }
    let frames = context.frames
    let asked = arguments.tolerance.value
    let tolerance = asked > 0 ? min(asked, 1) : 0
    if look(at: table, frames.count) || isNew || tolerance != self.tolerance {
      self.tolerance = tolerance
      collect()
      isNew = false
    }
    let limit = arguments.limit.value > 0 ? arguments.limit.value * context.fullScale : .infinity
    var frame = frames.lowerBound
    while frame &+ 8 <= frames.upperBound {
      add(arguments, at: frame, limit)
      frame &+= 8
    }
    while frame < frames.upperBound {
      addOne(arguments, at: frame, limit)
      frame &+= 1
    }
  }

  /// Reads part of the table, so that all of it is read within 64 samples; returns whether something has changed.
  private mutating func look(at table: FunctionTable, _ frameCount: Int) -> Bool {
    let count = seen.count
    var isOther = false
    let enough = isNew ? count : min(count, max(1, (count &* frameCount &+ 63) / 64))
    var looked = 0
    while looked < enough {
      let value = table[place]
      if value.bitPattern != seen[place].bitPattern {
        seen[place] = value
        isOther = true
      }
      place = place &+ 1 == count ? 0 : place &+ 1
      looked &+= 1
    }
    return isOther
  }

  /// Builds the list of pins, row by row.
  private mutating func collect() {
    pinCount = 0
    guard rowCount > 0 else { return }
    for index in 0..<seen.count {
      let value = seen[index]
      guard value != 0, value == value else { continue }
      let error = 2 * Math.fraction(0.618_033_988_749_894_9 * Double(index + 1)) - 1
      pins[pinCount] = Pin(
        row: index / columnCount, column: index % columnCount,
        gain: max(-1000, min(1000, value)) * (1 + tolerance * error))
      pinCount += 1
    }
  }

  /// Processes eight frames. All rows are read before a column is written, because they can share memory.
  @inline(__always) @_semantics("no_performance_analysis")
  private func add(_ arguments: Arguments, at frame: Int, _ limit: Double) {
    for column in 0..<columnCount { sums[column] = Lanes(0) }
    for index in 0..<pinCount {
      let pin = pins[index]
      sums[pin.column] =
        sums[pin.column] + Lanes(pin.gain) * arguments.input[pin.row].lanes(at: frame)
    }
    for column in 0..<columnCount {
      let sum = limit < .infinity ? Self.bounded(sums[column], limit) : sums[column]
      arguments.output[column].setLanes(sum, at: frame)
    }
  }

  @inline(__always) @_semantics("no_performance_analysis")
  private func addOne(_ arguments: Arguments, at frame: Int, _ limit: Double) {
    for column in 0..<columnCount { sums[column] = Lanes(0) }
    for index in 0..<pinCount {
      let pin = pins[index]
      sums[pin.column] = sums[pin.column] + Lanes(pin.gain * arguments.input[pin.row][frame])
    }
    for column in 0..<columnCount {
      let sum = limit < .infinity ? Self.bounded(sums[column], limit) : sums[column]
      arguments.output[column][frame] = sum[0]
    }
  }

  @inline(__always) @_semantics("no_performance_analysis")
  private static func bounded(_ lanes: Lanes, _ limit: Double) -> Lanes {
    .maximum(Lanes(-limit), .minimum(lanes, Lanes(limit)))
  }
}
