import CALSA

/// What events of ALSA's sequencer are: MIDI, and clients that come and go.
package final class SequencerEvents {
  package enum Meaning: Equatable {
    case bytes([UInt8])
    /// A client has a new port, or has gone.
    case arrived(CInt)
    case left(CInt)
    case nothing
  }

  private let decoder: OpaquePointer

  /// Nil where there is no memory for it.
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
    default:
      var buffer = [UInt8](repeating: 0, count: 64)
      let count = snd_midi_event_decode(decoder, &buffer, buffer.count, event)
      return count > 0 ? .bytes(Array(buffer[..<count])) : .nothing
    }
  }

  /// Whether a client is one of those that `name` means: `all` is all hardware, else it begins so.
  package static func isWanted(_ client: String, isHardware: Bool, by name: String) -> Bool {
    name == "all" ? isHardware : client.hasPrefix(name)
  }
}
