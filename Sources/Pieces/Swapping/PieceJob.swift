import CsoundHost
import HarnessBase
import Rendering

/// Renders the beginning of a piece, and keeps the sound or compares it with one that was kept.
public struct PieceJob: Job {
  var orchestra: Orchestra
  var stage: PieceStage
  /// Seconds of sound after which rendering stops.
  var duration: Double
  /// Seconds of time after which rendering stops.
  var timeLimit: Double
  /// Additional names for opcodes: the opcode by each name.
  var names: [String: String] = [:]
  /// The path where the sound is kept; nil: it is compared instead.
  var kept: String?
  /// The path of the sound to compare with.
  var rival: String
  /// Whether time ran out while that sound was rendered.
  var rivalIsCut = false
  /// Largest null depth that passes, dB.
  var limit: Double

  public func perform(in worker: WorkerContext) throws(Failure) -> PieceTake {
    try worker.renderer.play(self)
  }
}

/// The result of a `PieceJob`.
public struct PieceTake: Codable, Sendable {
  /// Why Csound does not compile the piece; nil if it does.
  var refusal: String?
  /// Whether time ran out before the piece had ended or played long enough.
  var isCut = false
  var frames = 0
  /// Seconds of sound.
  package var seconds = 0.0
  /// Seconds of processor time that the sound took.
  package var cost = 0.0
  /// Largest absolute sample, full scale at 1; infinite when a sample is not finite.
  package var peak = 0.0
  /// Errors of notes and tables, with which Csound plays on.
  package var errors: [String] = []
  /// The comparison with the kept sound; nil if the sound was kept itself. If time ran out for one of
  /// them, only the part that both have is compared.
  var comparison: Comparison?
  /// The compiled calls of the opcodes with additional names, by these names.
  var calls: [String: [CompiledCall]] = [:]
}

/// A call of an opcode as Csound compiled it. A call in a macro can be compiled several times.
package struct CompiledCall: Codable, Equatable, Sendable {
  /// The type strings of the overload.
  package var outputs: String
  package var inputs: String
  /// Whether a note with this call has started.
  package var hasStarted: Bool
}

extension Renderer {
  /// Plays the beginning of a piece on its stage.
  fileprivate func play(_ job: PieceJob) throws(Failure) -> PieceTake {
    try job.stage.enter(toPlay: job.orchestra)
    let start = ContinuousClock.now
    var piece: StagedPiece
    do throws(Failure) {
      piece = try StagedPiece(job.orchestra, names: job.names, by: self)
    } catch {
      guard error.kind == .badInput else { throw error }
      return PieceTake(refusal: error.message)
    }
    let csound = piece.csound
    var sound = Sound(sampleRate: csound.sampleRate, channelCount: csound.channelCount)
    var heartbeat = heartbeat()
    let time = Duration.seconds(job.timeLimit)
    var take = PieceTake()
    let processorStart = threadTime()
    while sound.duration < job.duration, csound.performKsmps() {
      heartbeat.beat(seconds: sound.duration)
      csound.appendOutput(to: &sound.samples)
      take.isCut = start.duration(to: .now) > time
      if take.isCut { break }
      piece.feed()
    }
    take.cost = threadTime() - processorStart
    FloatMode.current = .precise
    take.frames = sound.frameCount
    take.seconds = sound.duration
    take.errors = csound.noteErrors + csound.tableErrors
    take.peak = sound.samples.reduce(0) { $1.isFinite ? max($0, abs($1)) : .infinity }
    if !job.names.isEmpty { take.calls = Self.calls(csound, of: job.names) }
    guard sound.frameCount > 0 else { return take }
    guard let kept = job.kept else {
      let rival = try Sound(readingFrom: job.rival)
      let frames =
        take.isCut || job.rivalIsCut ? min(sound.frameCount, rival.frameCount) : Int.max
      take.comparison = Comparison(
        subject: sound.prefix(frames: frames), rival: rival.prefix(frames: frames),
        tolerance: job.limit)
      return take
    }
    try sound.write(to: kept)
    return take
  }

  private static func calls(
    _ csound: Csound, of names: [String: String]
  ) -> [String: [CompiledCall]] {
    var calls: [String: [CompiledCall]] = [:]
    for statement in csound.statements where names[statement.opcode] != nil {
      calls[statement.opcode, default: []].append(
        CompiledCall(
          outputs: statement.outputs, inputs: statement.inputs, hasStarted: statement.hasStarted))
    }
    return calls
  }
}
