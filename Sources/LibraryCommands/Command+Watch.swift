import CommandKit
import Foundation
import HarnessBase
import Rendering
import Sounds
import Statistics
import Workers

extension Command {
  private static let trial = Option(
    name: "trial", value: "N",
    help: "Touch the package's sources N times, tell the median time to the result, and end.")

  static let watch = Command(
    name: "watch", operands: "FILE.csd",
    summary:
      "Build and render on every save: what the compiler says, else how the sound has changed.",
    options: [.duration, .timeLimit(), trial]
  ) { arguments throws(Failure) in
    guard let package = AuthorPackage.current else {
      throw Failure(
        .usage,
        "There is no package of opcodes here; 'opcodekit new DIR' makes one, --package names one.")
    }
    let operand = try arguments.operand("the CSD that plays the opcodes")
    try requireReadableFile(operand)
    let piece = URL(fileURLWithPath: operand).standardized.path
    let count = try arguments.wholeNumber(trial, 1...1000)
    Interruption.begin()
    var watching = try Watching(
      package, piece, duration: try arguments.number(.duration, 0.001...86_400),
      timeLimit: try arguments.timeLimit())
    try watching.start()
    if let count {
      print(try watching.trial(count))
      return .success
    }
    printError("opcodekit: watching \(Project.short(package.directory)); Ctrl-C ends it")
    do throws(Failure) {
      try watching.follow()
    } catch {
      // That is how it is meant to end.
      guard error.kind == .interrupted else { throw error }
    }
    return .success
  }
}

/// A package and a piece that are built and rendered again whenever they change.
private struct Watching {
  private let build: PluginBuild
  private let piece: String
  private let duration: Double?
  private let pool: WorkerPool
  private let scratch: ScratchDirectory
  private var watch: SourceWatch
  private var version = 0
  private var plugin = ""
  private var last: Take?

  /// A sound, and how long its rendering took with all that belongs to it.
  private struct Take {
    var sound: Sound
    var seconds: Double
  }

  init(
    _ package: AuthorPackage, _ piece: String, duration: Double?, timeLimit: Double
  ) throws(Failure) {
    build = try PluginBuild(package)
    (self.piece, self.duration) = (piece, duration)
    pool = WorkerPool(
      executable: Project.executable, arguments: ["worker"], pinsPlugins: false,
      timeLimit: timeLimit)
    scratch = try ScratchDirectory("watch")
    watch = SourceWatch(directory: package.directory, piece: piece)
  }

  mutating func start() throws(Failure) {
    printError("opcodekit: building \(build.product)")
    plugin = try version(of: build.plain())
    let take = try render()
    last = take
    print("\(Project.short(piece)): \(level(take.sound)), \(cost(take))")
    fflush(nil)
  }

  mutating func follow() throws(Failure) {
    defer { scratch.remove() }
    while true { try react(to: watch.next(), since: Date()) }
  }

  /// Touches the sources in turn; returns a sentence with the median time to the result.
  mutating func trial(_ count: Int) throws(Failure) -> String {
    defer { scratch.remove() }
    let sources = build.directory + "/Sources"
    let files =
      (FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(".swift") }.sorted()
    var seconds: [Double] = []
    for turn in 0..<count {
      let saved = Date()
      let path = sources + "/" + files[turn % files.count]
      try? FileManager.default.setAttributes([.modificationDate: saved], ofItemAtPath: path)
      try react(to: watch.next(), since: saved)
      seconds.append(Date().timeIntervalSince(saved))
    }
    seconds.sort()
    return "From the save to the result: median \(seconds.median.formatted(2)) s of \(count),"
      + " \(seconds[0].formatted(2)) to \(seconds[count - 1].formatted(2)) s."
  }

  /// Builds and renders after a change. What fails leaves the last version as the one to compare with.
  private mutating func react(to change: SourceWatch.Change, since saved: Date) throws(Failure) {
    do throws(Failure) {
      if change.concernsSources(of: build.directory) { plugin = try version(of: build.plain()) }
      let take = try render()
      let seconds = Date().timeIntervalSince(saved).formatted(1)
      print(
        "\(names(change)), \(seconds) s: \(difference(take)), \(level(take.sound)), \(cost(take))")
      last = take
    } catch {
      guard error.kind != .interrupted else { throw error }
      printError("opcodekit: \(names(change)): \(error.message) The last good version stays.")
    }
    fflush(nil)
  }

  private func names(_ change: SourceWatch.Change) -> String {
    change.files.map { ($0 as NSString).lastPathComponent }.joined(separator: ", ")
  }

  /// A copy under a name of its own: Csound would take the one it has loaded for the new one.
  private mutating func version(of built: String) throws(Failure) -> String {
    version += 1
    let copy = "\(scratch.path)/lib\(build.product)-\(version).so"
    do {
      try FileManager.default.copyItem(atPath: built, toPath: copy)
    } catch {
      throw Failure(
        .unwritableOutput, "'\(copy)' cannot be written: \(error.localizedDescription)")
    }
    return copy
  }

  private func render() throws(Failure) -> Take {
    let path = "\(scratch.path)/take.wav"
    defer { unlink(path) }
    let began = Date()
    let job = RenderJob(
      orchestra: Orchestra(path: piece, plugin: plugin), path: path, temporaryPath: path + ".part",
      limit: duration)
    let summary = try pool.run([job])[0].reply(of: "Rendering '\(Project.short(piece))'")
    let seconds = Date().timeIntervalSince(began)
    if let error = summary.noteErrors.first { throw Failure(.badInput, error) }
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
    let peak = sound.samples.reduce(0) { max($0, abs($1)) }
    return peak > 0 ? "peak \((20 * log10(peak)).formatted(1)) dBFS" : "silent"
  }

  private func cost(_ take: Take) -> String { "rendered in \(take.seconds.formatted(2)) s" }
}
