import CsoundHost
import Foundation
import HarnessBase

/// A `csound` program that plays orchestras in its own process, because it is another version of
/// Csound or built for another processor.
public struct CsoundProgram: Codable, Equatable, Sendable {
  package let csound: CsoundVersion
  package let processor: Processor
  /// A description for messages.
  package let name: String
  /// The program, and the arguments before csound's own options.
  private let words: [String]
  /// Whether the program is player.c, with its own options, and not the command csound.
  private let isPlayer: Bool
  /// Environment variables it needs. If this process loads no installed plugins, neither does `csound`.
  private let environment: [String: String]

  package init(_ csound: DebianCsound) {
    (self.csound, processor) = (.six, csound.processor)
    words = csound.words
    name = "Debian's csound for \(processor.rawValue), executed by qemu"
    // This machine's plugins are for another processor.
    environment = ["OPCODE6DIR64": csound.plugins, "CS_USER_PLUGINDIR": WorkerPool.noPlugins]
    isPlayer = false
  }

  /// Plays with any Csound of this machine's kind of processor.
  package init(_ csound: CsoundLibrary) {
    (self.csound, processor) = (csound.csound, .own)
    (words, environment) = (csound.words, csound.environment)
    (name, isPlayer) = (csound.title, true)
  }

  package init(_ csound: WindowsPlayer) {
    (self.csound, processor) = (.seven, .x86_64)
    (words, environment) = (csound.words, csound.environment)
    name = "Csound 7.0.0 of PyPI for Windows, executed by Wine"
    isPlayer = true
  }

  package init(_ csound: MacPlayer) {
    (self.csound, processor) = (csound.target.csound, csound.target.processor)
    (words, environment) = (csound.words, csound.environment)
    let program =
      self.csound == .six
      ? "Debian's csound for \(processor.rawValue), executed by qemu"
      : "Csound 7.0.0 of PyPI for Linux"
    name = "\(program), which a loader gives the part for \(processor.rawValue)"
    isPlayer = self.csound == .seven
  }

  /// Fails if Csound does not compile the orchestra.
  func compile(_ orchestra: Orchestra) throws(Failure) {
    _ = try run(["--syntax-check-only"], orchestra)
  }

  /// Renders an orchestra to its end, full scale at 1. Fails if the sound is longer than `limit`
  /// seconds; with `cutting` it ends there. With a `duration`, in seconds, there is no limit and only the sound's beginning is
  /// rendered. A piece without a score ends as `QuietEnd` says. `input` is played into the orchestra's input channels. `code` is
  /// compiled before the first k-cycle, by players that can. With `confined` the piece reads its folder and the system's
  /// files and writes a temporary directory only, and is skipped if it names an opcode for programs or the network. Csound
  /// is stopped if no sound comes for `stalling` seconds; nil waits for ever.
  package func render(
    _ orchestra: Orchestra, input: Sound?, limit: Double, keeping duration: Double? = nil,
    cutting: Bool = false, adding code: String? = nil, confined: Bool = false,
    stalling: Double? = nil
  ) throws(Failure) -> Sound {
    if confined { try OutsideUse.requireNone(in: orchestra.path) }
    let scratch = try ScratchDirectory("csound")
    defer { scratch.remove() }
    let output = scratch.path + "/out.wav"
    var options = ["--format=double", "-o", output]
    if let input {
      try input.write(to: scratch.path + "/in.wav")
      options += ["-i", scratch.path + "/in.wav"]
    }
    let isScoreless = duration == nil && !orchestra.hasScore
    if isPlayer {
      options.append("--until=\(duration ?? limit + (cutting ? 0 : 1))")
      if let code { options.append("--code=\(code)") }
      if isScoreless { options.append("--quiet=\(QuietEnd.longestSilence)") }
    } else if isScoreless {
      throw .badInput(
        "'\(orchestra.path)' has no score, and \(name) would play it for ever; write a score that ends, such as"
          + " 'e 10'.")
    }
    let said = try run(
      options, orchestra, confinedTo: confined ? scratch.path : nil,
      stalling: stalling.map { ($0, output) })
    guard !said.lines.contains(where: { $0.contains("cannot compile orchestra") }) else {
      throw .badInput("Csound cannot play '\(orchestra.path)': \(said.diagnosis)")
    }
    try requireFiles(of: orchestra, said)
    if let error = said.noteErrors.first {
      throw .badInput("A note or table of '\(orchestra.path)' failed: \(error)")
    }
    let sound: Sound
    do throws(Failure) {
      sound = try Sound(readingFrom: output)
    } catch {
      throw Failure(
        error.kind, error.message.replacing("'\(output)' is", with: "'\(orchestra.path)' makes"))
    }
    if isScoreless {
      guard let last = sound.samples.lastIndex(where: { $0 != 0 }) else {
        throw QuietEnd.silence(orchestra.path)
      }
      let frames = last / sound.channelCount + 1
      // Otherwise the piece has ended itself.
      let isSilenceOver =
        Double(sound.frameCount - frames) >= QuietEnd.longestSilence * sound.sampleRate
      return isSilenceOver ? sound.prefix(frames: frames) : sound
    }
    if let duration { return sound.prefix(frames: Int((duration * sound.sampleRate).rounded())) }
    guard cutting || sound.duration <= limit else {
      throw .badInput("'\(orchestra.path)' has not ended after \(limit) seconds of sound.")
    }
    return sound
  }

