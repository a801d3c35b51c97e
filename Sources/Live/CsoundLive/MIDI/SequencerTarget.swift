import CALSA
import HarnessBase

/// A client of ALSA's sequencer that sends to other clients, including those that appear later.
final class SequencerTarget: MIDITarget {
  private let sequencer: OpaquePointer
  private let events: SequencerEvents
  private let port: CInt
  private let wanted: String
  /// The numbers of the clients that receive.
  private var reached: Set<CInt> = []
  private var isClosed = false

  init(_ name: String) throws(Failure) {
    let sequencer = try SequencerClient.open(
      CInt(SND_SEQ_OPEN_DUPLEX), "sent to a FIFO or a device, whose path has a '/'")
    guard let events = SequencerEvents() else {
      snd_seq_close(sequencer)
      throw .unavailable("There is no memory left for MIDI.")
    }
    (self.sequencer, self.events, wanted) = (sequencer, events, name)
    // Other programs may connect to the port, too. It is told of clients that come and go.
    let ways =
      SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ | SND_SEQ_PORT_CAP_WRITE
    port = snd_seq_create_simple_port(
      sequencer, "output", CUnsignedInt(ways),
      CUnsignedInt(SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_APPLICATION))
    snd_seq_connect_from(sequencer, port, 0, 1)
    for client in SequencerClient.clients(sequencer) { connect(client.number) }
    guard !reached.isEmpty || name == "all" else {
      close()
      let known = Set(SequencerClient.receivers().map(\.name))
      throw .unavailable(
        NearNames.unknown("No receiver of MIDI", name, known) + " ./opcodekit devices lists them.")
    }
  }

  deinit { close() }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    snd_seq_close(sequencer)
  }

  /// Connects to all ports of a client that take MIDI, if the client is wanted.
  private func connect(_ number: CInt) {
    guard
      let client = SequencerClient.clients(sequencer).first(where: { $0.number == number }),
      SequencerEvents.isWanted(client.name, isHardware: client.isHardware, by: wanted)
    else { return }
    for port in SequencerClient.ports(sequencer, of: number, .output)
    where snd_seq_connect_to(sequencer, self.port, number, port) == 0 {
      reached.insert(number)
    }
  }

  /// Connects to clients that have come, and forgets those that have gone.
  private func followClients() {
    var event: UnsafeMutablePointer<snd_seq_event_t>?
    while snd_seq_event_input_pending(sequencer, 1) > 0,
      snd_seq_event_input(sequencer, &event) >= 0, let event
    {
      switch events.meaning(of: event) {
      case .arrived(let client): connect(client)
      case .left(let client): reached.remove(client)
      case .bytes, .nothing: break
      }
    }
  }

  func write(_ bytes: [UInt8]) -> Bool {
    followClients()
    guard var event = events.event(of: bytes) else { return false }
    // To all who have subscribed, at once.
    event.source.port = UInt8(truncatingIfNeeded: port)
    event.dest.client = UInt8(SND_SEQ_ADDRESS_SUBSCRIBERS)
    event.dest.port = UInt8(SND_SEQ_ADDRESS_UNKNOWN)
    event.queue = UInt8(SND_SEQ_QUEUE_DIRECT)
    return snd_seq_event_output_direct(sequencer, &event) >= 0
  }
}
