import CALSA
import HarnessBase

/// A client of ALSA's sequencer that is connected with other clients, including those that appear later.
class SequencerClient {
  /// Which way MIDI goes, seen from here.
  enum Way { case input, output }

  let sequencer: OpaquePointer
  let events: SequencerEvents
  let port: CInt
  private let way: Way
  private let wanted: String
  /// The numbers of the clients that it is connected with.
  private var others: Set<CInt> = []
  private var isClosed = false

  fileprivate init(_ name: String, _ way: Way) throws(Failure) {
    let isInput = way == .input
    let sequencer = try SequencerClient.open(
      CInt(isInput ? SND_SEQ_OPEN_INPUT : SND_SEQ_OPEN_DUPLEX), isInput ? "read from" : "sent to")
    guard let events = SequencerEvents() else {
      snd_seq_close(sequencer)
      throw .unavailable("There is no memory left for MIDI.")
    }
    (self.sequencer, self.events, self.way, wanted) = (sequencer, events, way, name)
    // Other programs may connect to the port, too.
    let ways =
      isInput
      ? SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE
      : SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ | SND_SEQ_PORT_CAP_WRITE
    port = snd_seq_create_simple_port(
      sequencer, isInput ? "input" : "output", CUnsignedInt(ways),
      CUnsignedInt(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION))
    // Receives the system's announcements of clients that come and go.
    snd_seq_connect_from(sequencer, port, 0, 1)
    for client in SequencerClient.clients(sequencer) { connect(client.number) }
    guard !others.isEmpty || name == "all" else {
      let known = Set(SequencerClient.list(way).map(\.name))
      throw .unavailable(
        NearNames.unknown("No \(isInput ? "source" : "receiver") of MIDI", name, known)
          + " ./opcodekit devices lists them.")
    }
  }

  deinit { close() }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    snd_seq_close(sequencer)
  }

  /// Connects to all ports of a client that go this way, if the client is wanted.
  private func connect(_ number: CInt) {
    guard
      let client = SequencerClient.clients(sequencer).first(where: { $0.number == number }),
      SequencerEvents.isWanted(client.name, isHardware: client.isHardware, by: wanted)
    else { return }
    for other in SequencerClient.ports(sequencer, of: number, way) {
      let error =
        way == .input
        ? snd_seq_connect_from(sequencer, port, number, other)
        : snd_seq_connect_to(sequencer, port, number, other)
      if error == 0 { others.insert(number) }
    }
  }

  /// Connects to clients that have come, and forgets those that have gone. Returns the bytes of an event, if it is one
  /// of MIDI, and whether a client was lost that it was connected with.
  fileprivate func follow(
    _ event: UnsafeMutablePointer<snd_seq_event_t>
  ) -> (bytes: [UInt8], isLoss: Bool) {
    switch events.meaning(of: event) {
    case .bytes(let bytes): return (bytes, false)
    case .arrived(let client): connect(client)
    case .left(let client): return ([], others.remove(client) != nil)
    case .nothing: break
    }
    return ([], false)
  }

  /// Opens the sequencer. `otherwise` says what MIDI can be done with instead.
  private static func open(_ ways: CInt, _ otherwise: String) throws(Failure) -> OpaquePointer {
    alsa_be_quiet()
    var handle: OpaquePointer?
    let error = snd_seq_open(&handle, "default", ways, CInt(SND_SEQ_NONBLOCK))
    guard error == 0, let sequencer = handle else {
      throw .unavailable(
        "ALSA's sequencer cannot be opened: \(String(cString: snd_strerror(error)))."
          + " MIDI can also be \(otherwise) a FIFO or a device, whose path has a '/'.")
    }
    snd_seq_set_client_name(sequencer, "OpcodeKit")
    return sequencer
  }

  private struct Client {
    var number: CInt
    var name: String
    var isHardware: Bool
  }

  /// All clients except the system and this one.
  private static func clients(_ sequencer: OpaquePointer) -> [Client] {
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

  /// The ports of a client that others may read, or write to.
  private static func ports(_ sequencer: OpaquePointer, of client: CInt, _ way: Way) -> [CInt] {
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

  /// The clients that can be read, or that take MIDI; empty if there is no sequencer.
  static func list(_ way: Way) -> [MIDISource] {
    let program = "A program that \(way == .input ? "sends" : "takes") MIDI"
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
}

/// Reads other clients.
final class SequencerSource: SequencerClient, MIDIBytes {
  init(_ name: String) throws(Failure) { try super.init(name, .input) }

  func read(waiting milliseconds: CInt) -> MIDIReading {
    var poller = pollfd()
    guard snd_seq_poll_descriptors(sequencer, &poller, 1, Int16(POLLIN)) == 1,
      poll(&poller, 1, milliseconds) > 0
    else { return .nothing }
    var bytes: [UInt8] = []
    var event: UnsafeMutablePointer<snd_seq_event_t>?
    while snd_seq_event_input(sequencer, &event) >= 0, let event {
      let (new, isLoss) = follow(event)
      if isLoss { return .lost }
      bytes += new
    }
    return bytes.isEmpty ? .nothing : .bytes(bytes)
  }
}

/// Sends to other clients.
final class SequencerTarget: SequencerClient, MIDITarget {
  init(_ name: String) throws(Failure) { try super.init(name, .output) }

  func write(_ bytes: [UInt8]) -> Bool {
    var news: UnsafeMutablePointer<snd_seq_event_t>?
    while snd_seq_event_input_pending(sequencer, 1) > 0,
      snd_seq_event_input(sequencer, &news) >= 0, let news
    { _ = follow(news) }
    guard var event = events.event(of: bytes) else { return false }
    // To all who have subscribed, at once.
    event.source.port = UInt8(truncatingIfNeeded: port)
    event.dest.client = UInt8(SND_SEQ_ADDRESS_SUBSCRIBERS)
    event.dest.port = UInt8(SND_SEQ_ADDRESS_UNKNOWN)
    event.queue = UInt8(SND_SEQ_QUEUE_DIRECT)
    return snd_seq_event_output_direct(sequencer, &event) >= 0
  }
}
