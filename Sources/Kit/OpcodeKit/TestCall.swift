#if !hasFeature(Embedded)
  internal import CCsound

  /// An opcode called without Csound, for unit tests.
  ///
  ///     let call = try TestCall<Gain<ControlInput>>([1, 0.5, -0.25], 2)
  ///     #expect(try call.perform() == [[2, 1, -0.5]])
  ///
  /// Inputs are in Csound's order, optional ones included: an array of samples for an audio input, a number for any
  /// other. The opcode has a note of its own, with 0dbfs 1 and A4 at 440 Hz. Audio, k-rate and i-time arguments work, and
  /// buffers. For an opcode with other arguments, or one that asks for a table or a shared value, an error is thrown that
  /// names the opcode: play it in an orchestra.
  public final class TestCall<Opcode: InitOpcode> {
    /// What is passed to the opcode. A change takes effect in the next k-cycle.
    public var inputs: [TestValue]
    /// The samples at the start of the next k-cycle that come before the note, as with `--sample-accurate`: from 0 to
    /// `ksmps`.
    public var offset = 0
    /// The samples at the end of the next k-cycle that come after the note: from 0 to `ksmps`.
    public var earlyEnd = 0
    /// The opcode's state.
    public private(set) var opcode: Opcode

    private let engine: UnsafeMutablePointer<ccs_stand_in>
    private let name: UnsafeMutablePointer<CChar>
    private let block: BlockPointer
    private let fields: [TestField]

    /// Calls the init pass, which must succeed.
    ///
    /// - Parameters:
    ///   - inputs: a value for each input.
    ///   - sampleRate: in Hz.
    ///   - ksmps: the samples in a k-cycle; as many as the first array has unless given, or else 64.
    public init(
      _ inputs: TestValue..., sampleRate: Double = 48000, ksmps: Int? = nil
    ) throws {
      let ksmps = ksmps ?? inputs.lazy.compactMap(\.count).first ?? 64
      let size = BlockLayout<Opcode>.size
      let block = BlockPointer.allocate(byteCount: size, alignment: 16)
      block.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      let name = strdup("\(Opcode.self)")!
      let engine = ccs_begin_stand_in(block, name, sampleRate, UInt32(ksmps))!
      let arguments = Mirror(reflecting: BlockLayout<Opcode>.arguments(block))
      let fields = try arguments.children.map { child in
        try TestField(child.value, called: child.label ?? "", of: Opcode.self, ksmps: ksmps)
      }
      (self.engine, self.name, self.block, self.fields) = (engine, name, block, fields)
      self.inputs = inputs
      let row = (block + CsoundBlock.headerSize).assumingMemoryBound(
        to: UnsafeMutablePointer<Double>.self)
      for (index, field) in fields.enumerated() { row[index] = field.values.baseAddress! }
      try Self.pass(inputs, to: fields)
      Checks.enter(block, "init pass")
      defer { Checks.leave() }
      BlockLayout<Opcode>.mark(block).pointee.state = .ready
      opcode = try Self.answered { () throws(OpcodeError) in
        try Opcode(BlockLayout<Opcode>.arguments(block), Self.context(of: engine, block))
      }
    }

    /// Calls a pass. Throws another error than the pass if it has asked Csound for something.
    private static func answered<R>(_ pass: () throws(OpcodeError) -> R) throws -> R {
      ccs_stand_in_lack().pointee = 0
      let result = Result(catching: pass)
      guard ccs_stand_in_lack().pointee == 0 else {
        throw TestCallError(
          "\(Opcode.self) asks Csound for something that a TestCall lacks, such as a table or a shared value; play it in"
            + " an orchestra.")
      }
      return try result.get()
    }

    deinit {
      let slots = (block + BlockLayout<Opcode>.buffersOffset).assumingMemoryBound(
        to: BufferSlot.self)
      for number in 0..<Opcode.bufferCount { free(slots[number].memory.auxp) }
      for field in fields { field.values.deallocate() }
      block.deallocate()
      free(name)
      free(engine)
    }

    /// The values of the outputs after the last pass: `ksmps` samples of an audio output, one number of any other.
    public var outputs: [[Double]] {
      fields.filter(\.isOutput).map { Array($0.values) }
    }

    private static func context(
      of engine: UnsafeMutablePointer<ccs_stand_in>, _ block: BlockPointer
    ) -> Context {
      let csound = UnsafeMutableRawPointer(engine).assumingMemoryBound(to: CSOUND.self)
      return BlockLayout<Opcode>.context(csound, block)
    }

    private static func pass(_ inputs: [TestValue], to fields: [TestField]) throws {
      let places = fields.filter { !$0.isOutput }
      guard inputs.count == places.count else {
        throw TestCallError(
          "\(Opcode.self) has \(places.count) inputs, and \(inputs.count) were given.")
      }
      for (input, place) in zip(inputs, places) { try place.take(input, of: Opcode.self) }
    }

    fileprivate func perform(
      _ body: (inout Opcode, Opcode.Arguments, Context) throws(OpcodeError) -> Void
    ) throws -> [[Double]] {
      try Self.pass(inputs, to: fields)
      engine.pointee.note.kcounter += 1
      engine.pointee.note.ksmps_offset = UInt32(offset)
      engine.pointee.note.ksmps_no_end = UInt32(earlyEnd)
      Checks.enter(block, "performance pass")
      defer { Checks.leave() }
      try Self.answered { () throws(OpcodeError) in
        try body(&opcode, BlockLayout<Opcode>.arguments(block), Self.context(of: engine, block))
      }
      for output in fields where output.isOutput && output.isAudio {
        CsoundBlock.silence(
          output.values.baseAddress!, output.values.count, outside: CsoundBlock.frames(of: block))
      }
      return outputs
    }
  }

  extension TestCall where Opcode: AudioOpcode {
    /// Calls the performance pass for one k-cycle and returns the outputs.
    @discardableResult
    public func perform() throws -> [[Double]] {
      try perform { opcode, arguments, context throws(OpcodeError) in
        try opcode.perform(arguments, context)
      }
    }
  }

  extension TestCall where Opcode: ControlOpcode {
    /// Calls the performance pass for one k-cycle and returns the outputs.
    @discardableResult
    public func perform() throws -> [[Double]] {
      try perform { opcode, arguments, context throws(OpcodeError) in
        try opcode.perform(arguments, context)
      }
    }
  }

  /// The value of an input in a `TestCall`.
  public enum TestValue: Sendable, ExpressibleByArrayLiteral, ExpressibleByFloatLiteral,
    ExpressibleByIntegerLiteral
  {
    /// A number; for an audio input the same in all samples.
    case number(Double)
    /// The samples of an audio input in one k-cycle.
    case samples([Double])

    public init(arrayLiteral elements: Double...) { self = .samples(elements) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(integerLiteral value: Int) { self = .number(Double(value)) }

    /// How many samples there are; nil for a number.
    var count: Int? { if case .samples(let samples) = self { samples.count } else { nil } }
  }

  /// The memory of one argument.
  private struct TestField {
    let name: String
    let isOutput: Bool
    let isAudio: Bool
    let values: UnsafeMutableBufferPointer<Double>

    init(_ argument: Any, called name: String, of opcode: Any.Type, ksmps: Int) throws {
      isAudio = argument is AudioInput || argument is AudioOutput
      guard let type = type(of: argument) as? any Argument.Type, isAudio || type.isNumber else {
        throw TestCallError(
          "'\(name)' of \(opcode) is a \(Swift.type(of: argument)), which a TestCall does not have; play it in an"
            + " orchestra.")
      }
      self.name = name
      isOutput = type.isOutput
      values = .allocate(capacity: isAudio ? ksmps : 1)
      values.initialize(repeating: 0)
    }

    func take(_ value: TestValue, of opcode: Any.Type) throws {
      switch value {
      case .number(let number): values.update(repeating: number)
      case .samples(let samples):
        guard samples.count == values.count else {
          throw TestCallError(
            "'\(name)' of \(opcode) takes \(values.count) samples, and \(samples.count) were given."
          )
        }
        _ = values.update(fromContentsOf: samples)
      }
    }
  }

  /// Why an opcode cannot be called without Csound, or not in this way.
  private struct TestCallError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
  }

  extension OpcodeError: CustomStringConvertible {
    /// The message as Csound prints it, without the opcode's name.
    public var description: String {
      guard let argument else { return String(cString: text) }
      return "'\(String(cString: argument))' is \(found); it must be \(String(cString: text))."
    }
  }
#endif
