public import CCsound

extension Context {
  /// A p-field of the note: 1 is the instrument, 2 the start, 3 the length in seconds. Nil when the
  /// instrument uses none of this number.
  @inlinable @_semantics("no_performance_analysis")
  public func pField(_ number: Int) -> Double? {
    CsoundBlock.pField(number, of: block)
  }

  /// Key (0 to 127) and velocity (1 to 127) of the MIDI note that plays the instrument; nil when a
  /// score or another instrument does.
  @inlinable public var midiNote: (key: Int, velocity: Int)? { CsoundBlock.midiNote(of: block) }

  /// The MIDI channel from 1 to 16 that plays the instrument; nil when none does.
  @inlinable public var midiChannel: Int? {
    @_semantics("no_performance_analysis") get {
      let channel = Int(ccs_midi_channel(csound, block))
      return channel >= 0 ? channel + 1 : nil
    }
  }

  /// Whether the note is in its release, after its end and before its last sample.
  @inlinable public var isReleasing: Bool { CsoundBlock.isReleasing(block) }

  /// Says something in Csound's messages [init and deinit pass].
  ///
  /// The corresponding C function is `csoundMessage`.
  public func message(_ sentence: StaticString) { ccs_message(csound, block, sentence.cString) }

  /// Warns in Csound's messages, where warnings are not switched off [init and deinit pass].
  ///
  /// The corresponding C function is `csoundWarning`.
  public func warning(_ sentence: StaticString) { ccs_warning(csound, block, sentence.cString) }
}