  /// Renders to the temporary part of a sound file, as a `Renderer` does in this process.
  package func render(
    _ orchestra: Orchestra, limit: Double?, _ format: SoundFormat, to output: OutputFile
  ) throws(Failure) -> Renderer.Summary {
    let longest = Renderer.longestUnlimited
    let sound = try render(orchestra, input: nil, limit: longest, keeping: limit, cutting: true)
    var summary = try sound.write(format, to: output)
    summary.wasCutOff = limit == nil && sound.duration >= longest
    return summary
  }

  private func requireFiles(
    of orchestra: Orchestra, _ said: CsoundMessages
  ) throws(Failure) {
    let text = said.lines.joined(separator: "\n")
    guard let file = MissingFile.name(in: text, of: orchestra.path) else { return }
    throw MissingFile.failure(file, of: orchestra.path)
  }

  private func run(
    _ options: [String], _ orchestra: Orchestra, confinedTo scratch: String? = nil,
    stalling: (seconds: Double, output: String)? = nil
  ) throws(Failure) -> CsoundMessages {
    try requireReadableFile(orchestra.path)
    if let reason = Csound.endlessFile(in: orchestra.path) {
      throw .badInput("Csound cannot play '\(orchestra.path)': \(reason)")
    }
    var environment = ProcessInfo.processInfo.environment.merging(self.environment) { ours, its in
      ours == WorkerPool.noPlugins ? ours : its
    }
    var starter: ChildProcess.Starter = { $0() }
    if let scratch {
      let sounds = ["SFDIR", "SSDIR"].compactMap { environment[$0] }
      if !sounds.isEmpty { environment["SSDIR"] = sounds.joined(separator: ":") }
      environment["SFDIR"] = scratch
      let directory = URL(fileURLWithPath: orchestra.path).standardizedFileURL.path.parentPath
      starter = Confinement(
        scratch: scratch,
        readable: [orchestra.path] + words + words.dropFirst().map(\.parentPath)
          + self.environment.values.filter { $0.hasPrefix("/") }
          + PieceFolder.readable(directory)
      ).starter(of: words[0])
    }
    let finished = try ChildProcess.run(
      words[0], words.dropFirst() + ["-d"] + options + orchestra.options + [orchestra.path],
      environment: environment, timeLimit: stalling?.seconds, writing: stalling?.output,
      starter: starter)
    if finished.isOverdue, let stalling {
      throw .crashed(
        "Csound was stopped while it played '\(orchestra.path)': nothing happened for \(Int(stalling.seconds)) s."
      )
    }
    let said = CsoundMessages(finished.output + finished.errors)
    if let plugin = orchestra.plugin,
      (finished.output + finished.errors).contains("incompatible with this version of Csound")
    {
      throw .badInput(
        "'\(plugin)' is not for Csound \(csound.release); './opcodekit build --csound \(csound.rawValue)'"
          + " makes a plugin that is.")
    }
    switch finished.ending {
    case .exited(code: 0): return said
    case .exited:
      try requireFiles(of: orchestra, said)
      throw .badInput("Csound cannot play '\(orchestra.path)': \(said.diagnosis)")
    case .killed(let signal):
      let account = LastWords.account(in: finished.errors).map { " \($0)" } ?? ""
      throw .crashed(
        "Csound crashed while it played '\(orchestra.path)': \(String(cString: strsignal(signal)))."
          + account)
    }
  }
}

extension Sound {
  /// Writes the sound to the temporary part of an output file. For a format that clips, NaN and
  /// infinity are written as 0.
  func write(
    _ format: SoundFormat, to output: OutputFile
  ) throws(Failure) -> Renderer.Summary {
    let writer = try SoundWriter(
      output, format: format, sampleRate: sampleRate, channelCount: channelCount)
    let firstNotFinite = samples.firstIndex { !$0.isFinite }
    let written = samples.map { $0.isFinite || !format.clips ? $0 : 0 }
    try written.withUnsafeBufferPointer { buffer throws(Failure) in try writer.write(buffer) }
    try writer.close()
    return Renderer.Summary(
      seconds: duration, channelCount: channelCount, sampleRate: sampleRate,
      peak: samples.reduce(0) { $1.isFinite ? max($0, abs($1)) : $0 },
      clippedCount: writer.clippedCount, notFiniteCount: samples.count { !$0.isFinite },
      firstNotFinite: firstNotFinite.map { Double($0 / channelCount) / sampleRate },
      wasCutOff: false)
  }
}
