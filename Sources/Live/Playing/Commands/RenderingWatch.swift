import CommandKit
import Foundation
import HarnessBase
import PluginBuilding
import Rendering

/// Builds a package and renders a piece with it whenever one of them changes.
struct RenderingWatch {
  private var versions: PluginVersions
  private let package: AuthorPackage
  private let piece: String
  private let duration: Double?
  private let pool: WorkerPool
  private let picture: SoundPage?
  private let rivals: Rivals
  private var watch: SourceWatch
  private var plugin = ""
  private var last: Take?

  /// A rendered sound, and the seconds that its rendering took, with starting and ending Csound.
  private struct Take {
    var sound: Sound
    var seconds: Double
  }

  /// `picture` is the path of the page that is written after each save; nil for none.
  init(
    _ package: AuthorPackage, _ piece: String, duration: Double?, picture: String?,
    timeLimit: Double
  ) throws(Failure) {
    versions = try PluginVersions(try PluginBuild(package))
    (self.package, self.piece, self.duration) = (package, piece, duration)
    self.picture = try picture.map { path throws(Failure) in try SoundPage(path) }
    rivals = Rivals(package, piece, timeLimit: timeLimit)
    pool = WorkerPool(Project.worker, pinsPlugins: false, timeLimit: timeLimit)
    watch = SourceWatch(package, piece: piece)
  }

  mutating func start() throws(Failure) {
    printError("opcodekit: building \(versions.build.product)")
    plugin = try versions.next()
    let take = try render()
    last = take
    let sentence =
      "\(Project.short(piece)): \(level(take.sound)), \(cost(take))\(try rivals.sentence(plugin))"
    print(sentence)
    try picture?.draw(take.sound, after: nil, sentence)
    fflush(nil)
  }

  mutating func follow() throws(Failure) {
    defer { versions.remove() }
    while true { try react(to: watch.next()) }
  }

  /// Builds and renders after a change. If that fails, later versions are still compared with the last good one.
  private mutating func react(to change: SourceWatch.Change) throws(Failure) {
    let saved = Date()
    do throws(Failure) {
      if change.concernsSources { plugin = try versions.next() }
      let take = try render()
      let rivals = try rivals.sentence(plugin)
      let seconds = Date().timeIntervalSince(saved).formatted(1)
      let sentence =
        "\(change.names), \(seconds) s: \(difference(take)), \(level(take.sound)), \(cost(take))\(rivals)"
      print(sentence)
      fflush(nil)
      try picture?.draw(take.sound, after: last?.sound, sentence)
      last = take
    } catch {
      try Interruption.check()
      printError("opcodekit: \(change.names): \(error.message) The last good version stays.")
    }
    fflush(nil)
  }

  private func render() throws(Failure) -> Take {
    let path = "\(versions.directory)/take.wav"
    defer { unlink(path) }
    let began = Date()
    let output = try OutputFile(path)
    defer { output.discard() }
    let job = RenderJob(
      orchestra: Orchestra(path: piece, plugin: plugin), output: output, limit: duration)
    let summary = try pool.run([job])[0].reply(of: "Rendering '\(Project.short(piece))'")
    try output.finish()
    let seconds = Date().timeIntervalSince(began)
    if let missing = summary.missingFile { throw MissingFile.failure(missing, of: piece) }
    if let error = summary.noteErrors.first { throw .badInput(error) }
    return Take(sound: try Sound(readingFrom: path), seconds: seconds)
  }

  private func difference(_ take: Take) -> String {
    guard let last else { return "the first" }
    let comparison = Comparison(subject: take.sound, rival: last.sound, tolerance: -.infinity)
    if comparison.verdict == .differentShape {
      return
        "\(take.sound.duration.formatted(3)) s after \(last.sound.duration.formatted(3)) s of sound"
    }
    if comparison.verdict == .notFinite {
      let seconds = Double(comparison.worst.frame) / take.sound.sampleRate
      return "NaN or infinity from \(seconds.formatted(3)) s on"
    }
    if comparison.peakError == -.infinity { return "sounds as before, sample for sample" }
    let place = Double(comparison.worst.frame) / take.sound.sampleRate
    return
      "null to the last version \(comparison.nullDepth.formatted(1)) dB, most at \(place.formatted(3)) s"
  }

  private func level(_ sound: Sound) -> String {
    sound.peak > 0 ? "peak \(Screen.level(sound.peak)) dBFS" : "silent"
  }

  private func cost(_ take: Take) -> String { "rendered in \(take.seconds.formatted(2)) s" }
}
