public import CsoundLive
import Foundation
import Panels

/// The messages to a page, as JSON.
enum ServerMessage {
  static let version = 1

  /// The panel: the first message, sent again whenever the panel is replaced.
  static func hello(_ panel: Panel) -> String {
    "{\"type\":\"hello\",\"version\":\(version),\"panel\":\(json(panel))}"
  }

  /// Numbers and texts of channels.
  static func values(_ values: [(name: String, value: Double)], _ texts: [(String, String)])
    -> String
  {
    let numbers = values.map { "\(json($0.name)):\(number($0.value))" }
    let strings = texts.map { "\(json($0.0)):\(json($0.1))" }
    return "{\"type\":\"values\",\"values\":{\(numbers.joined(separator: ","))},"
      + "\"texts\":{\(strings.joined(separator: ","))}}"
  }

  static func status(_ status: PanelStatus) -> String {
    let peaks = status.peaks.map(number).joined(separator: ",")
    return "{\"type\":\"status\",\"seconds\":\(number(status.seconds)),\"load\":"
      + "\(number(status.load)),\"xruns\":\(status.xruns),\"peaks\":[\(peaks)]}"
  }

  /// The load of each instrument.
  static func loads(_ loads: [InstrumentLoad]) -> String {
    let instruments = loads.map { "{\"name\":\(json($0.name)),\"load\":\(number($0.load))}" }
    return "{\"type\":\"loads\",\"instruments\":[\(instruments.joined(separator: ","))]}"
  }

  /// The names of all presets.
  static func presets(_ names: [String]) -> String {
    "{\"type\":\"presets\",\"names\":\(json(names))}"
  }

  /// Which MIDI controllers set which channels, and the channel that waits for one.
  static func controllers(_ bindings: PanelBindings) -> String {
    "{\"type\":\"controllers\",\"controllers\":\(json(bindings.controllers)),"
      + "\"waiting\":\(json(bindings.waiting))}"
  }

  /// The picture of a table.
  static func table(_ number: Int, _ picture: TablePicture) -> String {
    func list(_ values: [Double]) -> String {
      // Four digits are more than a screen shows.
      values.map { $0.isFinite ? String(format: "%.4g", $0) : "null" }.joined(separator: ",")
    }
    return "{\"type\":\"table\",\"table\":\(number),\"length\":\(picture.length),\"low\":["
      + "\(list(picture.low))],\"high\":[\(list(picture.high))]}"
  }

  /// The last samples of the output as whole numbers, full scale at 10000.
  static func output(_ samples: [Double], sampleRate: Double) -> String {
    let numbers = samples.map { "\(Int((max(-4, min(4, $0)) * 10000).rounded()))" }
    return "{\"type\":\"output\",\"rate\":\(number(sampleRate)),\"samples\":["
      + numbers.joined(separator: ",") + "]}"
  }

  /// Messages of Csound; `lost` lines before them were dropped.
  static func console(_ text: String, lost: Int) -> String {
    "{\"type\":\"console\",\"text\":\(json(text)),\"lost\":\(lost)}"
  }

  /// Why a request was refused.
  static func refused(_ reason: String) -> String {
    "{\"type\":\"refused\",\"reason\":\(json(reason))}"
  }

  /// Confirms that the page's message with this number, and all before it, have been passed to the piece.
  static func done(_ id: Int) -> String { "{\"type\":\"done\",\"id\":\(id)}" }

  /// The piece has come to an end.
  static let ended = "{\"type\":\"ended\"}"

  static func number(_ value: Double) -> String { value.isFinite ? "\(value)" : "null" }

  private static func json(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    // Only numbers that are infinite or NaN could not be encoded, and importers do not produce them.
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN")
    return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
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

  public init(
    seconds: Double, load: Double, xruns: Int, peaks: [Double], instruments: [InstrumentLoad] = []
  ) {
    (self.seconds, self.load, self.xruns, self.peaks) = (seconds, load, xruns, peaks)
    self.instruments = instruments
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
