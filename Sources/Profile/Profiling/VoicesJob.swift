import CCsound
import CFlight
import CTrace
import CsoundHost
import Foundation
import HarnessBase
import Rendering

/// Finds the notes that a piece's score plays on an instrument, or plays such notes side by side, without the score's
/// own ones, and measures the k-cycles.
public struct VoicesJob: Job {
  public var orchestra: Orchestra
  /// The name or number of the instrument.
  public var instrument: String
  public var task: Task

  public enum Task: Codable, Sendable {
    /// Plays the piece for so many seconds of sound at most.
    case listen(seconds: Double)
    /// Plays notes in turn from those given, each as its p-fields from p4 on: first none, then `counts`. Stops when the
    /// k-cycles take longer than they sound. Each number of notes sounds for `seconds`.
    case play(notes: [String], counts: [Int], seconds: Double)
  }

  package init(orchestra: Orchestra, instrument: String, task: Task) {
    (self.orchestra, self.instrument, self.task) = (orchestra, instrument, task)
  }

  /// The most different notes of a score that are played, and the longest time that looking for them takes, in seconds.
  static let mostNotes = 16
  private static let longestListening = 20.0
  /// p3 of the notes; long enough for all numbers of notes.
  private static let noteSeconds = 60
  /// Parts into which the k-cycles of each number of notes are divided, to see how they vary.
  private static let parts = 5
  private static let settlingSeconds = 0.03

  public func perform(in worker: WorkerContext) throws(Failure) -> VoicesTake {
    switch task {
    case .listen(let seconds): try listen(worker, seconds)
    case .play(let notes, let counts, let seconds): try play(worker, notes, counts, seconds)
    }
  }

  // MARK: The score's notes

  private func listen(_ worker: WorkerContext, _ limit: Double) throws(Failure) -> VoicesTake {
    var made: FlightRecorder?
    let csound = try worker.renderer.start(orchestra) { csound throws(CsoundError) in
      made = FlightRecorder(csound.engine)
    }
    guard let recorder = made else {
      throw Failure(.unavailable, "There is no memory for a trace.")
    }
    defer { FloatMode.current = .precise }
    var take = VoicesTake(csound)
    var heartbeat = worker.renderer.heartbeat()
    var (cycles, number) = (0, 0)
    var seen: Set<[Double]> = []
    let start = ContinuousClock.now
    while take.soundSeconds < limit, start.duration(to: .now) / .seconds(1) < Self.longestListening
    {
      guard recorder.performKsmps(csound) else { break }
      cycles += 1
      take.soundSeconds = Double(cycles * csound.ksmps) / csound.sampleRate
      heartbeat.beat(seconds: take.soundSeconds)
      for note in csound.notes(of: instrument) {
        number = Int(note.pointee.insno)
        // A block serves one note after another.
        let fields = (2...Int(ccs_p_field_count(note))).map { ccs_p_field(note, Int32($0)) }
        guard take.notes.count < Self.mostNotes, seen.insert(fields).inserted else { continue }
        let text = csound.fields(of: note)
        if !take.notes.contains(text) { take.notes.append(text) }
      }
    }
    var ticks = [UInt64](repeating: 0, count: Int(flight_instruments))
    _ = flight_ticks(recorder.flight, &ticks)
    let all = ticks.reduce(0, +), own = ticks.indices.contains(number) ? ticks[number] : 0
    take.otherLoad =
      Double(all - own) / flight_rate(recorder.flight) / max(1e-9, take.soundSeconds)
    take.fields = csound.text(of: instrument).map { Int($0.pointee.pmax) } ?? 3
    take.noteErrors = csound.noteErrors
    return take
  }

  // MARK: Notes side by side

