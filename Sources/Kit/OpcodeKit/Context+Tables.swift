import CCsound

extension Context {
  /// Makes a function table with a free number and returns the number, for an output of the opcode or for
  /// `table(_:argument:)` [init pass]. `value` gives each element by its index, from 0; the guard point is the first.
  ///
  /// Like a table of `ftgen` it stays until the engine is reset: make it once (`shared`), or delete it in the deinit pass.
  ///
  /// Throws when `count` is below 1 or above 2^24, or when Csound has no memory for it.
  ///
  /// The corresponding C functions are `hfgens` in Csound 6 and `FTCreate` in Csound 7.
  public func createTable(
    count: Int, _ value: (Int) -> Double
  ) throws(OpcodeError) -> Double {
    try requireCount(count)
    // A positive size that is a power of two and one more would count the guard point.
    let number = try made(-count, -2, nil, .init(repeating: 0), 1)
    let elements = try table(number, argument: "the new table")
    for index in 0..<elements.count { elements[index] = value(index) }
    elements.wrapGuardPoint()
    return number
  }

  /// The same with elements computed by one of Csound's GEN routines from up to eight parameters [init pass]:
  /// `createTable(count: 8192, generator: 10, 1, 0.5)` is `ftgen 0, 0, 8192, 10, 1, 0.5`. A negative `generator` leaves
  /// the elements as they are; a positive one scales them to a peak of 1.
  public func createTable(
    count: Int, generator: Int, _ first: Double, _ second: Double? = nil, _ third: Double? = nil,
    _ fourth: Double? = nil, _ fifth: Double? = nil, _ sixth: Double? = nil,
    _ seventh: Double? = nil, _ eighth: Double? = nil
  ) throws(OpcodeError) -> Double {
    try requireCount(count)
    return try createTable(
      signedCount: count, generator: generator,
      [first, second, third, fourth, fifth, sixth, seventh, eighth])
  }

  private func requireCount(_ count: Int) throws(OpcodeError) {
    guard count >= 1, count <= 1 << 24 else {
      throw OpcodeError(
        argument: "table size", is: Double(count), mustBe: "from 1 to 16777216")
    }
  }

  /// The same with the size as `ftgen` has it: negative for any length, 0 for the GEN routine's own.
  func createTable(
    signedCount count: Int, generator: Int, _ parameters: InlineArray<8, Double?>
  ) throws(OpcodeError) -> Double {
    guard count.magnitude <= 1 << 24 else {
      throw OpcodeError(argument: "table size", is: Double(count), mustBe: "within ±16777216")
    }
    var given = 8
    while given > 1, parameters[given - 1] == nil { given -= 1 }
    let all = InlineArray<8, Double> { parameters[$0] ?? 0 }
    return try made(count, generator, nil, all, CInt(given))
  }

  /// A table with a sound file, as long as the file, and its number [init pass]. Csound looks for the file in the
  /// current directory, then in those of its variable SSDIR. A `channel` from 1 takes that one only; 0 all, interleaved.
  ///
  /// Throws when there is no such file, or none that Csound can read.
  public func createTable(
    soundFile: StringInput, channel: Int = 0
  ) throws(OpcodeError) -> Double {
    try made(
      0, -1, UnsafePointer(soundFile.string.pointee.data),
      [0, 0, Double(channel), 0, 0, 0, 0, 0], 3)
  }

  private func made(
    _ count: Int, _ generator: Int, _ text: UnsafePointer<CChar>?,
    _ parameters: InlineArray<8, Double>, _ given: CInt
  ) throws(OpcodeError) -> Double {
    let number = withUnsafeBytes(of: parameters) {
      ccs_create_table(
        csound, count, CInt(clamping: generator), text,
        $0.baseAddress?.assumingMemoryBound(to: Double.self), given)
    }
    guard number > 0 else {
      throw OpcodeError("Csound could not make a table; its own message is above.")
    }
    return Double(number)
  }

  /// Deletes a table, if there is one with this number [init and deinit pass]. Nothing may read it any more.
  ///
  /// The corresponding C function is `FTDelete`.
  public func deleteTable(_ number: Double) {
    ccs_delete_table(csound, number)
  }
}
