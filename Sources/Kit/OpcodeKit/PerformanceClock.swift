public import CCsound

/// Counts the samples since the performance began; part of an opcode's state.
///
/// Csound counts the k-cycles of each instrument. The counter of a user-defined opcode or `subinstr`, though, starts
/// from its caller's at the init pass, stops while the caller skips the UDO, and counts a reinit twice. This clock
/// therefore takes the number of whole k-cycles from the engine. From the instrument's counter it takes only the
/// position inside a k-cycle, when a local ksmps divides it.
///
/// Limit: a user-defined opcode with a local ksmps that starts inside an engine k-cycle (`--sample-accurate`) is up to
/// one k-cycle early until the next one.
@frozen
public struct PerformanceClock: BitwiseCopyable {
  /// The engine's k-cycle at the previous pass, counted from 1; 0 before the first pass.
  @usableFromInline var lastCycle = 0
  /// The instrument's own count at the previous pass.
  @usableFromInline var lastCount = 0
  /// Which part of the engine's k-cycle the previous pass was, from 0.
  @usableFromInline var part = 0

  @inlinable public init() {}

  /// Samples from the beginning of the performance to the start of this k-cycle, over all sections of the score.
  ///
  /// Call it exactly once in every performance pass.
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
      // A count outside this range is not synchronous with the engine's, and gives no position.
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
  /// Number of the engine's current k-cycle, counted from 1. It is the same during all of an init pass.
  @inlinable public var engineCycle: Int {
    @_semantics("no_performance_analysis") get { Int(ccs_cycle(csound)) }
  }

  /// Samples in an engine k-cycle, at the instrument's or UDO's own sample rate.
  @inlinable var engineKsmps: Int {
    @_semantics("no_performance_analysis") get { Int(ccs_ksmps(csound, block)) }
  }

  /// The instrument's or UDO's own count of k-cycles.
  @inlinable var cycle: Int { CsoundBlock.cycles(of: block) }
}
