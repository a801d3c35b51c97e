public import CCsound
import CSwap
import Glibc
import Synchronization

/// The opcodes of a library whose code changes while they sound.
///
/// Where another version has an opcode with the same signature, its code takes over in the notes that play,
/// between two k-cycles: with their state where that is laid out as before, else with one that the new init pass
/// sets up, and that is heard after 50 ms only. Audio outputs go from old to new in 15 ms, in which both are
/// performed; other outputs at once. Notes go over one after the other, one opcode in a note for each 64 frames of sound, since setting up a state costs
/// what the start of a note costs.
///
/// An init-time opcode, and one that hands out f-signals, arrays or strings and has another state, changes with
/// its next init pass. In an engine with `--realtime`, whose init passes have a thread of their own, nothing
/// may be offered.
public final class OpcodeSwap: Sendable {
  private struct Engine: @unchecked Sendable {
    var swap: OpaquePointer
    var code: OpcodeCode
  }

  private struct State {
    var code: OpcodeCode
    var engines: [Engine] = []
  }

  /// What has happened so far, in all engines that play.
  public struct Counts: Sendable, Equatable {
    /// Versions that engines have taken.
    public var taken = 0
    /// Opcodes in notes that went over with their state, with a new one, and that stayed because the new init pass
    /// failed.
    public var kept = 0
    public var renewed = 0
    public var refused = 0
    /// Bytes beyond the end of a block or buffer that were written to.
    public var overruns = 0
    /// Bytes that all states take.
    public var bytes = 0
  }

  private let state: Mutex<State>
  private let checksMemory: Bool

  /// Begins with a version. `checksMemory` overwrites memory when it is freed, so that whoever still reads it
  /// is heard.
  public init(_ code: OpcodeCode, checksMemory: Bool = false) {
    state = Mutex(State(code: code))
    self.checksMemory = checksMemory
  }

  /// Adds the opcodes to an engine in which nothing is compiled; where a plugin adds the same ones later, these are
  /// called.
  public func register(in csound: UnsafeMutablePointer<CSOUND>) {
    state.withLock { state in
      state.engines.removeAll { swap_is_over($0.swap) != 0 }
      let code = state.code
      // Csound keeps what it is given.
      let signatures = UnsafeMutablePointer<swap_signature>.allocate(
        capacity: max(1, code.signatures.count))
      for (index, signature) in code.signatures.enumerated() {
        (signatures + index).initialize(
          to: swap_signature(
            name: strdup(signature.name), outputs: strdup(signature.outputs),
            inputs: strdup(signature.inputs), head_bytes: signature.headBytes,
            has_performance: signature.hasPerformance ? 1 : 0))
      }
      let swap = swap_register(
        csound, signatures, code.table(of: code.signatures), code.signatures.count,
        checksMemory ? 1 : 0)
      if let swap { state.engines.append(Engine(swap: swap, code: code)) }
    }
  }

  /// Offers a version to all engines that play, and to those to come; on any thread.
  ///
  /// Returns what has changed where an opcode is new, gone or called in another way: engines that play then
  /// stay with the last version, and the piece is to be compiled in a new one, by `Performance.replace`.
  public func offer(_ code: OpcodeCode) -> String? {
    state.withLock { state in
      state.code = code
      state.engines.removeAll { swap_is_over($0.swap) != 0 }
      if let change = state.engines.lazy.compactMap({ $0.code.change(to: code) }).first {
        return change
      }
      for index in state.engines.indices {
        let engine = state.engines[index]
        swap_offer(engine.swap, code.table(of: engine.code.signatures))
      }
      return nil
    }
  }

  /// The version that engines to come begin with.
  public var code: OpcodeCode {
    get { state.withLock { $0.code } }
    set { state.withLock { $0.code = newValue } }
  }

  /// Whether some note that plays has not yet begun with the last version.
  public var isUnderWay: Bool {
    state.withLock { state in
      state.engines.contains { swap_is_over($0.swap) == 0 && swap_is_under_way($0.swap) != 0 }
    }
  }

  public var counts: Counts {
    state.withLock { state in
      state.engines.reduce(into: Counts()) { sum, engine in
        let counts = swap_counts_of(engine.swap)
        sum.taken += Int(counts.taken)
        sum.kept += Int(counts.kept)
        sum.renewed += Int(counts.renewed)
        sum.refused += Int(counts.refused)
        sum.overruns += Int(counts.overruns)
        sum.bytes += Int(counts.bytes)
      }
    }
  }
}
