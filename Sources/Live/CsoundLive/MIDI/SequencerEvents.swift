import CALSA

/// Decodes events of ALSA's sequencer: MIDI messages, and clients that come and go. Encodes MIDI messages as events.
package final class SequencerEvents {
  package enum Meaning: Equatable {
    case bytes([UInt8])
    /// The client with this number has a new port.
    case arrived(CInt)
    /// The client with this number has gone.
    case left(CInt)
    case nothing
  }

  private let decoder: OpaquePointer

  /// Nil if there is no memory for it.
  package init?() {
    var decoder: OpaquePointer?
    guard snd_midi_event_new(64, &decoder) == 0, let decoder else { return nil }
    // Whole messages, without running status.
    snd_midi_event_no_status(decoder, 1)
    self.decoder = decoder
  }

  deinit { snd_midi_event_free(decoder) }

  package func meaning(of event: UnsafeMutablePointer<snd_seq_event_t>) -> Meaning {
    switch snd_seq_event_type(UInt32(event.pointee.type)) {
    case SND_SEQ_EVENT_PORT_START: return .arrived(CInt(event.pointee.data.addr.client))
    case SND_SEQ_EVENT_CLIENT_EXIT: return .left(CInt(event.pointee.data.addr.client))
    // Comes in parts, which would be taken for other messages. Csound does nothing with it.
    case SND_SEQ_EVENT_SYSEX: return .nothing
    default:
      var buffer = [UInt8](repeating: 0, count: 64)
      let count = snd_midi_event_decode(decoder, &buffer, buffer.count, event)
      return count > 0 ? .bytes(Array(buffer[..<count])) : .nothing
    }
  }

  /// The event for a whole message; nil if the bytes are none.
  package func event(of bytes: [UInt8]) -> snd_seq_event_t? {
    var event = snd_seq_event_t()
    snd_midi_event_reset_encode(decoder)
    let count = snd_midi_event_encode(decoder, bytes, bytes.count, &event)
    guard count == bytes.count, event.type != UInt8(SND_SEQ_EVENT_NONE.rawValue) else { return nil }
    return event
  }

  /// Whether `name` means this client: `all` means all hardware, any other name the clients whose names begin with it. The
  /// kernel's "Midi Through" is no hardware, and would send back what it gets.
  package static func isWanted(_ client: String, isHardware: Bool, by name: String) -> Bool {
    name == "all" ? isHardware && client != "Midi Through" : client.hasPrefix(name)
  }
}
