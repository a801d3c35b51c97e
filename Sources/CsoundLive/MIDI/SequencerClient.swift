import CALSA
import HarnessBase

/// A client of ALSA's sequencer that listens to others, also to those that come later.
final class SequencerClient: MIDIBytes {
  private let sequencer: OpaquePointer
  private let decoder: OpaquePointer
  private let port: CInt
  private let wanted: String
  /// Clients that are heard, by their numbers.
  private var heard: Set<CInt> = []

  init(_ name: String) throws(Failure) {
    alsa_be_quiet()
    var handle: OpaquePointer?
    let error = snd_seq_open(&handle, "default", CInt(SND_SEQ_OPEN_INPUT), CInt(SND_SEQ_NONBLOCK))
    guard error == 0, let sequencer = handle else {
      throw Failure(
        .unavailable,
        "ALSA's sequencer cannot be opened: \(String(cString: snd_strerror(error)))."
          + " MIDI can also be read from a FIFO or a device, whose path has a '/'.")
    }
    var decoder: OpaquePointer?
    guard snd_midi_event_new(64, &decoder) == 0, let decoder else {
      snd_seq_close(sequencer)
      throw Failure(.unavailable, "There is no memory left for MIDI.")
    }
    snd_midi_event_no_status(decoder, 1)
    (self.sequencer, self.decoder, wanted) = (sequencer, decoder, name)
    snd_seq_set_client_name(sequencer, "OpcodeKit")
    port = snd_seq_create_simple_port(
      sequencer, "input", CUnsignedInt(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE),
      CUnsignedInt(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION))
    // The system's announcements of clients that come and go.
    snd_seq_connect_from(sequencer, port, 0, 1)
    connectAll()
    guard !heard.isEmpty || name == "all" else {
      close()
      throw Failure(
        .unavailable, "No client of ALSA's sequencer is called '\(name)'; aconnect -i lists them.")
    }
  }

  func close() {
    snd_midi_event_free(decoder)
    snd_seq_close(sequencer)
  }

  private func connectAll() {
    var client: OpaquePointer?
    snd_seq_client_info_malloc(&client)
    defer { snd_seq_client_info_free(client) }
    snd_seq_client_info_set_client(client, -1)
    while snd_seq_query_next_client(sequencer, client) == 0 {
      connect(snd_seq_client_info_get_client(client))
    }
  }

  /// Listens to all readable ports of a client, if it is one of those wanted.
  private func connect(_ number: CInt) {
    // 0 is the system.
    guard number != 0, number != snd_seq_client_id(sequencer) else { return }
    var client: OpaquePointer?
    var info: OpaquePointer?
    snd_seq_client_info_malloc(&client)
    snd_seq_port_info_malloc(&info)
    defer {
      snd_seq_client_info_free(client)
      snd_seq_port_info_free(info)
    }
    guard snd_seq_get_any_client_info(sequencer, number, client) == 0 else { return }
    let name = String(cString: snd_seq_client_info_get_name(client))
    let isHardware = snd_seq_client_info_get_type(client) == SND_SEQ_KERNEL_CLIENT
    guard wanted == "all" ? isHardware : name.hasPrefix(wanted) else { return }
    let readable = CUnsignedInt(SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ)
    snd_seq_port_info_set_client(info, number)
    snd_seq_port_info_set_port(info, -1)
    while snd_seq_query_next_port(sequencer, info) == 0 {
      guard snd_seq_port_info_get_capability(info) & readable == readable else { continue }
      if snd_seq_connect_from(sequencer, port, number, snd_seq_port_info_get_port(info)) == 0 {
        heard.insert(number)
      }
    }
  }

  func read(waiting milliseconds: CInt) -> MIDIReading {
    var poller = pollfd()
    guard snd_seq_poll_descriptors(sequencer, &poller, 1, Int16(POLLIN)) == 1,
      poll(&poller, 1, milliseconds) > 0
    else { return .nothing }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64)
    var event: UnsafeMutablePointer<snd_seq_event_t>?
    while snd_seq_event_input(sequencer, &event) >= 0, let event {
      switch snd_seq_event_type(UInt32(event.pointee.type)) {
      case SND_SEQ_EVENT_PORT_START: connect(CInt(event.pointee.data.addr.client))
      case SND_SEQ_EVENT_CLIENT_EXIT:
        if heard.remove(CInt(event.pointee.data.addr.client)) != nil { return .lost }
      default:
        let count = snd_midi_event_decode(decoder, &buffer, buffer.count, event)
        if count > 0 { bytes += buffer[..<count] }
      }
    }
    return bytes.isEmpty ? .nothing : .bytes(bytes)
  }
}
