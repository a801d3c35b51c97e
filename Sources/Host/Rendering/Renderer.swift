import CCsound
public import CsoundHost
import Foundation
import HarnessBase

/// Performs orchestras in this process.
public struct Renderer {
  private let register: Csound.Registration
  private let progress: (_ seconds: Double) -> Void

  /// `progress` is called about once a second of real time, with the seconds of sound so far.
  public init(
    registering register: @escaping Csound.Registration,
    progress: @escaping (_ seconds: Double) -> Void = { _ in }
  ) {
    self.register = register
    self.progress = progress
  }

  /// Calls `progress` if a second has passed since the last call.
  package struct Heartbeat {
    fileprivate let progress: (Double) -> Void
    fileprivate var last = ContinuousClock.now

    package mutating func beat(seconds: Double) {
      guard last.duration(to: .now) > .seconds(1) else { return }
      last = .now
      progress(seconds)
    }
  }

  package func heartbeat() -> Heartbeat { Heartbeat(progress: progress) }

  package func pulse() -> Pulse { Pulse(progress) }

  /// Compiles an orchestra and returns the engine, ready for its first k-cycle. Sets this thread's
  /// floating-point mode to Csound's. `more` registers further opcodes, also at every reset.
  package func start(
    _ orchestra: Orchestra, beforeStart: (Csound) throws(CsoundError) -> Void = { _ in },
    registering more: @escaping Csound.Registration = { _ in }
  ) throws(Failure) -> Csound {
    try requireReadableFile(orchestra.path)
    if let plugin = orchestra.plugin { try Plugin.check(plugin) }
    FloatMode.current = .csound
    let register = orchestra.plugin == nil ? register : { _ in }
    guard let host = WidgetHost.current, WidgetHost.isNeeded(by: orchestra.path) else {
      return try compile(orchestra, beforeStart) { engine in
        register(engine)
        more(engine)
      }
    }
    let bytes = FileManager.default.contents(atPath: orchestra.path) ?? Data()
    let text = String(decoding: bytes, as: UTF8.self)
    let channels = try host.channels(text)
    return try OtherWidgets.whileAside { () throws(Failure) in
      try compile(
        orchestra,
        { csound throws(CsoundError) in
          csound.set(channels)
          try beforeStart(csound)
        }
      ) { engine in
        register(engine)
        host.register(engine, text)
        more(engine)
      }
    }
  }

  private func compile(
    _ orchestra: Orchestra, _ beforeStart: (Csound) throws(CsoundError) -> Void,
    registering register: @escaping Csound.Registration
  ) throws(Failure) -> Csound {
    do throws(CsoundError) {
      let csound = try Csound(registering: register)
      FloatMode.current = .csound
      try csound.compile(orchestra.path, options: orchestra.options) { () throws(CsoundError) in
        try beforeStart(csound)
      }
      return csound
    } catch {
      switch error {
      case .unavailable(let reason): throw .unavailable(reason)
      case .orchestra(let path, let message):
        if let opcode = orchestra.opcode, message.contains("T_IDENT"),
          message.contains("(token \"\(opcode)\")")
        {
          let place = orchestra.plugin.map { "the plugin '\($0)'" } ?? "Opcodes/Library.swift"
          throw .badInput(
            "There is no opcode '\(opcode)'; is it spelt so, and registered in \(place)?")
        }
        if let file = MissingFile.name(in: message, of: path) {
          throw MissingFile.failure(file, of: path)
        }
        let isLacking = message.contains(Orchestra.lackingOverload)
        let plugin = isLacking ? orchestra.plugin.map { " with the plugin '\($0)'" } : nil
        throw .badInput("Csound cannot compile '\(path)'\(plugin ?? ""): \(message)")
      }
    }
  }

  /// Renders to memory, full scale at 1.
  ///
  /// `input` is played into the orchestra's input channels. More than `limit` seconds of sound, or a
  /// note that fails, is an error.
  public func render(
    _ orchestra: Orchestra, input: Sound? = nil, limit: Double = 120
  ) throws(Failure) -> Sound {
    if let player = orchestra.player {
      return try player.render(orchestra, input: input, limit: limit)
    }
    let csound = try start(orchestra)
    var quiet: QuietEnd?
    let sound = perform(csound, input: input, seconds: limit, &quiet)
    try requireNotes(of: orchestra, in: csound)
    guard sound.duration <= limit else {
      throw .badInput("'\(orchestra.path)' has not ended after \(limit) seconds of sound.")
    }
    return sound
  }

  /// The longest sound that is rendered to memory without a given duration, in seconds.
  package static let longestRecording = 300.0

