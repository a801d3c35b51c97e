import CCsound
import CsoundHost

/// Feeds Csound's own MIDI opcodes from a `MIDIQueue`.
package enum MIDIInput {
  /// Tells an engine that the host provides MIDI input. Call it before anything is compiled.
  package static func announce(_ engine: UnsafeMutablePointer<CSOUND>) {
    ccs_take_midi(engine)
    csoundSetExternalMidiInOpenCallback(engine) { _, userData, _ in
      userData?.pointee = nil
      return 0
    }
    csoundSetExternalMidiReadCallback(engine) { engine, _, buffer, count in
      guard let engine, let buffer,
        let queue = MIDIInput.place(engine)?.pointee
      else { return 0 }
      return CInt(queue.pointee.take(buffer, Int(count)))
    }
    csoundSetExternalMidiInCloseCallback(engine) { _, _ in 0 }
  }

  /// Lets Csound read from `queue` until `disconnect`.
  package static func connect(
    _ engine: UnsafeMutablePointer<CSOUND>, _ queue: UnsafeMutablePointer<MIDIQueue>
  ) {
    csoundCreateGlobalVariable(engine, name, MemoryLayout<UnsafeRawPointer>.size)
    place(engine)?.pointee = queue
  }

  package static func disconnect(_ engine: UnsafeMutablePointer<CSOUND>) {
    place(engine)?.pointee = nil
  }

  private static let name = "OpcodeKit.live.midi"

  private static func place(
    _ engine: UnsafeMutablePointer<CSOUND>
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<MIDIQueue>?>? {
    csoundQueryGlobalVariable(engine, name)?.assumingMemoryBound(
      to: UnsafeMutablePointer<MIDIQueue>?.self)
  }
}
