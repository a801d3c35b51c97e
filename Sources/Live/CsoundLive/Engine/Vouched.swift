import CALSA
import CCsound
import CRealtime
import CTrace

/// C that the compiler cannot see into, called on the audio thread; each call is vouched for by hand.
///
/// What Csound does in them: `perform` takes the engine's own lock, which nobody else holds for long, and
/// allocates only where a note needs a new instance; a score event allocates where no old node of its list is
/// free. Nothing here waits for another thread of ours.
enum Vouched {
  @inline(__always) @_semantics("no_performance_analysis") static func now() -> Int {
    Int(realtime_now())
  }

  @inline(__always) @_semantics("no_performance_analysis") static func sleep(until time: Int) {
    realtime_sleep_until(Int64(time))
  }

  // MARK: Csound

  /// One k-cycle: 0, or why there are no more. Not `csoundPerformKsmps`, which jumps into a frame that is gone
  /// where an orchestra ends itself.
  @inline(__always) @_semantics("no_performance_analysis")
  static func perform(_ engine: UnsafeMutablePointer<CSOUND>) -> Int32 {
    csoundPerformBuffer(engine)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  static func event(
    _ engine: UnsafeMutablePointer<CSOUND>, _ kind: UInt8, _ fields: UnsafePointer<Double>,
    _ count: Int
  ) {
    csoundScoreEvent(engine, CChar(truncatingIfNeeded: kind), fields, count)
  }

  /// A line of the score. Csound allocates for it.
  @inline(__always) @_semantics("no_performance_analysis")
  static func line(_ engine: UnsafeMutablePointer<CSOUND>, _ text: UnsafePointer<CChar>) {
    csoundInputMessage(engine, text)
  }

  /// How much a channel holds; 0 where nobody has declared it. Makes none.
  @inline(__always) @_semantics("no_performance_analysis")
  static func size(of channel: UnsafePointer<CChar>, _ engine: UnsafeMutablePointer<CSOUND>) -> Int
  {
    Int(csoundGetChannelDatasize(engine, channel))
  }

  /// A channel that exists: 0, or the type it has instead.
  @inline(__always) @_semantics("no_performance_analysis")
  static func find(
    _ channel: UnsafePointer<CChar>, _ engine: UnsafeMutablePointer<CSOUND>,
    _ place: UnsafeMutablePointer<UnsafeMutablePointer<Double>?>
  ) -> Int32 {
    csoundGetChannelPtr(
      engine, place, channel,
      Int32(
        CSOUND_CONTROL_CHANNEL.rawValue | CSOUND_INPUT_CHANNEL.rawValue
          | CSOUND_OUTPUT_CHANNEL.rawValue))
  }

  @inline(__always) @_semantics("no_performance_analysis")
  static func call(_ function: CycleFunction, _ context: UnsafeMutableRawPointer?) {
    function(context)
  }

  // MARK: The tracer, which allocates for each statement it meets for the first time

  @inline(__always) @_semantics("no_performance_analysis")
  static func beginTrace() { trace_begin_cycle() }

  /// Which k-cycles are late is counted elsewhere.
  @inline(__always) @_semantics("no_performance_analysis")
  static func endTrace() { trace_end_cycle(.infinity) }

  @inline(__always) @_semantics("no_performance_analysis")
  static func shares(
    _ shares: UnsafeMutablePointer<trace_share>, _ limit: Int, _ count: UnsafeMutablePointer<Int>
  ) -> UInt64 {
    trace_shares(shares, limit, count)
  }

  // MARK: ALSA

  @inline(__always) @_semantics("no_performance_analysis")
  static func available(_ pcm: OpaquePointer) -> Int { Int(snd_pcm_avail_update(pcm)) }

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

  /// Plays what the device still has, and waits for it.
  @inline(__always) @_semantics("no_performance_analysis")
  static func drain(_ pcm: OpaquePointer) {
    snd_pcm_nonblock(pcm, 0)
    snd_pcm_drain(pcm)
  }

  @inline(__always) @_semantics("no_performance_analysis")
  static func resume(_ pcm: OpaquePointer) -> Int { Int(snd_pcm_resume(pcm)) }

  @inline(__always) @_semantics("no_performance_analysis")
  static func recover(_ pcm: OpaquePointer, _ error: Int) -> Int {
    Int(snd_pcm_recover(pcm, Int32(truncatingIfNeeded: error), 1))
  }

  /// Waits until the device takes or has frames, at most 2 s: 0, or a negative errno.
  @inline(__always) @_semantics("no_performance_analysis")
  static func wait(_ stream: Stream) -> Int {
    Int(alsa_wait(stream.pcm, stream.descriptors, stream.descriptorCount, 2000))
  }
}