  /// Renders `duration` seconds to memory, or fewer if the orchestra ends sooner; full scale at 1.
  /// Without a duration the piece must end within `longestRecording` seconds. A table that cannot be
  /// made, in the score too, or a note that fails, is an error.
  public func render(_ orchestra: Orchestra, duration: Double?) throws(Failure) -> Sound {
    let csound = try start(orchestra)
    let seconds = duration ?? Self.longestRecording
    var quiet = duration == nil ? QuietEnd(of: csound) : nil
    var sound = perform(csound, input: nil, seconds: seconds, &quiet)
    try quiet?.requireSound(of: orchestra.path)
    if let quiet, quiet.isOver {
      sound = sound.prefix(frames: sound.frameCount - quiet.silentFrames)
    }
    try requireNone(of: csound.tableErrors + csound.noteErrors, orchestra, csound)
    guard duration != nil || sound.duration <= seconds else {
      throw .badInput(
        "'\(orchestra.path)' has not ended after \(Int(seconds)) s of sound; give --duration.")
    }
    return sound.prefix(frames: Int((seconds * sound.sampleRate).rounded()))
  }

  /// Performs until the score ends, until the sound is longer than `seconds`, or until `quiet` is over.
  private func perform(
    _ csound: Csound, input: Sound?, seconds: Double, _ quiet: inout QuietEnd?
  ) -> Sound {
    var sound = Sound(sampleRate: csound.sampleRate, channelCount: csound.channelCount)
    var feed = input.map { InputFeed(sound: $0, csound: csound) }
    var heartbeat = heartbeat()
    feed?.next()
    while sound.duration <= seconds, csound.performKsmps() {
      heartbeat.beat(seconds: sound.duration)
      csound.appendOutput(to: &sound.samples)
      _ = quiet?.hears(csound)
      if quiet?.isOver == true { break }
      feed?.next()
    }
    return sound
  }

  /// Fails if a note of the orchestra has failed in this engine, or a file was not found.
  package func requireNotes(of orchestra: Orchestra, in csound: Csound) throws(Failure) {
    try requireNone(of: csound.noteErrors, orchestra, csound)
  }

  private func requireNone(
    of errors: [String], _ orchestra: Orchestra, _ csound: Csound
  ) throws(Failure) {
    try csound.requireFiles(of: orchestra.path)
    guard let error = errors.first else { return }
    throw .badInput("A note or table of '\(orchestra.path)' failed: \(error)")
  }

  /// The report of a finished render to a file.
  public struct Summary: Codable, Equatable, Sendable {
    public var seconds: Double
    public var channelCount: Int
    public var sampleRate: Double
    /// Largest absolute sample, full scale at 1.
    public var peak: Double
    /// The number of samples beyond full scale, clipped by the format; 0 for formats that do not clip.
    public var clippedCount: Int
    /// The number of samples that were NaN or infinite, and the time of the first, in seconds.
    public var notFiniteCount: Int
    public var firstNotFinite: Double?
    /// Whether the render was cut off at `longestUnlimited`.
    public var wasCutOff = false
    /// Whether a piece without a score was ended because it had become silent.
    public var endedInSilence = false
    /// The size at which the render was cut off, in megabytes; nil if it was not.
    public var fullFile: Int?
    /// Csound's messages about notes that failed.
    public var noteErrors: [String] = []
    /// The first file that the piece asked for and Csound did not find.
    public var missingFile: String?

    /// Problems of a render that was finished nevertheless, one sentence each.
    package var complaints: [String] {
      var complaints = noteErrors
      if let firstNotFinite {
        complaints.append(
          "\(notFiniteCount) samples are NaN or infinite, first at \(String(format: "%.4f", firstNotFinite)) s."
        )
      }
      if wasCutOff {
        complaints.append(
          "cut off after \(Int(Renderer.longestUnlimited)) s, because the score had not ended;"
            + " --duration sets another limit.")
      }
      if let fullFile {
        complaints.append(
          "cut off because the file has \(fullFile) MB; --largest-file sets another limit.")
      }
      return complaints
    }
  }

  /// A render without a limit is cut off after this many seconds, because a score that never ends would
  /// fill the disk.
  public static let longestUnlimited = 3600.0

