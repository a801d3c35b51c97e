import CCsound
import CVector
import CWatch
import CsoundHost
import Foundation
import HarnessBase
import Linting

/// Intercepts the calls from Csound to one opcode: records every pass, and can replace the opcode's
/// buffers by memory with marks around it.
///
/// Before any instance is created, the functions in the opcode's entry are replaced by the probe's.
/// There can be one probe at a time in a process.
package final class Probe {
  package struct Settings {
    /// The memory of audio inputs and outputs.
    package enum Vectors {
      /// Csound's own memory.
      case own
      /// Memory with marks on both sides; outputs are filled with a marker before each pass.
      case marked
      /// Memory directly before a page that may not be accessed.
      case atPageEnd
    }

    package var vectors = Vectors.own
    /// The value on both sides of marked arrays and tables.
    package var surroundings = Double(bitPattern: 0x7FF8_DEAD_BEEF_0002)
    /// Whether allocations, locks and system calls are watched while the opcode performs.
    package var isWatched = false
    package var takesTimes = false
    /// Whether passes that compute with subnormal numbers are recorded.
    package var seesSubnormals = false
    /// Whether passes on two threads are made to begin at the same time.
    package var meetsThreads = false
    /// Whether all outputs are kept; otherwise only blocks with values that are not finite.
    package var keepsOutputs = true

    package init(
      vectors: Vectors = .own, surroundings: Double? = nil, isWatched: Bool = false,
      takesTimes: Bool = false, seesSubnormals: Bool = false, meetsThreads: Bool = false,
      keepsOutputs: Bool = true
    ) {
      self.vectors = vectors
      if let surroundings { self.surroundings = surroundings }
      (self.isWatched, self.takesTimes) = (isWatched, takesTimes)
      (self.seesSubnormals, self.meetsThreads) = (seesSubnormals, meetsThreads)
      self.keepsOutputs = keepsOutputs
    }
  }

  /// The marker value in outputs that no pass has written: a quiet NaN.
  package static let unwritten = Double(bitPattern: 0x7FF8_DEAD_BEEF_0001)

  private nonisolated(unsafe) static var current: Probe?

  private struct Entry {
    var initialize: PassFunction?
    var perform: PassFunction?
    var blockBytes: Int
    /// Whether Csound calls `initialize`.
    var hasInit: Bool
  }

  private let plan: CallPlan
  private let settings: Settings
  private let ksmps: Int
  private let lock = NSLock()
  private let rendezvous = Rendezvous()
  private var entries: [UnsafeMutablePointer<OENTRY>: Entry] = [:]
  /// The statements whose passes are recorded.
  private var targets: Set<UnsafeMutablePointer<OPTXT>> = []
  private var instances: [UnsafeMutableRawPointer: Instance] = [:]
  /// Csound's function with which init passes register a deinit pass; nil for a Csound in which
  /// they set it in the block.
  private var registerDeinit: ccs_register_deinit?
  private var initializing: Instance?
  private var deinits: [UnsafeMutableRawPointer: [(PassFunction, Instance?)]] = [:]
  package private(set) var notes: [NoteTake] = []
  package private(set) var blocks = 0
  /// Whether a performance pass has begun and not returned, even if it was left by a `longjmp`.
  package private(set) var isUnderWay = false
  /// The type strings of the overload that Csound chose.
  package private(set) var resolved: (outputs: String, inputs: String)?

  /// Attaches the probe to a compiled engine that has not performed yet.
  package init(_ plan: CallPlan, _ settings: Settings, in csound: Csound) {
    self.plan = plan
    self.settings = settings
    ksmps = csound.ksmps
    attach(csound.engine)
  }

  /// Attaches the probe to a further engine of this process.
  package func attach(_ engine: UnsafeMutablePointer<CSOUND>) {
    Self.current = self
    // A scene may also use the opcode as a signal source or to play its output; those calls do not
    // count.
    let statements = statements(engine)
    let calls =
      [statements.filter { $0.puts(out: "out") }, statements.filter { $0.takes(in: "in") }]
      .first { !$0.isEmpty } ?? statements
    for statement in calls {
      targets.insert(statement.text)
      take(statement.text.pointee.t.oentry)
    }
    if let own = ccs_replace_deinit(engine, Self.probeRegisterDeinit) { registerDeinit = own }
  }

  /// A statement of an orchestra.
  private struct Statement {
    var text: UnsafeMutablePointer<OPTXT>

    func puts(out kind: String) -> Bool { Self.contains(text.pointee.t.outlist, kind) }
    func takes(in kind: String) -> Bool { Self.contains(text.pointee.t.inlist, kind) }

    /// Whether one of the names is a type letter, `kind` and a number, such as `ain1`: the names of
    /// variables in scenes.
    private static func contains(_ list: UnsafeMutablePointer<ARGLST>?, _ kind: String) -> Bool {
      guard let list else { return false }
      let names = UnsafeRawPointer(list).advanced(by: MemoryLayout<ARGLST>.offset(of: \.arg)!)
        .assumingMemoryBound(to: UnsafePointer<CChar>?.self)
      return (0..<Int(list.pointee.count)).contains { index in
        guard let name = names[index].map({ String(cString: $0).dropFirst() }) else { return false }
        return name.hasPrefix(kind) && name.dropFirst(kind.count).first?.isNumber == true
      }
    }
  }

  /// Every statement that calls the opcode.
  private func statements(_ engine: UnsafeMutablePointer<CSOUND>) -> [Statement] {
    var found: [Statement] = []
    var instrument = engine.pointee.GetInstrumentList(engine)?[0]
    while let text = instrument {
      var statement = text.pointee.nxtop
      while let current = statement {
        if let name = current.pointee.t.oentry?.pointee.opname,
          String(cString: name).prefix(while: { $0 != "." }) == plan.opcode
        {
          found.append(Statement(text: current))
        }
        statement = current.pointee.nxtop
      }
      instrument = text.pointee.nxtinstxt
    }
    return found
  }

  private func take(_ entry: UnsafeMutablePointer<OENTRY>) {
    resolved = (String(cString: entry.pointee.outypes), String(cString: entry.pointee.intypes))
    guard entries[entry] == nil else { return }
    guard let initialize = ccs_entry_initialize(entry), let perform = ccs_entry_perform(entry)
    else { return }
    // The entry has the probe's functions already.
    guard !Self.isSame(initialize.pointee, Self.probeInitialize),
      !Self.isSame(perform.pointee, Self.probePerform)
    else { return }
    entries[entry] = Entry(
      initialize: initialize.pointee, perform: perform.pointee,
      blockBytes: Int(entry.pointee.dsblksiz),
      hasInit: ccs_entry_calls_init(entry) != 0)
    if initialize.pointee != nil { initialize.pointee = Self.probeInitialize }
    if perform.pointee != nil { perform.pointee = Self.probePerform }
  }

  private static func isSame(_ function: PassFunction?, _ other: PassFunction) -> Bool {
    unsafeBitCast(function, to: UInt.self) == unsafeBitCast(other, to: UInt.self)
  }

  // MARK: Passes

  fileprivate static let probeInitialize: PassFunction = { csound, block in
    guard let probe = current, let block else { return -1 }
    return probe.initialize(csound, block)
  }
  fileprivate static let probePerform: PassFunction = { csound, block in
    guard let probe = current, let block else { return -1 }
    return probe.perform(csound, block)
  }

  // MARK: Deinit passes

  private static let probeRegisterDeinit: ccs_register_deinit = { csound, pointer, function in
    guard let probe = current, let pointer, let function, let register = probe.registerDeinit else {
      return -1
    }
    if let instance = probe.initializing { instance.take.deinitRegistrations += 1 }
    probe.lock.withLock {
      probe.deinits[pointer, default: []].append((function, probe.initializing))
    }
    return register(csound, pointer, probeDeinit)
  }

  private static let probeDeinit: PassFunction = { csound, pointer in
    guard let probe = current, let pointer else { return 0 }
    // Locked, because a failed performance ends its note on the thread that performs it.
    let found = probe.lock.withLock {
      (due: probe.deinits[pointer]?.popLast(), last: probe.instances[pointer]?.deinitialize)
    }
    // Csound 7 also calls deinit for instances that it never initialised.
    guard let (function, instance) = found.due else { return found.last?(csound, pointer) ?? 0 }
    instance?.take.deinitCalls += 1
    return function(csound, pointer)
  }

  /// Restores a block's own deinit pass, which the probe had replaced.
  private func restoreDeinit(_ instance: Instance) {
    guard let place = ccs_block_deinit(instance.block),
      Self.isSame(place.pointee, Self.probeDeinit)
    else { return }
    place.pointee = instance.deinitialize
  }

  /// Replaces the deinit pass that a block has after its init pass by the probe's.
  private func takeDeinit(_ instance: Instance) {
    guard let place = ccs_block_deinit(instance.block), let chosen = place.pointee else { return }
    instance.deinitialize = chosen
    instance.take.deinitRegistrations = 1
    lock.withLock { deinits[instance.block] = [(chosen, instance)] }
    place.pointee = Self.probeDeinit
  }

  // MARK: Init and performance passes

  private func initialize(
    _ csound: UnsafeMutablePointer<CSOUND>?, _ block: UnsafeMutableRawPointer
  ) -> CInt {
    let header = block.assumingMemoryBound(to: OPDS.self)
    guard let entry = entries[header.pointee.optext.pointee.t.oentry],
      let function = entry.initialize
    else { return -1 }
    guard targets.contains(header.pointee.optext) else { return function(csound, block) }
    let note = header.pointee.insdshead.pointee
    let instance = lock.withLock {
      if let known = instances[block], note.reinitflag != 0 || note.tieflag != 0 { return known }
      let instance = startNote(block, entry)
      return instance
    }
    instance.take.inits += 1
    initializing = instance
    restoreDeinit(instance)
    instance.beforeInit()
    let status = function(csound, block)
    instance.afterInit()
    takeDeinit(instance)
    initializing = nil
    if status != 0 { instance.take.failedInits += 1 }
    // An opcode may have chosen another function for its performance.
    if let place = ccs_block_perform(block), let chosen = place.pointee,
      !Self.isSame(chosen, Self.probePerform)
    {
      instance.function = chosen
      place.pointee = Self.probePerform
    }
    return status
  }

  /// The exit code of a worker without enough memory for the probe's buffers.
  package static let lackOfMemory: Int32 = 71

  static func endForLackOfMemory() -> Never { _exit(lackOfMemory) }

  private func startNote(_ block: UnsafeMutableRawPointer, _ entry: Entry) -> Instance {
    let take = NoteTake(outputCount: plan.outputs.count)
    notes.append(take)
    if let known = instances[block] {
      known.take = take
      known.function = entry.perform
      return known
    }
    let instance = Instance(
      block, plan, settings, ksmps: ksmps, blockBytes: entry.blockBytes, take)
    instance.function = entry.perform
    instances[block] = instance
    return instance
  }

  private func perform(
    _ csound: UnsafeMutablePointer<CSOUND>?, _ block: UnsafeMutableRawPointer
  ) -> CInt {
    let header = block.assumingMemoryBound(to: OPDS.self)
    guard let entry = entries[header.pointee.optext.pointee.t.oentry] else { return -1 }
    guard targets.contains(header.pointee.optext) else { return entry.perform?(csound, block) ?? 0 }
    let note = header.pointee.insdshead!
    let instance = lock.withLock {
      // For an opcode without an init pass, a new note begins at its first performance pass.
      if let known = instances[block],
        entry.hasInit
          || note.pointee.kcounter > known.cycle && note.pointee.p2.value == known.start
      {
        return known
      }
      return startNote(block, entry)
    }
    guard let function = instance.function else { return -1 }
    lock.withLock { blocks += 1 }
    instance.cycle = note.pointee.kcounter
    instance.start = note.pointee.p2.value
    let audible =
      Int(
        note.pointee.ksmps_offset)..<max(
        Int(note.pointee.ksmps_offset), Int(note.pointee.ksmps) - Int(note.pointee.ksmps_no_end))
    instance.before(ksmps: Int(note.pointee.ksmps))
    let mode = cv_get_float_mode()
    if settings.seesSubnormals { cv_forget_float_events() }
    if settings.meetsThreads { rendezvous.meet() }
    let start = settings.takesTimes ? threadTime() : 0
    if settings.isWatched { watch_enter() }
    isUnderWay = true
    let status = function(csound, block)
    isUnderWay = false
    if settings.isWatched { watch_leave() }
    let take = instance.take
    if settings.takesTimes {
      take.passTimes.append((threadTime() - start) * 1e9)
    }
    let after = cv_get_float_mode()
    if settings.seesSubnormals, cv_has_met_subnormals() != 0 {
      take.subnormalPasses.append(take.frames.count)
    }
    if after != mode {
      take.note(
        .floatMode,
        "it leaves the processor's floating-point mode (\(String(cString: cv_float_register()))) at \(String(after, radix: 16)), found"
          + " at \(String(mode, radix: 16))")
      cv_set_float_mode(mode)
    }
    if status != 0 { take.failedPasses += 1 }
    instance.after(ksmps: Int(note.pointee.ksmps), audible)
    take.frames.append(audible)
    return status
  }
}
