import CALSA
import HarnessBase

/// A client of ALSA's sequencer that reads other clients, including those that appear later.
final class SequencerClient: MIDIBytes {
  private let sequencer: OpaquePointer
  private let events: SequencerEvents
  private let port: CInt
  private let wanted: String
  /// The numbers of the clients that are read.
  private var heard: Set<CInt> = []

  init(_ name: String) throws(Failure) {
    let sequencer = try Self.open(
      CInt(SND_SEQ_OPEN_INPUT), "read from a FIFO or a device, whose path has a '/'")
    guard let events = SequencerEvents() else {
      snd_seq_close(sequencer)
      throw .unavailable("There is no memory left for MIDI.")
    }
    (self.sequencer, self.events, wanted) = (sequencer, events, name)
    port = snd_seq_create_simple_port(
      sequencer, "input", CUnsignedInt(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE),
      CUnsignedInt(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION))
    // Receives the system's announcements of clients that come and go.
    snd_seq_connect_from(sequencer, port, 0, 1)
    connectAll()
    guard !heard.isEmpty || name == "all" else {
      close()
      let known = Set(MIDISource.all().map(\.name))
      throw .unavailable(
        NearNames.unknown("No source of MIDI", name, known) + " ./opcodekit devices lists them.")
    }
  }

  func close() { snd_seq_close(sequencer) }

  /// Opens the sequencer. `otherwise` says what MIDI can be done with instead.
  static func open(_ ways: CInt, _ otherwise: String) throws(Failure) -> OpaquePointer {
    alsa_be_quiet()
    var handle: OpaquePointer?
    let error = snd_seq_open(&handle, "default", ways, CInt(SND_SEQ_NONBLOCK))
    guard error == 0, let sequencer = handle else {
      throw .unavailable(
        "ALSA's sequencer cannot be opened: \(String(cString: snd_strerror(error)))."
          + " MIDI can also be \(otherwise).")
    }
    snd_seq_set_client_name(sequencer, "OpcodeKit")
    return sequencer
  }

  private func connectAll() {
    for client in Self.clients(sequencer) { connect(client.number) }
  }

  struct Client {
    var number: CInt
    var name: String
    var isHardware: Bool
  }

  /// All clients except the system and this one.
  static func clients(_ sequencer: OpaquePointer) -> [Client] {
    var info: OpaquePointer?
    snd_seq_client_info_malloc(&info)
    defer { snd_seq_client_info_free(info) }
    snd_seq_client_info_set_client(info, -1)
    var clients: [Client] = []
    while snd_seq_query_next_client(sequencer, info) == 0 { clients.append(client(info!)) }
    return clients.filter { $0.number != 0 && $0.number != snd_seq_client_id(sequencer) }
  }

  private static func client(_ info: OpaquePointer) -> Client {
    Client(
      number: snd_seq_client_info_get_client(info),
      name: String(cString: snd_seq_client_info_get_name(info)),
      isHardware: snd_seq_client_info_get_type(info) == SND_SEQ_KERNEL_CLIENT)
  }

  /// Which way MIDI goes, seen from here.
  enum Way { case input, output }

  /// The ports of a client that others may read, or write to.
  static func ports(_ sequencer: OpaquePointer, of client: CInt, _ way: Way) -> [CInt] {
    var info: OpaquePointer?
    snd_seq_port_info_malloc(&info)
    defer { snd_seq_port_info_free(info) }
    let needed = CUnsignedInt(
      way == .input
        ? SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ
        : SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE)
    snd_seq_port_info_set_client(info, client)
    snd_seq_port_info_set_port(info, -1)
    var ports: [CInt] = []
    while snd_seq_query_next_port(sequencer, info) == 0 {
      if snd_seq_port_info_get_capability(info) & needed == needed {
        ports.append(snd_seq_port_info_get_port(info))
      }
    }
    return ports
  }

  /// The clients that can be read; empty if there is no sequencer.
  static func sources() -> [MIDISource] { list(.input, "A program that sends MIDI") }

  /// The clients that take MIDI; empty if there is no sequencer.
  static func receivers() -> [MIDISource] { list(.output, "A program that takes MIDI") }

  private static func list(_ way: Way, _ program: String) -> [MIDISource] {
    alsa_be_quiet()
    var handle: OpaquePointer?
    guard snd_seq_open(&handle, "default", CInt(SND_SEQ_OPEN_INPUT), CInt(SND_SEQ_NONBLOCK)) == 0,
      let handle
    else { return [] }
    defer { snd_seq_close(handle) }
    return clients(handle).filter { !ports(handle, of: $0.number, way).isEmpty }.map {
      MIDISource(name: $0.name, summary: $0.isHardware ? "A MIDI device" : program)
    }
  }

  /// Connects to all readable ports of a client, if the client is wanted.
  private func connect(_ number: CInt) {
    guard
      let client = Self.clients(sequencer).first(where: { $0.number == number }),
      SequencerEvents.isWanted(client.name, isHardware: client.isHardware, by: wanted)
    else { return }
    for port in Self.ports(sequencer, of: number, .input)
    where snd_seq_connect_from(sequencer, self.port, number, port) == 0 {
      heard.insert(number)
    }
  }

  func read(waiting milliseconds: CInt) -> MIDIReading {
    var poller = pollfd()
    guard snd_seq_poll_descriptors(sequencer, &poller, 1, Int16(POLLIN)) == 1,
      poll(&poller, 1, milliseconds) > 0
    else { return .nothing }
    var bytes: [UInt8] = []
    var event: UnsafeMutablePointer<snd_seq_event_t>?
    while snd_seq_event_input(sequencer, &event) >= 0, let event {
      switch events.meaning(of: event) {
      case .bytes(let new): bytes += new
      case .arrived(let client): connect(client)
      case .left(let client): if heard.remove(client) != nil { return .lost }
      case .nothing: break
      }
    }
    return bytes.isEmpty ? .nothing : .bytes(bytes)
  }
}
