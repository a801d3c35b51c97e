public import CsoundHost
public import CsoundLive
import Foundation
import Panels

/// The messages to a page, as JSON. Each has its kind in `type`. A number that is not finite is null.
enum ServerMessage {
  static let version = 1

  /// The panel: the first message, sent again whenever the panel is replaced.
  static func hello(_ panel: Panel) -> String {
    json("hello", ["version": version, "panel": panel])
  }

  /// Numbers and texts of channels.
  static func values(_ values: [String: ChannelValue]) -> String {
    json(
      "values",
      [
        "values": values.compactMapValues { $0.number.map(Number.init) },
        "texts": values.compactMapValues(\.text),
      ])
  }

  static func status(_ status: PanelStatus) -> String {
    json(
      "status",
      [
        "seconds": Number(status.seconds), "load": Number(status.load), "xruns": status.xruns,
        "peaks": status.peaks.map(Number.init), "beat": status.beat.map(Number.init),
        "tempo": status.tempo.map(Number.init),
      ])
  }

  /// The load of each instrument, and the dearest lines.
  static func loads(_ loads: [InstrumentLoad], _ lines: [Flight.Line]) -> String {
    let instruments = loads.map { Members(["name": $0.name, "load": Number($0.load)]) }
    let lines = lines.map {
      Members(["line": $0.line, "opcode": $0.opcode, "share": Number($0.share)])
    }
    return json("loads", ["instruments": instruments, "lines": lines])
  }

  /// The names of all presets, and of the one that was recalled or saved last.
  static func presets(_ names: [String], chosen: String?) -> String {
    json("presets", ["names": names, "chosen": chosen])
  }

  /// Which MIDI controllers set which channels, and the channel that waits for one; null if none does.
  static func controllers(_ bindings: PanelBindings) -> String {
    let waiting: any Encodable = bindings.waiting.map { $0 as any Encodable } ?? Number(.nan)
    return json("controllers", ["controllers": bindings.controllers, "waiting": waiting])
  }

  /// What is recorded, for how many seconds so far, the name of the last take, and whether the piece is paused.
  static func transport(_ state: TransportState) -> String {
    let recording = state.recording.map { recording in
      Members([
        "name": recording.name, "seconds": recording.begin.duration(to: .now) / .seconds(1),
        "isWhole": recording.isWhole,
      ])
    }
    let take = state.take.map { ($0 as NSString).lastPathComponent }
    return json("transport", ["paused": state.isPaused, "recording": recording, "take": take])
  }

  /// What was taken up of the values of the last time; a count of 0 without `left`: nothing that is still to be decided.
  static func taken(_ taken: TakenUp?) -> String {
    json(
      "taken",
      [
        "count": taken?.count ?? 0, "time": taken?.time ?? "", "limited": taken?.limited ?? [],
        "left": taken?.left ?? [], "overwritten": taken?.overwritten ?? [],
      ])
  }

  /// The values that the piece began with, of channels for which the panel says none or others.
  static func first(_ values: [String: Double]) -> String {
    json("first", ["values": values.mapValues(Number.init)])
  }

  /// A sentence about the piece, or an empty one if there is nothing to say any more.
  static func notice(_ text: String) -> String { json("notice", ["text": text]) }

  /// The picture of a table, with four digits, which are more than a screen shows.
  static func table(_ number: Int, _ picture: TablePicture) -> String {
    func rounded(_ values: [Double]) -> [Number] {
      values.map { Number(Double(String(format: "%.4g", $0)) ?? .nan) }
    }
    return json(
      "table",
      [
        "table": number, "length": picture.length, "low": rounded(picture.low),
        "high": rounded(picture.high),
      ])
  }

  /// The last samples of the output as whole numbers, full scale at 10000.
  static func output(_ samples: [Double], sampleRate: Double) -> String {
    let numbers = samples.map { Int((max(-4, min(4, $0)) * 10000).rounded()) }
    return json("output", ["rate": Number(sampleRate), "samples": numbers])
  }

  /// Messages of Csound; `lost` lines before them were dropped.
  static func console(_ text: String, lost: Int) -> String {
    json("console", ["text": text, "lost": lost])
  }

  /// Why a request was refused.
  static func refused(_ reason: String) -> String { json("refused", ["reason": reason]) }

  /// Confirms that the page's message with this number, and all before it, have been passed to the piece.
  static func done(_ id: Int) -> String { json("done", ["id": id]) }

  /// The piece has come to an end.
  static let ended = json("ended", [:])

  /// A number, or null if it is not finite.
  private struct Number: Encodable {
    var value: Double

    init(_ value: Double) { self.value = value }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if value.isFinite { try container.encode(value) } else { try container.encodeNil() }
    }
  }

  /// An object of JSON. A member that is nil is left out.
  private struct Members: Encodable {
    private let members: [String: (any Encodable)?]

    init(_ members: [String: (any Encodable)?]) { self.members = members }

    func encode(to encoder: any Encoder) throws {
      try members.compactMapValues { $0.map(Member.init) }.encode(to: encoder)
    }

    private struct Member: Encodable {
      let value: any Encodable

      func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
    }
  }

  private static func json(_ type: String, _ members: [String: (any Encodable)?]) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    // Only panels have numbers that could be infinite or NaN, and importers do not produce them.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    let message = Members(members.merging(["type": type]) { first, _ in first })
    return (try? encoder.encode(message)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
  }
}

/// The position, load and levels of what plays.
public struct PanelStatus: Sendable, Equatable {
  public var seconds: Double
  /// The longest computing time of a period since the last look, as a fraction of the period's duration.
  public var load: Double
  public var xruns: Int
  /// The largest absolute sample of each channel since the last look, full scale at 1.
  public var peaks: [Double]
  /// The load of each instrument; empty if they are not timed.
  public var instruments: [InstrumentLoad]
  /// The dearest lines now.
  public var lines: [Flight.Line]
  /// The beat of the score, from 0, and its tempo in beats a minute; nil if the score has no tempo.
  public var beat, tempo: Double?

  public init(
    seconds: Double, load: Double, xruns: Int, peaks: [Double], instruments: [InstrumentLoad] = [],
    lines: [Flight.Line] = [], map: TempoMap? = nil
  ) {
    (self.seconds, self.load, self.xruns, self.peaks) = (seconds, load, xruns, peaks)
    (self.instruments, self.lines) = (instruments, lines)
    beat = map?.beat(atTime: seconds)
    tempo = map.flatMap { map in beat.map { map.tempo(atBeat: $0) } }
  }

  /// This status, but with the larger load and peaks of this one and the earlier one.
  func merged(with earlier: PanelStatus) -> PanelStatus {
    var status = self
    status.load = max(load, earlier.load)
    if earlier.peaks.count == peaks.count {
      status.peaks = zip(peaks, earlier.peaks).map { max($0, $1) }
    }
    return status
  }
}
