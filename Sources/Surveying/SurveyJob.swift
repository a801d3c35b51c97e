import CCsound
import CLandlock
import CsoundHost
import Foundation
import HarnessBase
import Panels
import Rendering
import Sounds
import Statistics
import Workers

/// Renders the beginning of a piece, keeps it or compares it with one that was kept.
public struct SurveyJob: Job {
  var orchestra: Orchestra
  /// The current directory while it plays: the piece's own, where its files are.
  var directory: String
  /// The only place that may be written: a piece can write files, and must not beside itself.
  var scratch: String
  /// Seconds of sound, and of time, after which it stops.
  var duration: Double
  var timeLimit: Double
  /// Where the sound is kept; nil compares it.
  var kept: String?
  /// The sound to compare with, and whether time ran out while it was made.
  var rival: String
  var rivalIsCut = false
  /// Largest null depth that passes, dB.
  var limit: Double

  public func perform(in worker: WorkerContext) throws(Failure) -> SurveyTake {
    try worker.renderer.survey(self)
  }
}

/// What came of it.
public struct SurveyTake: Codable, Sendable {
  /// Why Csound does not compile it; nil when it does.
  var refusal: String?
  /// Whether time ran out before the piece had ended or played long enough.
  var isCut = false
  var frames = 0
  /// Largest absolute sample, full scale at 1; infinite when a sample is not finite.
  var peak = 0.0
  /// Errors of notes and tables, with which Csound plays on.
  var errors: [String] = []
  /// What it was compared with; of both, the part that is in both when time ran out.
  var comparison: Comparison?
}

extension Renderer {
  /// Plays the beginning of a piece in its own directory, noise at -20 dBFS into its inputs, its
  /// widgets as they are at first; for the rest of its life this process can
  /// write to the scratch directory only.
  func survey(_ job: SurveyJob) throws(Failure) -> SurveyTake {
    guard chdir(job.directory) == 0 else {
      throw Failure(.missingInput, "The directory '\(job.directory)' cannot be entered.")
    }
    // Csound's own variable for where sound files are written.
    setenv("SFDIR", job.scratch, 1)
    guard landlock_write_only_below(job.scratch) == 0 || !Survey.confinesPieces else {
      throw Failure(
        .unavailable, "A piece cannot be kept from writing elsewhere than to '\(job.scratch)'.")
    }

    let start = ContinuousClock.now
    let csound: Csound
    do throws(Failure) {
      let text = (try? String(contentsOfFile: job.orchestra.path, encoding: .isoLatin1)) ?? ""
      let panel = try CabbageImporter.panel(of: text, title: "")
      csound = try self.start(job.orchestra) { csound in
        for (channel, value) in panel?.initialNumbers ?? [:] {
          csoundSetControlChannel(csound.engine, channel, value)
        }
      }
    } catch {
      guard error.kind == .badInput else { throw error }
      return SurveyTake(refusal: error.message)
    }
    var sound = Sound(sampleRate: csound.sampleRate, channelCount: csound.channelCount)
    var heartbeat = heartbeat()
    let scale = 1 / csound.fullScale
    let time = Duration.seconds(job.timeLimit)
    var take = SurveyTake()
    var noise = SeededGenerator(seed: 1)
    func feed() {
      let input = csound.input
      for index in input.indices {
        input[index] = Double.random(in: -0.1...0.1, using: &noise) * csound.fullScale
      }
    }
    feed()
    while sound.duration < job.duration, csound.performKsmps() {
      heartbeat.beat(seconds: sound.duration)
      for sample in csound.output { sound.samples.append(sample * scale) }
      take.isCut = start.duration(to: .now) > time
      if take.isCut { break }
      feed()
    }
    FloatMode.current = .precise
    take.frames = sound.frameCount
    take.errors = csound.noteErrors + csound.tableErrors
    take.peak = sound.samples.reduce(0) { $1.isFinite ? max($0, abs($1)) : .infinity }
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
}
