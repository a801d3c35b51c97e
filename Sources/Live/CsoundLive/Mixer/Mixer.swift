import Glibc
public import HarnessBase
import Synchronization

/// Mixes other sources into a performance while it plays: pieces, sound files and functions of the program, in groups,
/// with filters, volume and pan.
///
/// The sum follows the rule of MIXCLIP: it approaches full scale and does not pass it. A mixer ends with the
/// performance. Its functions may be called from any thread except the audio thread.
public final class Mixer: Sendable {
  /// A channel, or a group that channels and groups are mixed into.
  public struct Channel: Hashable, Sendable {
    fileprivate let number: Int
  }

  /// A channel's strip, and the objects that own the memory the strip points to.
  private struct Owned: @unchecked Sendable {
    var number: Int
    var parent: Int
    var strip: MixStrip
    var engine: LiveEngine?
    var engineSource: UnsafeMutablePointer<EngineSource>?
    var file: FileStreamer?
    var recorder: Recorder?
  }

  private let session: Session
  private let channels = Mutex<[Owned]>([])
  private let graph = Mutex<SentGraph>(SentGraph())
  private let nextNumber = Atomic<Int>(1)

  private struct SentGraph {
    nonisolated(unsafe) var memory: UnsafeMutablePointer<MixGraph>?
  }

  /// The group that contains all channels and groups.
  public var all: Channel { Channel(number: 0) }

  init(_ session: Session) throws(Failure) {
    self.session = session
    channels.withLock { $0 = [Owned(number: 0, parent: 0, strip: strip())] }
    try send()
  }

  deinit {
    session.tell(.mix, nil, waits: true)
    free(graph.withLock { $0.memory })
    for channel in channels.withLock({ $0 }) { release(channel) }
  }

  // MARK: Channels

  /// Adds a piece of Csound, which begins now. After its end the channel stays and is silent.
  public func add(_ piece: Piece, to group: Channel? = nil) throws(Failure) -> Channel {
    let engine = try LiveEngine(piece, sampleRate: Int(session.format.sampleRate), midi: MIDIWays())
    engine.messages.perform(on: session.audioThread)
    session.adopt(engine)
    let source = UnsafeMutablePointer<EngineSource>.allocate(capacity: 1)
    source.initialize(
      to: EngineSource(
        voice: engine.voice,
        frames: .allocate(capacity: session.format.period * engine.voice.pointee.channels)))
    return try add(group) { owned in
      owned.strip.source = mixEngine
      owned.strip.context = UnsafeMutableRawPointer(source)
      (owned.engine, owned.engineSource) = (engine, source)
    }
  }

  /// Adds a sound file, which is read from the disk as it plays. Throws if its sample rate is not the performance's.
  public func add(file: String, to group: Channel? = nil) throws(Failure) -> Channel {
    let streamer = try FileStreamer(file, sampleRate: session.format.sampleRate)
    return try add(group) { owned in
      owned.strip.source = mixFile
      owned.strip.context = UnsafeMutableRawPointer(streamer.source)
      owned.file = streamer
    }
  }

  /// Adds a function of the program as a source; `memory` must outlive the channel.
  public func add(
    _ function: @escaping MixFunction, _ memory: UnsafeMutableRawPointer?, to group: Channel? = nil
  ) throws(Failure) -> Channel {
    try add(group) { owned in
      owned.strip.source = function
      owned.strip.context = memory
    }
  }

  /// Adds a group.
  public func addGroup(to group: Channel? = nil) throws(Failure) -> Channel {
    try add(group) { _ in }
  }

  /// Removes a channel, or a group with all that is in it.
  public func remove(_ channel: Channel) throws(Failure) {
    guard channel != all else { throw .usage("The group of everything stays.") }
    let gone = channels.withLock { channels in
      var numbers: Set<Int> = [channel.number]
      for owned in channels where numbers.contains(owned.parent) { numbers.insert(owned.number) }
      defer { channels.removeAll { numbers.contains($0.number) } }
      return channels.filter { numbers.contains($0.number) }
    }
    try send()
    gone.forEach(release)
  }

  // MARK: Changes to channels

  /// Sets the volume, a factor where 1 is unchanged, and the pan from −1, left, to 1, right. Both glide to the new
  /// value in the course of a period.
  public func set(_ channel: Channel, volume: Double? = nil, pan: Double? = nil) throws(Failure) {
    try change(channel) { owned in
      if let volume { owned.strip.memory.pointee.gain.store(volume, ordering: .relaxed) }
      if let pan {
        owned.strip.memory.pointee.pan.store(max(-1, min(1, pan)), ordering: .relaxed)
      }
    }
  }

  /// Sends a score event to a piece in the mixer; p2 counts from now, in seconds.
  public func send(_ letter: Character, _ fields: [Double], to channel: Channel) throws(Failure) {
    var engine: LiveEngine?
    try change(channel) { engine = $0.engine }
    guard let engine else { throw .usage("The channel is no piece; events go to pieces.") }
    let event = try LiveEvent(score: letter, fields, at: nil)
    guard engine.send(event, while: { session.isRunning }) else { throw Session.isOver }
  }

