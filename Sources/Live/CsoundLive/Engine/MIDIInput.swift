import CCsound
import CsoundHost

/// Feeds Csound's own MIDI opcodes from a `MIDIQueue`, and passes what they send to a `MIDISink`.
package enum MIDIInput {
  /// Tells an engine that the host provides MIDI in and out. Call it before anything is compiled.
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
    csoundSetExternalMidiOutOpenCallback(engine) { _, userData, _ in
      userData?.pointee = nil
      return 0
    }
    csoundSetExternalMidiWriteCallback(engine) { engine, _, bytes, count in
      guard let engine, let bytes, (1...3).contains(count),
        let sink = MIDIInput.sinkPlace(engine)?.pointee
      else { return count }
      var word: UInt32 = 0
      for index in 0..<Int(count) {
        word |= UInt32(bytes[index]) << (8 &* UInt32(truncatingIfNeeded: index))
      }
      sendMIDI(sink, word, Int(count))
      return count
    }
    csoundSetExternalMidiOutCloseCallback(engine) { _, _ in 0 }
  }

  /// Lets Csound read from `queue` until `disconnect`.
  package static func connect(
    _ engine: UnsafeMutablePointer<CSOUND>, _ queue: UnsafeMutablePointer<MIDIQueue>
  ) {
    csoundCreateGlobalVariable(engine, name, MemoryLayout<UnsafeRawPointer>.size)
    place(engine)?.pointee = queue
  }

  /// Lets Csound send to `sink` until `disconnect`.
  static func connect(
    _ engine: UnsafeMutablePointer<CSOUND>, _ sink: UnsafeMutablePointer<MIDISink>
  ) {
    csoundCreateGlobalVariable(engine, sinkName, MemoryLayout<UnsafeRawPointer>.size)
    sinkPlace(engine)?.pointee = sink
  }

  package static func disconnect(_ engine: UnsafeMutablePointer<CSOUND>) {
    place(engine)?.pointee = nil
    sinkPlace(engine)?.pointee = nil
  }

  private static let name = "OpcodeKit.live.midi"
  private static let sinkName = "OpcodeKit.live.midi-out"

  private typealias Place<Memory> = UnsafeMutablePointer<UnsafeMutablePointer<Memory>?>

  private static func sinkPlace(_ engine: UnsafeMutablePointer<CSOUND>) -> Place<MIDISink>? {
    csoundQueryGlobalVariable(engine, sinkName)?.assumingMemoryBound(
      to: Place<MIDISink>.Pointee.self)
  }

  private static func place(_ engine: UnsafeMutablePointer<CSOUND>) -> Place<MIDIQueue>? {
    csoundQueryGlobalVariable(engine, name)?.assumingMemoryBound(to: Place<MIDIQueue>.Pointee.self)
  }
}
