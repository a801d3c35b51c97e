public import CCsound
import CRealtime
import CSwap
import Glibc
import Synchronization

/// Replaces the code of a library's opcodes while they play.
///
/// If a new version has an opcode with the same signature, its code takes over in the notes that play, between two
/// k-cycles. It keeps the opcode's state if the layout of the state is the same. Otherwise the new init pass sets up
/// a new state, which is heard only after 50 ms. Audio outputs are crossfaded in 15 ms, during which both versions are
/// performed; other outputs change at once. The notes change one after the other, one opcode in a note for each 64
/// frames of sound, since setting up a state costs as much as starting a note.
///
/// An init-time opcode changes with its next init pass. So does an opcode with f-signal, array or string outputs if
/// the layout of its state has changed. Offer nothing to an engine with `--realtime`, as that has a separate thread
/// for init passes.
public final class OpcodeSwap: Sendable {
  private struct Engine: @unchecked Sendable {
    var swap: OpaquePointer
    var code: OpcodeCode
  }

  private struct State {
    var code: OpcodeCode
    var engines: [Engine] = []
    /// The counts of engines that have ended.
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
    /// Opcodes in notes that changed and kept their state.
    public var kept = 0
    /// Opcodes in notes that changed and got a new state.
    public var renewed = 0
    /// Opcodes in notes that did not change, as the new init pass failed.
    public var refused = 0
    /// Bytes beyond the end of a block or buffer that were written to.
    public var overruns = 0
    /// Bytes of memory that all states take.
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

  /// Begins with this version. `checksMemory` overwrites memory when it is freed, so that code that still reads it
  /// becomes audible.
  public init(_ code: OpcodeCode, checksMemory: Bool = false) {
    state = Mutex(State(code: code))
    self.checksMemory = checksMemory
  }

  /// Adds the opcodes to an engine in which nothing is compiled yet. They take precedence over the same opcodes that a
  /// plugin adds later.
  public func register(in csound: UnsafeMutablePointer<CSOUND>) {
    state.withLock { state in
      state.forgetEngines()
      let code = state.code
      // Csound keeps the pointers, so this memory is never freed.
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

  /// Offers a version to all engines that play and to later ones. Call it on any thread.
  ///
  /// If an opcode is new, gone or called differently, returns a description of that. Engines that play then keep the
  /// last version; use `Performance.replace` to compile the piece in a new engine. Otherwise returns nil.
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

  /// The version that later engines begin with.
  public var code: OpcodeCode {
    get { state.withLock { $0.code } }
    set { state.withLock { $0.code = newValue } }
  }

  /// Returns when every note that plays has begun to use the last version, or when `goesOn` returns false. Does not
  /// wait for an engine that stands still; such an engine takes the version when it goes on.
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

  /// An engine counts as standing still if it has performed no k-cycle for this many nanoseconds.
  private static let patience = 500_000_000

  public var counts: Counts {
    state.withLock { state in
      state.engines.reduce(into: state.past) { $0.add($1.swap) }
    }
  }
}