  private func play(
    _ worker: WorkerContext, _ notes: [String], _ counts: [Int], _ seconds: Double
  ) throws(Failure) -> VoicesTake {
    let rate = TickRate()
    // The piece does not end with its score, which may be before the first note here.
    let csound = try worker.renderer.start(orchestra) { csound throws(CsoundError) in
      csoundSetOption(csound.engine, "--daemon")
    }
    defer { FloatMode.current = .precise }
    csoundSetScorePending(csound.engine, 0)
    var take = VoicesTake(csound)
    let cycle = Double(csound.ksmps) / csound.sampleRate
    let ticksPerCycle = rate.soFar * cycle
    func perform(_ count: Int) {
      for _ in 0..<count {
        trace_begin_cycle()
        _ = csound.performKsmps()
        trace_end_cycle(ticksPerCycle)
      }
    }
    var heartbeat = worker.renderer.heartbeat()
    var begun = 0
    for count in [0] + counts {
      while begun < count {
        let fields = notes.isEmpty ? "" : notes[begun % notes.count]
        let name = Int(instrument) == nil ? "\"\(instrument)\"" : instrument
        ccs_play_line(csound.engine, "i \(name) 0 \(Self.noteSeconds) \(fields)\n")
        begun += 1
      }
      trace_reset()
      perform(max(4, Int(Self.settlingSeconds / cycle)))
      var level = VoicesTake.Level(notes: count)
      let cycles = max(2, Int(seconds / cycle) / Self.parts)
      for _ in 0..<Self.parts {
        trace_reset()
        perform(cycles)
        trace_finish()
        let load = trace_load()
        let calm = Double(load.cycles - load.disturbed_cycles)
        if calm > 0 { level.seconds.append(Double(load.ticks) / rate.soFar / calm) }
        level.cycles += Int(calm)
        level.late += Int(load.late_cycles)
        level.worst = max(level.worst, Double(load.worst) / rate.soFar)
      }
      heartbeat.beat(seconds: Double(take.levels.count) * seconds)
      level.active = csound.text(of: instrument).map { Int($0.pointee.active) } ?? 0
      take.levels.append(level)
      take.noteErrors = csound.noteErrors
      if level.active < count || level.seconds.median > cycle { break }
    }
    return take
  }
}

/// What a piece's notes are, or what numbers of notes take.
public struct VoicesTake: Codable, Sendable {
  public var sampleRate: Double
  public var ksmps: Int
  public var soundSeconds = 0.0
  /// Different notes of the score: p-fields from p4 on, as a score has them.
  public var notes: [String] = []
  /// The last p-field that the instrument uses.
  public var fields = 3
  /// The part of real time that the notes of other instruments take.
  public var otherLoad = 0.0
  public var levels: [Level] = []
  public var noteErrors: [String] = []

  public struct Level: Codable, Sendable {
    /// Notes that were begun, and those that played at the end.
    public var notes: Int
    public var active = 0
    /// The mean time of a k-cycle, in several parts of the time. k-cycles in which the system ran something else are left out.
    public var seconds: [Double] = []
    /// k-cycles, those that took longer than they sound, and the longest in seconds.
    public var cycles = 0
    public var late = 0
    public var worst = 0.0

    public init(notes: Int) { self.notes = notes }
  }

  fileprivate init(_ csound: Csound) {
    (sampleRate, ksmps) = (csound.sampleRate, csound.ksmps)
  }
}

extension Csound {
  /// The compiled instrument with a name, or with a number if a note of it has begun.
  fileprivate func text(of instrument: String) -> UnsafeMutablePointer<INSTRTXT>? {
    var next = engine.pointee.GetInstrumentList?(engine)?.pointee
    while let text = next {
      if text.pointee.opcode_info == nil {
        if let name = text.pointee.insname, String(cString: name) == instrument { return text }
        if let note = text.pointee.instance, "\(note.pointee.insno)" == instrument { return text }
      }
      next = text.pointee.nxtinstxt
    }
    return nil
  }

  /// The notes of an instrument that play.
  fileprivate func notes(of instrument: String) -> [UnsafeMutablePointer<INSDS>] {
    var notes: [UnsafeMutablePointer<INSDS>] = []
    var next = text(of: instrument)?.pointee.instance
    while let note = next {
      if note.pointee.actflg != 0 { notes.append(note) }
      next = note.pointee.nxtinstance
    }
    return notes
  }

  /// The p-fields of a note from p4 on, as a score has them.
  fileprivate func fields(of note: UnsafeMutablePointer<INSDS>) -> String {
    let last = Int(ccs_p_field_count(note))
    guard last > 3 else { return "" }
    return (4...last).map { field in
      let value = ccs_p_field(note, Int32(field))
      guard value.isNaN, var text = note.pointee.strarg else { return "\(value)" }
      // Csound has strings as NaN, with the number of the string among those of the note.
      for _ in 0..<(value.bitPattern & 0xFFFF) { text += strlen(text) + 1 }
      return "\"\(String(cString: text))\""
    }.joined(separator: " ")
  }
}
