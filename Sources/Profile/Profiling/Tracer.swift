import CRealtime
import CTrace
import CsoundHost
import Foundation
import HarnessBase
import Rendering

/// Renders an orchestra once and collects the measurements. A process can do only one render: the
/// engine is never destroyed, because Csound's threads of `-j` do not survive its end.
struct Tracer {
  let renderer: Renderer
  /// Counts instructions; nil to measure times.
  var counter: CallCounter?
  /// Whether the result lists the functions of opcodes.
  var listsFunctions = false
  /// The number of k-cycles after which the functions are listed again, because an opcode may choose its
  /// function when its note starts.
  private static let cyclesPerList = 1000

  func render(_ job: ProfileJob) throws(Failure) -> ProfileTake {
    try counter?.prepare()
    try job.stage?.enter(toPlay: job.orchestra)
    let ticksPerSecond = TickRate()
    trace_reset()
    let cost = trace_measure_cost()
    let start = ContinuousClock.now
    let csound = try compile(job) { csound throws(CsoundError) in
      guard let share = job.tracingShare else { return }
      guard trace_attach(csound.engine, share, job.seed, counter == nil ? 0 : 1) == 0 else {
        throw .unavailable("There is no memory for a trace.")
      }
      counter?.begin(csound)
    }
    counter?.endStart()
    _ = Unmanaged.passRetained(csound)
    let startSeconds = start.duration(to: .now) / .seconds(1)
    try requireEnd(of: job.orchestra, csound, limit: job.limit)
    defer { FloatMode.current = .precise }
    let performStart = ContinuousClock.now
    let firstSecond = Double(realtime_now()) * 1e-9
    var functions = listsFunctions ? FunctionMap() : nil
    let (cycles, digest, wasCutOff) = perform(
      &functions, csound, limit: job.limit, cutOff: job.cutOff, ticksPerSecond.soFar)
    let performance = firstSecond...Double(realtime_now()) * 1e-9
    let performSeconds = performStart.duration(to: .now) / .seconds(1)
    // A survey judges pieces with what they have.
    if job.stage == nil { try csound.requireFiles(of: job.orchestra.path) }
    try requireSound(of: job.orchestra, csound, cycles)
    trace_finish()
    counter?.finish()
    let rate = 1 / ticksPerSecond.soFar
    return ProfileTake(
      sampleRate: csound.sampleRate, ksmps: csound.ksmps,
      soundSeconds: Double(cycles * csound.ksmps) / csound.sampleRate, digest: digest,
      startSeconds: startSeconds, performSeconds: performSeconds, load: load(rate),
      trace: job.tracingShare == nil ? nil : trace(cost, rate),
      functions: functions, performance: performance,
      noteErrors: csound.noteErrors, wasCutOff: wasCutOff)
  }

  private func compile(
    _ job: ProfileJob, beforeStart: (Csound) throws(CsoundError) -> Void
  ) throws(Failure) -> Csound {
    guard job.stage != nil else {
      return try renderer.start(job.orchestra, beforeStart: beforeStart)
    }
    // The piece's inputs get the same block of noise again and again, so that no time is spent on
    // computing more noise.
    return try StagedPiece(job.orchestra, by: renderer, beforeStart: beforeStart).csound
  }

  func requireEnd(of orchestra: Orchestra, _ csound: Csound, limit: Double?) throws(Failure) {
    guard limit != nil || csound.hasScore else {
      throw .badInput("'\(orchestra.path)' has no score and would play for ever; give --duration.")
    }
  }

  func requireSound(of orchestra: Orchestra, _ csound: Csound, _ cycles: Int) throws(Failure) {
    guard cycles > 0 else {
      let reason = csound.noteErrors.first ?? "its score has no notes and no duration."
      throw .badInput("'\(orchestra.path)' plays nothing: \(reason)")
    }
  }

  func perform(
    _ functions: inout FunctionMap?, _ csound: Csound, limit: Double?, cutOff: Double? = nil,
    _ ticksPerSecond: Double
  ) -> (cycles: Int, digest: UInt64, wasCutOff: Bool) {
    let ksmps = csound.ksmps
    let ticksPerCycle = ticksPerSecond * Double(ksmps) / csound.sampleRate
    let longest = limit ?? Renderer.longestUnlimited
    let mostCycles = Int((longest * csound.sampleRate / Double(ksmps)).rounded(.up))
    var heartbeat = renderer.heartbeat()
    let pulse = counter == nil ? nil : renderer.pulse()
    defer { pulse?.end() }
    var digest: UInt64 = 0xCBF2_9CE4_8422_2325
    var cycles = 0
    let start = ContinuousClock.now
    while cycles < mostCycles {
      trace_begin_cycle()
      let goesOn = counter?.performKsmps(csound) ?? csound.performKsmps()
      guard goesOn else { return (cycles, digest, false) }
      trace_end_cycle(ticksPerCycle)
      for sample in csound.output {
        digest = (digest ^ sample.bitPattern) &* 0x100_0000_01B3
      }
      cycles += 1
      // Also at powers of two: few notes have started in the first k-cycles, but a short piece has no
      // others.
      if cycles.isMultiple(of: Self.cyclesPerList) || cycles & (cycles - 1) == 0 {
        functions?.add(csound)
      }
      if let cutOff, cycles.isMultiple(of: 16), start.duration(to: .now) / .seconds(1) > cutOff {
        break
      }
      let seconds = Double(cycles * ksmps) / csound.sampleRate
      if let pulse { pulse.beat(seconds: seconds) } else { heartbeat.beat(seconds: seconds) }
    }
    return (cycles, digest, limit == nil)
  }

  // MARK: Reading

