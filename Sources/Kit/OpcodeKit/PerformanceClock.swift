public import CCsound

/// How many samples of the performance have gone by: part of an opcode's state.
///
/// Csound counts the k-cycles of an instrument, but the count of a user-defined opcode or a
/// `subinstr` is its own: it starts from its caller's at the init pass, stands still while the caller
/// skips it, and counts a reinit twice. This clock takes the whole cycles from the engine and only the
/// place inside one, where a local ksmps divides it, from the instrument. A user-defined opcode with a
/// local ksmps that starts inside a block (`--sample-accurate`) is up to a block early until the next.
@frozen
public struct PerformanceClock: BitwiseCopyable {
  /// The engine's k-cycle of the pass before, counted from 1; 0 when there was none.
  @usableFromInline var lastCycle = 0
  /// The instrument's own count in that pass.
  @usableFromInline var lastCount = 0
  /// Which part of the engine's cycle that pass was.
  @usableFromInline var part = 0

  @inlinable public init() {}

  /// Samples from the beginning of the performance to this k-cycle, over all sections of the score.
  ///
  /// Call it in every performance pass, once.
  @inlinable @_semantics("no_performance_analysis")
  public mutating func frame(_ context: Context) -> Int {
    let (cycle, ksmps, count) = (context.engineCycle, context.engineKsmps, context.cycle)
    move(toCycle: cycle, parts: ksmps / context.ksmps, count: count)
    return (cycle - 1) * ksmps + part * context.ksmps
  }

  @inlinable mutating func move(toCycle cycle: Int, parts: Int, count: Int) {
    let steps = count - lastCount
    if parts <= 1 {
      part = 0
    } else if lastCycle == 0 {
      // Out of this range the count is not the engine's, and says nothing.
      let first = (cycle - 1) * parts + 1
      part = (first..<first + parts).contains(count) ? count - first : 0
    } else if cycle != lastCycle && steps == 1 {
      part = 0
    } else {
      let next = (part + steps) % parts
      part = next < 0 ? next + parts : next
    }
    (lastCycle, lastCount) = (cycle, count)
  }
}

extension Context {
  /// K-cycles of the engine since the performance began, this one included.
  @inlinable var engineCycle: Int {
    @_semantics("no_performance_analysis") get { Int(ccs_cycle(csound)) }
  }

  /// Samples in a k-cycle of the engine, at the instrument's or UDO's own sample rate.
  @inlinable var engineKsmps: Int {
    @_semantics("no_performance_analysis") get { Int(ccs_ksmps(csound, block)) }
  }

  /// K-cycles of the instrument or UDO as it counts them itself.
  @inlinable var cycle: Int { CsoundBlock.cycles(of: block) }
}