  /// Adds a filter: a function that changes the output of a channel or group, after the filters it already has. At most
  /// eight filters.
  public func addFilter(
    _ function: @escaping MixFunction, _ memory: UnsafeMutableRawPointer?, to channel: Channel
  ) throws(Failure) {
    var isFull = false
    try change(channel) { owned in
      let count = owned.strip.filterCount
      isFull = count == MixStrip.filterLimit
      guard !isFull else { return }
      owned.strip.filters[count] = unsafeBitCast(function, to: UnsafeRawPointer.self)
      owned.strip.filterContexts[count] = memory
      owned.strip.filterCount += 1
    }
    guard !isFull else {
      throw .usage("The channel has \(MixStrip.filterLimit) filters already; it can have no more.")
    }
    try send()
  }

  /// Records a channel or group, after its filters and its volume. An earlier recording of it is finished.
  public func record(_ channel: Channel, to path: String) throws(Failure) {
    let recorder = try Recorder(
      path, sampleRate: session.format.sampleRate, channels: session.format.channels)
    var old: Recorder?
    try change(channel) { owned in
      old = owned.recorder
      owned.recorder = recorder
      owned.strip.tape = recorder.tape
    }
    try send()
    if let old { _ = try old.finish() }
  }

  /// Ends a recording. Returns its length in frames; nil if there was none.
  @discardableResult
  public func finishRecording(_ channel: Channel) throws(Failure) -> Int? {
    var recorder: Recorder?
    var lost = 0
    try change(channel) { owned in
      recorder = owned.recorder
      owned.recorder = nil
      owned.strip.tape = nil
      lost = owned.strip.memory.pointee.unrecorded.exchange(0, ordering: .relaxed)
    }
    guard let recorder else { return nil }
    // Fails after the end of the performance, when nothing writes any more.
    try? send()
    let frames = try recorder.finish()
    if lost > 0 { throw Recorder.incomplete(lost, session.format.period) }
    return frames
  }

  // MARK: The graph

  private func strip() -> MixStrip {
    let count = session.format.period * session.format.channels
    let frames = UnsafeMutablePointer<Double>.allocate(capacity: count)
    frames.initialize(repeating: 0, count: count)
    let memory = UnsafeMutablePointer<MixStrip.Memory>.allocate(capacity: 1)
    memory.initialize(to: MixStrip.Memory(frames: frames))
    return MixStrip(memory: memory, parent: 0)
  }

  private func add(_ group: Channel?, _ fill: (inout Owned) -> Void) throws(Failure) -> Channel {
    let number = nextNumber.wrappingAdd(1, ordering: .relaxed).oldValue
    var owned = Owned(number: number, parent: group?.number ?? 0, strip: strip())
    fill(&owned)
    let new = owned
    let hasGroup = channels.withLock { channels in
      guard channels.contains(where: { $0.number == new.parent }) else { return false }
      channels.append(new)
      return true
    }
    guard hasGroup else {
      release(owned)
      throw Self.unknown
    }
    try send()
    return Channel(number: number)
  }

  private static let unknown = Failure(.usage, "The mixer has no such channel or group.")

  private func change(_ channel: Channel, _ body: (inout Owned) -> Void) throws(Failure) {
    let isKnown = channels.withLock { channels in
      guard let place = channels.firstIndex(where: { $0.number == channel.number }) else {
        return false
      }
      body(&channels[place])
      return true
    }
    if !isKnown { throw Self.unknown }
  }

  /// Gives the audio thread a new graph and waits until it no longer uses the old one.
  private func send() throws(Failure) {
    guard session.isRunning else { throw Session.isOver }
    graph.withLock { graph in
      let strips = channels.withLock { channels in
        channels.map { owned in
          var strip = owned.strip
          strip.parent = channels.firstIndex { $0.number == owned.parent } ?? 0
          return strip
        }
      }
      let head = MemoryLayout<MixGraph>.stride
      let memory = malloc(head + strips.count * MemoryLayout<MixStrip>.stride)!
      let place = (memory + head).assumingMemoryBound(to: MixStrip.self)
      place.initialize(from: strips, count: strips.count)
      let new = memory.assumingMemoryBound(to: MixGraph.self)
      new.initialize(to: MixGraph(strips: place, count: strips.count))
      session.tell(.mix, memory, waits: true)
      free(graph.memory)
      graph.memory = new
    }
  }

  private func release(_ owned: Owned) {
    owned.file?.end()
    if let engine = owned.engine { session.dismiss(engine) }
    if let source = owned.engineSource {
      source.pointee.frames.deallocate()
      source.deallocate()
    }
    if let recorder = owned.recorder { _ = try? recorder.finish() }
    owned.strip.memory.pointee.frames.deallocate()
    owned.strip.memory.deinitialize(count: 1)
    owned.strip.memory.deallocate()
  }
}

extension Performance {
  /// Makes a mixer for sources that play together with this piece. Throws if the piece does not play.
  public func mixer() throws(Failure) -> Mixer { try Mixer(live()) }
}
