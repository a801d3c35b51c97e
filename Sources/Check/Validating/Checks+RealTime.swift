import Probing
import CWatch
import HarnessBase
import Linting

extension Check {
  /// What a real-time thread must not do, observed while the opcode performs.
  static let realTime = [
    Check("realtime-no-allocation", "Performance neither allocates nor frees memory.") {
      examination throws(Outcome) in
      try requireNone(try watched(examination).allocations)
    },
    Check("realtime-no-lock", "Performance takes no lock.") { examination throws(Outcome) in
      try requireNone(try watched(examination).locks)
    },
    Check("realtime-no-system-call", "Performance does not call the system.") {
      examination throws(Outcome) in
      let found = try watched(examination).system_calls
      guard watch_sees_system_calls() != 0 else {
        throw .skipped("this system does not let a process see its own system calls")
      }
      guard found.count > 0 else { return }
      throw .failed("it makes system call \(found.number) from \(place(found.caller))")
    },
    Check("realtime-no-message", "Performance prints nothing.") { examination throws(Outcome) in
      try examination.requirePerformance()
      let scene = Scene(duration: 0.3)
      // A longer note must not print more lines.
      let settings = Probe.Settings(keepsOutputs: false)
      let short = try examination.playCleanly(scene, settings).messages
      let long = try examination.playCleanly(
        scene.with { $0.notes[0].duration = 0.6 }, settings
      ).messages
      let extra = long.count - short.count
      guard extra > 20 else { return }
      throw .failed("it prints \(extra) lines in 225 blocks")
    },
    Check(
      "realtime-float-mode", "Performance leaves the processor's floating-point mode as it was."
    ) { examination throws(Outcome) in
      try examination.requirePerformance()
      let take = try examination.playCleanly(Scene())
      try examination.requireNoViolation(.floatMode, in: take)
    },
    Check("realtime-worst-block", "No block takes much longer than the others.") {
      examination throws(Outcome) in
      try examination.requirePerformance()
      var fastest: [Double] = []
      for _ in 0..<7 {
        let take = try examination.playCleanly(
          Scene(duration: 1), Probe.Settings(takesTimes: true, keepsOutputs: false))
        let times = take.first.passTimes
        fastest = fastest.isEmpty ? times : zip(fastest, times).map { min($0, $1) }
      }
      // The first blocks run with cold caches.
      let times = Array(fastest.dropFirst(20))
      guard let worst = times.max(), times.count > 100 else {
        throw .skipped("it performs too little to be timed")
      }
      let typical = times.median
      guard worst > 25 * typical, worst - typical > 5000 else { return }
      throw .warning(
        "its slowest block takes \(Int(worst)) ns, \(Int(worst / typical)) times the median of"
          + " \(Int(typical)) ns, in each of 7 renders")
    },
  ]

  private static let install: Void = {
    Heap.requireOwn()
    watch_install()
  }()

  private static func watched(_ examination: Examination) throws(Outcome) -> watch_report {
    try examination.requirePerformance()
    // Loads all libraries the opcode needs, because calls from libraries loaded later are not seen.
    _ = try examination.playCleanly(Scene(duration: 0.02))
    install
    watch_reset()
    var settings = Probe.Settings(isWatched: true, keepsOutputs: false)
    settings.vectors = .own
    let scene = Scene().with { scene in
      // Controls that move, so that the opcode cannot reuse earlier results.
      for index in examination.plan.controls {
        let value = Scene.number(examination.plan.inputs[index].value)
        scene.expressions[index] = "\(value) * (kcycle % 3 == 0 ? 0.9 : 1)"
      }
    }
    _ = try examination.playCleanly(scene, settings)
    return watch_result()
  }

  private static func requireNone(_ found: watched) throws(Outcome) {
    guard found.count > 0 else { return }
    let function = found.function.map { String(cString: $0) } ?? "a function"
    throw .failed(
      "it calls \(function), \(found.count) times in 0.1 s, first from \(place(found.caller))")
  }

  private static func place(_ address: UnsafeRawPointer?) -> String {
    let library = watch_library(address).map { String(cString: $0) } ?? "an unknown place"
    let name = library.split(separator: "/").last.map(String.init) ?? library
    guard let function = watch_function(address) else { return name }
    return "\(String(cString: function)) in \(name)"
  }
}
