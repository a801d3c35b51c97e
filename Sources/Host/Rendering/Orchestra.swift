import CsoundHost
import Foundation
import HarnessBase

/// A CSD and the settings it is compiled with.
public struct Orchestra: Codable, Equatable, Sendable {
  /// What Csound says when it has the opcode, but not for these arguments.
  package static let lackingOverload = "Unable to find opcode entry"

  /// Path of the CSD.
  public var path: String
  /// Orchestra macros, as `--omacro` sets them.
  public var macros: [String: String] = [:]
  public var sampleRate: Double?
  public var ksmps: Int?
  public var channelCount: Int?
  /// The path, with at least one `/`, of a plugin that provides the opcodes; without one they are
  /// registered in-process.
  public var plugin: String?
  /// Whether MIDI devices that the CSD's options name are opened.
  public var opensMIDI = true
  /// The number of threads that perform notes; nil for the number in the CSD's options.
  public var threads: Int?
  /// The `csound` program that plays the orchestra, which `plugin` must be built for; nil for this
  /// process.
  public var player: CsoundProgram?

  public init(
    path: String, macros: [String: String] = [:], sampleRate: Double? = nil, ksmps: Int? = nil,
    channelCount: Int? = nil, plugin: String? = nil, opensMIDI: Bool = true
  ) {
    (self.path, self.macros, self.sampleRate, self.ksmps) = (path, macros, sampleRate, ksmps)
    (self.channelCount, self.plugin, self.opensMIDI) = (channelCount, plugin, opensMIDI)
  }

  /// The allowed sample rates, in Hz.
  public static let sampleRateRange = 1000.0...768_000
  /// The allowed values of ksmps, in frames.
  public static let ksmpsRange = 1...65_536

  /// The opcode the orchestra is compiled with, from the macro `OPCODE`; nil if the macro is not set.
  package var opcode: String? { macros["OPCODE"] }

  /// Whether the macro `NOTES` sets the number of notes that play the opcode; it is 1 by default.
  package var takesNotes: Bool {
    (try? String(contentsOfFile: path, encoding: .utf8))?.contains("$NOTES") == true
  }

  /// The options in the CSD that name devices for sound and MIDI; a render to memory does not use them.
  public var deviceOptions: [String] {
    csdOptions.filter {
      $0.contains(/^(-[io](dac|adc)|-[MQ]|-\+rt(audio|midi)=|--midi-device|--realtime)/)
    }
  }

  /// The option in the CSD that asks for more than one thread.
  public var threadOption: String? {
    csdOptions.last { $0.contains(/^(-j|--num-threads=)\s*([2-9]|1\d)/) }
  }

  private var csdOptions: [String] {
    guard (try? requireReadableFile(path)) != nil,
      let text = try? String(contentsOfFile: path, encoding: .utf8),
      let options = text.firstMatch(of: /<CsOptions>(?s:(.*?))<\/CsOptions>/)
    else { return [] }
    return options.1.textLines.flatMap { line in
      line.prefix { $0 != ";" }.split(whereSeparator: \.isWhitespace).map(String.init)
    }
  }

  /// The same orchestra with more macros set.
  public func with(_ macros: [String: String]) -> Orchestra {
    var copy = self
    copy.macros.merge(macros) { $1 }
    return copy
  }

  /// Whether there is a score in the CSD.
  var hasScore: Bool {
    (try? String(contentsOfFile: path, encoding: .isoLatin1))?.contains("<CsScore") != false
  }

  package var options: [String] {
    // Takes back `--port` and `--daemon`, with which no score ends and compile errors are passed over.
    var options = ["--port=0"]
    options += macros.sorted { $0.key < $1.key }.map { "--omacro:\($0.key)=\($0.value)" }
    if let sampleRate { options.append("--sample-rate=\(sampleRate)") }
    if let ksmps { options.append("--ksmps=\(ksmps)") }
    if let channelCount {
      options += ["--nchnls=\(channelCount)", "--nchnls_i=\(channelCount)"]
    }
    if let plugin { options.append("--opcode-lib=\(plugin)") }
    if !opensMIDI { options.append("-+rtmidi=null") }
    if let threads { options.append("--num-threads=\(threads)") }
    return options
  }
}
