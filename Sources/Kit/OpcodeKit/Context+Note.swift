public import CCsound

extension Context {
  /// A p-field of the note: 1 is the instrument number, 2 the start time and 3 the duration in
  /// seconds. Nil for a number above 3 that the instrument does not use.
  @inlinable @_semantics("no_performance_analysis")
  public func pField(_ number: Int) -> Double? {
    CsoundBlock.pField(number, of: block)
  }

  /// Key (0 to 127) and velocity (1 to 127) of the MIDI note that plays the instrument; nil when
  /// the note comes from a score or from another instrument.
  @inlinable public var midiNote: (key: Int, velocity: Int)? { CsoundBlock.midiNote(of: block) }

  /// The MIDI channel, 1 to 16, that plays the instrument; nil when the note does not come from
  /// MIDI.
  @inlinable public var midiChannel: Int? {
    @_semantics("no_performance_analysis") get {
      let channel = Int(ccs_midi_channel(csound, block))
      return channel >= 0 ? channel + 1 : nil
    }
  }

  /// Whether the note is in its release phase: its duration is over, but it still sounds.
  @inlinable public var isReleasing: Bool { CsoundBlock.isReleasing(block) }

  /// Keeps the note sounding for so many k-cycles after its duration, or for as many as another opcode of it asks for
  /// [init pass].
  public func keepSounding(cycles: Int) {
    let instrument = CsoundBlock.instrument(of: block)
    instrument.pointee.xtratim = max(
      instrument.pointee.xtratim, Int32(truncatingIfNeeded: min(cycles, 0x7FFF_FFFF)))
  }

  /// Prints a sentence in Csound's message log, preceded by the opcode's name: `context.message("\(count) voices")`
  /// [init and deinit pass].
  ///
  /// The corresponding C function is `csoundMessage`.
  public func message(_ sentence: Message) {
    withUnsafePointer(to: sentence.text) { ccs_message(csound, block, $0, 0) }
  }

  /// Prints a warning in Csound's message log, unless warnings are switched off [init and deinit
  /// pass].
  ///
  /// The corresponding C function is `csoundWarning`.
  public func warning(_ sentence: Message) {
    withUnsafePointer(to: sentence.text) { ccs_message(csound, block, $0, 1) }
  }

  /// Prints a sentence as `message` does, from a performance pass too, for finding a fault [any pass].
  ///
  /// Csound writes in the thread that computes the sound, which waits for the terminal, as with `printk`. Remove the call
  /// from a finished opcode; `validate` finds it if it prints in every k-cycle.
  @_semantics("no_performance_analysis")
  public func trace(_ sentence: Message) { message(sentence) }
}

/// A sentence with up to eight numbers, and texts, in it. It has at most 255 bytes; what is longer is cut off. It needs no
/// memory but the stack's, so a plugin for any Csound can make one in any pass.
@frozen
public struct Message: ExpressibleByStringInterpolation, BitwiseCopyable {
  @usableFromInline let text: ccs_text

  @_semantics("no_performance_analysis")
  public init(stringLiteral sentence: StaticString) {
    var text = ccs_text()
    ccs_text_append(&text, sentence.cString, sentence.utf8CodeUnitCount)
    self.text = text
  }

  @_semantics("no_performance_analysis")
  public init(stringInterpolation parts: Parts) { text = parts.text }

  /// The parts of a sentence, in order.
  @frozen
  public struct Parts: StringInterpolationProtocol, BitwiseCopyable {
    @usableFromInline var text = ccs_text()

    @_semantics("no_performance_analysis")
    public init(literalCapacity: Int, interpolationCount: Int) {}

    @_semantics("no_performance_analysis")
    public mutating func appendLiteral(_ literal: StaticString) {
      ccs_text_append(&text, literal.cString, literal.utf8CodeUnitCount)
    }

    /// A number with up to ten digits.
    @_semantics("no_performance_analysis")
    public mutating func appendInterpolation(_ number: Double) {
      ccs_text_append_number(&text, number, 0)
    }

    @_semantics("no_performance_analysis")
    public mutating func appendInterpolation(_ number: Int) {
      ccs_text_append_number(&text, Double(number), 1)
    }

    @_semantics("no_performance_analysis")
    public mutating func appendInterpolation(_ words: StaticString) { appendLiteral(words) }

    /// The text of a string argument.
    @_semantics("no_performance_analysis")
    public mutating func appendInterpolation(_ words: StringInput) {
      ccs_text_append(&text, words.string.pointee.data, words.bytes.count)
    }
  }
}
