public import CCsound
import CRealtime
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
    /// What happened in engines that are gone.
    var past = Counts()

    mutating func forgetEngines() {
      for engine in engines where swap_is_over(engine.swap) != 0 { past.add(engine.swap) }
      engines.removeAll { swap_is_over($0.swap) != 0 }
    }
  }

  /// What has happened so far, in all engines.
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

    fileprivate mutating func add(_ engine: OpaquePointer) {
      let counts = swap_counts_of(engine)
      taken += Int(counts.taken)
      kept += Int(counts.kept)
      renewed += Int(counts.renewed)
      refused += Int(counts.refused)
      overruns += Int(counts.overruns)
      if swap_is_over(engine) == 0 { bytes += Int(counts.bytes) }
    }
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
      state.forgetEngines()
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
      state.forgetEngines()
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

  /// Returns when every note that plays has begun with the last version. An engine that stands still takes it when it
  /// goes on, and is not waited for; nor is anything once `goesOn` says no.
  public func wait(while goesOn: () -> Bool = { true }) {
    var seen: [OpaquePointer: (cycles: Int64, at: Int)] = [:]
    while goesOn() {
      let now = Int(realtime_now())
      let isUnderWay = state.withLock { state in
        state.engines.contains { engine in
          let swap = engine.swap
          guard swap_is_over(swap) == 0, swap_is_under_way(swap) != 0 else { return false }
          let cycles = swap_cycles(swap)
          if seen[swap]?.cycles != cycles { seen[swap] = (cycles, now) }
          return now - seen[swap]!.at < Self.patience
        }
      }
      guard isUnderWay else { return }
      usleep(1000)
    }
  }

  /// Nanoseconds without a cycle after which an engine stands still.
  private static let patience = 500_000_000

  public var counts: Counts {
    state.withLock { state in
      state.engines.reduce(into: state.past) { $0.add($1.swap) }
    }
  }
}