  /// The factor by which to extrapolate from some k-cycles to all.
  private static func scale(_ all: UInt64, _ some: UInt64) -> Double {
    some > 0 ? Double(all) / Double(some) : 0
  }

  private func load(_ rate: Double) -> ProfileTake.Load {
    let load = trace_load()
    var first: UnsafePointer<trace_stretch>?
    let count = trace_stretches(&first)
    let stretches = UnsafeBufferPointer(start: first, count: count).map { stretch in
      ProfileTake.Stretch(
        cycles: Int(stretch.cycles), calmCycles: Int(stretch.calm_cycles),
        seconds: Double(stretch.ticks) * rate * Self.scale(stretch.cycles, stretch.calm_cycles),
        worst: Double(stretch.worst) * rate, lateCycles: Int(stretch.late_cycles),
        mostNotes: Int(stretch.most_notes))
    }
    return ProfileTake.Load(
      cycles: Int(load.cycles), disturbedCycles: Int(load.disturbed_cycles),
      seconds: Double(load.ticks) * rate
        * Self.scale(load.cycles, load.cycles - load.disturbed_cycles),
      worst: Double(load.worst) * rate, worstCycle: Int(load.worst_cycle),
      lateCycles: Int(load.late_cycles), largestBacklog: load.largest_backlog * rate,
      cyclesPerStretch: trace_cycles_per_stretch(), stretches: stretches)
  }

  private func trace(_ cost: trace_cost, _ rate: Double) -> ProfileTake.Trace {
    var calls = [trace_call](repeating: trace_call(), count: trace_calls(nil, 0))
    _ = trace_calls(&calls, calls.count)
    var instruments = [trace_instrument](
      repeating: trace_instrument(), count: trace_instruments(nil, 0))
    _ = trace_instruments(&instruments, instruments.count)
    var first: UnsafePointer<trace_stretch>?
    let stretchCount = trace_stretches(&first)
    let cycles = trace_cycles()
    let engine = trace_engine()
    return ProfileTake.Trace(
      cost: ProfileTake.Cost(
        pass: cost.pass * rate, entering: cost.entering * rate,
        repeating: cost.repeating * rate, whole: cost.whole * rate),
      cycles: ProfileTake.Cycles(
        drawn: Int(cycles.drawn), covered: Int(cycles.cycles), timed: Int(cycles.timed),
        plain: Int(cycles.plain), seconds: cycles.ticks * rate,
        tracing: cycles.tracing * rate, timedSeconds: cycles.timed_ticks * rate,
        timedTracing: cycles.timed_tracing * rate, tracingFactor: cycles.tracing_factor,
        beside: Double(cycles.beside) * rate),
      engine: ProfileTake.Engine(
        beforeNotes: engine.estimate.before_notes * rate,
        betweenNotes: engine.estimate.between_notes * rate,
        afterNotes: engine.estimate.after_notes * rate,
        tracingBefore: engine.estimate.tracing_before * rate,
        tracingBetween: engine.estimate.tracing_between * rate,
        starting: Double(engine.starting) * rate,
        recording: Double(engine.recording) * rate,
        unrecorded: Int(engine.unrecorded), threads: Int(engine.threads)),
      calls: calls.map { call in
        ProfileTake.Call(
          caller: call.caller < 0 ? nil : call.caller,
          statement: ProfileTake.Statement(call), body: ProfileTake.Body(call.instrument),
          thread: Int(call.thread),
          ksmps: Int(call.ksmps), passes: Int(call.passes),
          timedPasses: Int(call.estimate.timed), estimatedPasses: call.estimate.passes,
          seconds: call.estimate.ticks * rate, tracing: call.estimate.tracing * rate,
          samplingError: call.sampling_error < 0 ? nil : call.sampling_error,
          worst: Double(call.worst) * rate, inits: Int(call.inits),
          initSeconds: Double(call.init_ticks) * rate,
          worstInit: Double(call.worst_init) * rate)
      },
      instruments: instruments.map { instrument in
        ProfileTake.Instrument(
          body: ProfileTake.Body(instrument.body),
          notesBegun: Int(instrument.notes_begun), mostNotes: Int(instrument.most_notes),
          worst: Double(instrument.worst) * rate,
          seconds: (0..<stretchCount).map { index in
            Double(instrument.ticks[index]) * rate
              * Self.scale(first![index].cycles, first![index].timed_cycles)
          })
      })
  }
}

extension ProfileTake.Statement {
  fileprivate init(_ call: trace_call) {
    func names(_ list: UnsafePointer<CChar>?) -> [String] {
      guard let list else { return [] }
      return String(cString: list).split(separator: TRACE_SEPARATOR).map(String.init)
    }
    self.init(
      id: UInt64(UInt(bitPattern: call.statement)),
      opcode: call.opcode.map { String(cString: $0) } ?? "?", outputs: names(call.outputs),
      inputs: names(call.inputs), line: Int(call.line), file: Int(call.location & 0xFF),
      index: call.index, isLate: call.is_late != 0)
  }
}

extension ProfileTake.Body {
  fileprivate init(_ body: trace_body) {
    self.init(
      id: UInt64(UInt(bitPattern: body.id)), number: Int(body.number),
      name: body.name.map { String(cString: $0) }, isUserOpcode: body.is_user_opcode != 0,
      place: body.place < 0 ? nil : body.place)
  }
}

/// The rate of the processor's time-stamp counter in ticks per second, measured from the creation of
/// this value until now.
struct TickRate {
  private let start = (ContinuousClock.now, trace_now())

  var soFar: Double {
    var elapsed = start.0.duration(to: .now) / .seconds(1)
    // In less than 20 ms the measurement would be too inaccurate.
    while elapsed < 0.02 { elapsed = start.0.duration(to: .now) / .seconds(1) }
    return Double(trace_now() - start.1) / elapsed
  }
}
