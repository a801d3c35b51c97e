import Glibc
import Synchronization

/// The loop of an audio thread: wait for the device, compute a period, write it to the device.
///
/// Everything from `runAudioLoop` to Csound's own functions is a chain of concrete functions that the compiler
/// proves free of allocation and locks. The loop owns none of the memory that it points to.
struct AudioLoop: BitwiseCopyable {
  /// Nil: no sound, but in real time.
  let playback: Stream?
  let capture: Stream?
  let sampleRate: Double
  let period: Int
  let channels: Int
  /// Frames of a fade between two engines, and to or from silence.
  let fadeLength: Int
  let status: UnsafeMutablePointer<LoopStatus>
  let memory: Memory
  /// Where the engines' MIDI goes; nil without MIDI out.
  let midi: UnsafeMutablePointer<MIDITape>?

  var commands: RingReader
  /// Is sent the pointer of each `EngineVoice` that is no longer used.
  var retired: RingWriter
  var tape: UnsafeMutablePointer<RingWriter>?
  var graph: UnsafeMutablePointer<MixGraph>?
  var current: UnsafeMutablePointer<EngineVoice>
  var next: UnsafeMutablePointer<EngineVoice>?
  /// Frames of the crossfade to `next` so far; from −latency to 0 `next` is fed but not heard yet; nil without a
  /// crossfade.
  var faded: Int?
  /// The frame of the current engine's output that comes next.
  var position = 0
  /// The gain of the fade to or from silence: 0 is silence, `fadeLength` full gain. It changes by 1 each frame.
  var gain: Int
  var isFadingOut = false
  var isPaused = false
  var isStopping = false
  var hasFinished = false
  /// When a loop without a device has its next period, in nanoseconds of the monotonic clock.
  var deadline = 0
  /// Frames that the devices have taken or given since they were made ready last, and the time of that.
  var moved = (frames: 0, since: 0)
  /// When the devices first failed without having played since; 0 if they play.
  var failing = 0

  /// Blocks for one period each.
  struct Memory: BitwiseCopyable {
    /// The output, full scale at 1.
    let mix: UnsafeMutablePointer<Double>
    /// An engine's output, in its own channels and full scale.
    let engine: UnsafeMutablePointer<Double>
    /// The input, full scale at 1.
    let heard: UnsafeMutablePointer<Double>
    /// The input in the channels and full scale of an engine.
    let fed: UnsafeMutablePointer<Double>

    /// Takes the channels of the output, those of the input device, and the most input channels an engine may have.
    init(period: Int, channels: Int, heard inputs: Int, fed engineInputs: Int) {
      mix = .allocate(capacity: period * channels)
      mix.initialize(repeating: 0, count: period * channels)
      engine = .allocate(capacity: period * channels)
      heard = .allocate(capacity: period * inputs)
      heard.initialize(repeating: 0, count: period * inputs)
      fed = .allocate(capacity: period * engineInputs)
    }

    func deallocate() { for block in [mix, engine, heard, fed] { block.deallocate() } }
  }

  /// Runs until the end of the piece, a stop, or a fault of the device. [audio thread]
  mutating func run() {
    var ending = LoopEnding.none
    current.pointee.sendMIDI(to: midi)
    if let error = startDevices() { ending = self.ending(of: error) }
    while ending == .none {
      takeCommands()
      if isStopping, gain == 0 {
        ending = .stopped
      } else if hasFinished {
        ending = .finished
      } else {
        let error = capture == nil ? 0 : listen()
        let begin = Vouched.now()
        status.pointee.setAnchor(time: begin, frame: position)
        // After the position: who reads that the piece is paused reads then where it stands.
        status.pointee.isPaused.store(isPaused, ordering: .releasing)
        midi?.pointee.begin(position, at: heard(begin), isPaused ? 0 : period)
        compute()
        measure(begin)
        if let error = error < 0 ? error : play() { ending = self.ending(of: error) }
      }
    }
    if let playback, ending == .finished || ending == .stopped { drain(playback) }
    status.pointee.ending.store(ending.rawValue, ordering: .releasing)
  }

  @inline(__always) private func ending(of error: Int) -> LoopEnding {
    status.pointee.error.store(Int32(truncatingIfNeeded: error), ordering: .relaxed)
    return error == -Int(ENODEV) ? .unplugged : .failed
  }

  @inline(__always) private mutating func takeCommands() {
    let size = MemoryLayout<LoopCommand>.stride
    while let place = commands.peek(size) {
      let command = place.load(as: LoopCommand.self)
      // A second replacement waits until the first has taken over. In a pause there is no crossfade to wait for, and
      // the last new engine replaces earlier ones.
      if command.kind == .replace, let next {
        guard isPaused else { return }
        if faded == nil { retire(next) } else { replaceEngine(next) }
      }
      commands.advance(size)
      status.pointee.commands.wrappingAdd(1, ordering: .releasing)
      switch command.kind {
      case .stop:
        isFadingOut = true
        isStopping = true
      case .pause: isFadingOut = true
      case .resume:
        if !isStopping { isFadingOut = false }
        isPaused = false
      case .replace:
        next = command.memory?.assumingMemoryBound(to: EngineVoice.self)
        faded = nil
      case .record:
        tape = command.memory?.assumingMemoryBound(to: RingWriter.self)
      case .mix:
        graph = command.memory?.assumingMemoryBound(to: MixGraph.self)
      }
    }
  }

  @inline(__always) private func measure(_ begin: Int) {
    let now = Vouched.now()
    let took = now &- begin
    Vouched.take(
      status.pointee.tape, begin, now, position, status.pointee.xruns.load(ordering: .relaxed))
    status.pointee.busy.wrappingAdd(took, ordering: .relaxed)
    if Double(took) * sampleRate > 1e9 * Double(period) {
      status.pointee.late.wrappingAdd(1, ordering: .relaxed)
    }
    if took > status.pointee.worst.load(ordering: .relaxed) {
      status.pointee.worst.store(took, ordering: .relaxed)
    }
    if took > status.pointee.worstEver.load(ordering: .relaxed) {
      status.pointee.worstEver.store(took, ordering: .relaxed)
    }
  }
}

@c(csound_live_run) @_noLocks @_noAllocation
func runAudioLoop(_ loop: UnsafeMutableRawPointer) {
  loop.assumingMemoryBound(to: AudioLoop.self).pointee.run()
}
