import CALSA
import CCsound
import CFlight
import CRealtime

/// C functions called on the audio thread that the compiler cannot check for allocation and locks; each was checked by
/// hand.
///
/// What Csound does in them: `perform` takes the engine's own lock, which no other thread holds for long, and allocates
/// only if a note needs a new instance. A score event allocates if its list has no free node. Nothing here waits for
/// another thread of this program.
enum Vouched {
  @inline(__always) @_semantics("no_performance_analysis") static func now() -> Int {
    Int(realtime_now())
  }

  @inline(__always) @_semantics("no_performance_analysis") static func sleep(until time: Int) {
    realtime_sleep_until(Int64(time))
  }

  // MARK: Csound

  /// Performs one k-cycle. Returns 0, or another number at the end.
  @inline(__always) @_semantics("no_performance_analysis")
  static func perform(_ engine: UnsafeMutablePointer<CSOUND>) -> Int32 {
    ccs_perform_live(engine)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  static func event(
    _ engine: UnsafeMutablePointer<CSOUND>, _ kind: UInt8, _ fields: UnsafePointer<Double>,
    _ count: Int
  ) {
    ccs_play_event(engine, Int32(kind), fields, count)
  }

  /// Plays a line of the score. Csound allocates memory for it.
  @inline(__always) @_semantics("no_performance_analysis")
  static func line(_ engine: UnsafeMutablePointer<CSOUND>, _ text: UnsafePointer<CChar>) {
    ccs_play_line(engine, text)
  }

  /// Ends all notes of an instrument, by its name or else its number; those that have a release, with it.
  @inline(__always) @_semantics("no_performance_analysis")
  static func endNotes(
    of instrument: Double, _ name: UnsafeMutablePointer<CChar>?,
    _ engine: UnsafeMutablePointer<CSOUND>
  ) {
    ccs_end_notes(engine, instrument, name)
  }

  /// The size of a channel's data; 0 if the channel does not exist. Does not create it.
  @inline(__always) @_semantics("no_performance_analysis")
  static func size(of channel: UnsafePointer<CChar>, _ engine: UnsafeMutablePointer<CSOUND>) -> Int
  {
    Int(csoundGetChannelDatasize(engine, channel))
  }

  /// Finds the memory of a channel that exists. Returns 0, or the channel's type if that is not a control channel.
  @inline(__always) @_semantics("no_performance_analysis")
  static func find(
    _ channel: UnsafePointer<CChar>, _ engine: UnsafeMutablePointer<CSOUND>,
    _ place: UnsafeMutablePointer<UnsafeMutablePointer<Double>?>
  ) -> Int32 {
    ccs_channel(
      engine, place, channel,
      Int32(
        CSOUND_CONTROL_CHANNEL.rawValue | CSOUND_INPUT_CHANNEL.rawValue
          | CSOUND_OUTPUT_CHANNEL.rawValue))
  }

  @inline(__always) @_semantics("no_performance_analysis")
  static func call(_ function: CycleFunction, _ context: UnsafeMutableRawPointer?) {
    function(context)
  }

  // MARK: The flight recorder

  @inline(__always) @_semantics("no_performance_analysis")
  static func beginCycle(_ flight: OpaquePointer) { flight_begin_cycle(flight) }

  @inline(__always) @_semantics("no_performance_analysis")
  static func endCycle(_ flight: OpaquePointer) { flight_end_cycle(flight) }

  /// Records a period that was computed from `begin` to `end`, and the dropouts so far.
  @inline(__always) @_semantics("no_performance_analysis")
  static func take(
    _ tape: UnsafeMutablePointer<flight_tape>, _ begin: Int, _ end: Int, _ frame: Int,
    _ dropouts: Int
  ) {
    flight_take_period(
      tape, Int64(begin), Int64(end), Int64(frame), UInt32(truncatingIfNeeded: dropouts))
  }

  // MARK: ALSA

  @inline(__always) @_semantics("no_performance_analysis")
  static func available(_ pcm: OpaquePointer) -> Int { Int(snd_pcm_avail_update(pcm)) }

  /// The frames after which a frame is heard that is written now; or a negative errno.
  @inline(__always) @_semantics("no_performance_analysis")
  static func delay(_ pcm: OpaquePointer) -> Int {
    var frames: snd_pcm_sframes_t = 0
    let error = snd_pcm_delay(pcm, &frames)
    return error < 0 ? Int(error) : Int(frames)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  static func write(_ pcm: OpaquePointer, _ frames: UnsafeRawPointer, _ count: Int) -> Int {
    Int(snd_pcm_writei(pcm, frames, snd_pcm_uframes_t(truncatingIfNeeded: count)))
  }

  @inline(__always) @_semantics("no_performance_analysis")
  static func read(_ pcm: OpaquePointer, _ frames: UnsafeMutableRawPointer, _ count: Int) -> Int {
    Int(snd_pcm_readi(pcm, frames, snd_pcm_uframes_t(truncatingIfNeeded: count)))
  }

  @inline(__always) @_semantics("no_performance_analysis")
  static func isPrepared(_ pcm: OpaquePointer) -> Bool {
    snd_pcm_state(pcm) == SND_PCM_STATE_PREPARED
  }

  @inline(__always) @_semantics("no_performance_analysis")
  static func prepare(_ pcm: OpaquePointer) -> Int { Int(snd_pcm_prepare(pcm)) }

  @inline(__always) @_semantics("no_performance_analysis")
  static func start(_ pcm: OpaquePointer) -> Int { Int(snd_pcm_start(pcm)) }

  @inline(__always) @_semantics("no_performance_analysis")
  static func drop(_ pcm: OpaquePointer) { snd_pcm_drop(pcm) }

  /// Lets the device play its buffer, without waiting: −EAGAIN until it has.
  @inline(__always) @_semantics("no_performance_analysis")
  static func drain(_ pcm: OpaquePointer) -> Int {
    // libasound's plugins do not know otherwise how the device was opened.
    snd_pcm_nonblock(pcm, 1)
    return Int(snd_pcm_drain(pcm))
  }

  @inline(__always) @_semantics("no_performance_analysis")
  static func resume(_ pcm: OpaquePointer) -> Int { Int(snd_pcm_resume(pcm)) }

  /// Waits until the device can take or give frames, at most so many milliseconds. Returns 0, or a negative errno.
  @inline(__always) @_semantics("no_performance_analysis")
  static func wait(_ stream: Stream, atMost time: Int) -> Int {
    Int(
      alsa_wait(
        stream.pcm, stream.descriptors, stream.descriptorCount, Int32(truncatingIfNeeded: time)))
  }
}