  /// Renders to the temporary part of a sound file, until the piece ends or for `limit` seconds. The file grows to
  /// `largest` megabytes at most.
  ///
  /// `trace` is written, too: what each k-cycle and note took, and each pass of an opcode that took long.
  package func render(
    _ orchestra: Orchestra, to output: OutputFile, limit: Double?,
    largest: Int = FileLimit.standard, trace: OutputFile? = nil
  ) throws(Failure) -> Summary {
    let format = try SoundFormat(forPath: output.path)
    if let player = orchestra.player {
      return try player.render(orchestra, limit: limit, format, to: output)
    }
    var recording: FlightRecording?
    let csound = try start(orchestra) { (csound: Csound) throws(CsoundError) in
      if trace != nil { recording = try FlightRecording(csound) }
    }
    guard csound.sampleRate <= 1e9 else {
      throw .badInput(
        "'\(orchestra.path)' has a sample rate of \(csound.sampleRate) Hz, which no sound"
          + " file can hold; give --sample-rate.")
    }
    let writer = try SoundWriter(
      output, format: format, sampleRate: csound.sampleRate,
      channelCount: csound.channelCount)
    var summary = Summary(
      seconds: 0, channelCount: csound.channelCount, sampleRate: csound.sampleRate, peak: 0,
      clippedCount: 0, notFiniteCount: 0)
    var quiet = limit == nil ? QuietEnd(of: csound) : nil
    let silence = [Double](repeating: 0, count: quiet == nil ? 0 : csound.output.count)
    // Bytes for the block that follows, at most, and for what the format puts at the end.
    let reserve = 8 * csound.output.count + 65536
    var heartbeat = heartbeat()
    var block = [Double](repeating: 0, count: csound.output.count)
    var levels = Csound.Levels()
    var (frames, held) = (0, 0)
    func write(_ block: [Double]) throws(Failure) {
      try block.withUnsafeBufferPointer { buffer throws(Failure) in try writer.write(buffer) }
      frames += csound.ksmps
      summary.seconds = Double(frames) / csound.sampleRate
    }
    while summary.seconds < limit ?? Self.longestUnlimited,
      recording?.performKsmps() ?? csound.performKsmps()
    {
      heartbeat.beat(seconds: summary.seconds)
      // Silence is written only if something follows it.
      if quiet?.hears(csound) == true {
        held += 1
        if quiet?.isOver == true { break }
        continue
      }
      csound.copyOutput(to: &block, silencing: format.clips, &levels)
      if levels.notFiniteCount > 0, summary.firstNotFinite == nil {
        summary.firstNotFinite = summary.seconds
      }
      while held > 0 {
        try write(silence)
        held -= 1
      }
      try write(block)
      if writer.byteCount + reserve > largest << 20 {
        summary.fullFile = largest
        break
      }
    }
    try quiet?.requireSound(of: orchestra.path)
    summary.endedInSilence = quiet?.isOver == true
    // The silence before a piece has ended itself belongs to it.
    for _ in 0..<(summary.endedInSilence ? 0 : held) { try write(silence) }
    (summary.peak, summary.notFiniteCount) = (levels.peak, levels.notFiniteCount)
    summary.wasCutOff = limit == nil && summary.seconds >= Self.longestUnlimited
    try writer.close()
    if let trace { try recording?.write(to: trace, of: orchestra.path) }
    summary.clippedCount = writer.clippedCount
    summary.noteErrors = csound.noteErrors
    summary.missingFile = csound.missingFile(of: orchestra.path)
    return summary
  }
}

extension Csound {
  fileprivate func set(_ channels: WidgetHost.Channels) {
    for (name, value) in channels.numbers { csoundSetControlChannel(engine, name, value) }
    for (name, text) in channels.texts {
      text.withCString {
        csoundSetStringChannel(engine, name, UnsafeMutablePointer(mutating: $0))
      }
    }
  }

  /// A new engine, or the failure that Csound cannot be used.
  package static func usable() throws(Failure) -> Csound {
    do throws(CsoundError) {
      return try Csound()
    } catch {
      throw .unavailable("Csound cannot be used: \(error).")
    }
  }

  /// The first file that a piece, compiled by this engine, asked for and Csound did not find; nil if there is none.
  package func missingFile(of piece: String) -> String? {
    MissingFile.name(in: messages.joined(separator: "\n"), of: piece)
  }

  /// Fails if Csound did not find a file that the piece asked for.
  package func requireFiles(of piece: String) throws(Failure) {
    if let file = missingFile(of: piece) { throw MissingFile.failure(file, of: piece) }
  }
}

/// Plays a sound into an engine's input, one k-cycle at a time, silence after its end.
private struct InputFeed {
  let sound: Sound
  let csound: Csound
  var frame = 0

  mutating func next() {
    csound.setInput(sound.samples, channelCount: sound.channelCount, from: frame)
    frame += csound.ksmps
  }
}
