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

  /// Prints a sentence in Csound's message log, preceded by the opcode's name [init and deinit
  /// pass].
  ///
  /// The corresponding C function is `csoundMessage`.
  public func message(_ sentence: StaticString) { ccs_message(csound, block, sentence.cString) }

  /// Prints a warning in Csound's message log, unless warnings are switched off [init and deinit
  /// pass].
  ///
  /// The corresponding C function is `csoundWarning`.
  public func warning(_ sentence: StaticString) { ccs_warning(csound, block, sentence.cString) }
}
