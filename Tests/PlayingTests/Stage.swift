import CsoundLive
import TestPages
import Foundation
import Panels
import Playing
import TestSupport
import Testing

/// A piece that plays by the clock, its panel, and their server.
final class Stage {
  let performance: Performance
  let panel: Panel
  private(set) var server: PanelServer
  let port: PerformancePort
  let transport: TestTransport
  private let values: PanelValues
  private let limits: WebsocketLimits

  /// An orchestra that has the channels of a panel, and does no more.
  static func orchestra(of panel: Panel) -> String {
    let channels = panel.widgets.flatMap { widget in
      widget.channels.filter { !$0.isEmpty }.map {
        widget.kind == .field ? "chn_S \"\($0)\", 1" : "chn_k \"\($0)\", 3"
      }
    }
    return ([header()] + Set(channels).sorted() + ["instr 1", "endin"]).joined(separator: "\n")
  }

  /// Without an orchestra it is that of the panel's channels.
  convenience init(
    _ panel: Panel, presets: PresetFile? = nil, file: PanelFile? = nil,
    controllers: ((Performance) -> any PanelControllers)? = nil
  ) throws {
    try self.init(
      Self.orchestra(of: panel), panel, presets: presets, file: file, controllers: controllers)
  }

  init(
    _ orchestra: String, score: String = "i 1 0 3600", _ panel: Panel,
    limits: WebsocketLimits = WebsocketLimits(), access: PanelAccess = .thisComputer,
    midi: Bool = false, presets: PresetFile? = nil, file: PanelFile? = nil,
    controllers: ((Performance) -> any PanelControllers)? = nil, takingUp: PanelPreset? = nil
  ) throws {
    values = PanelValues(
      panel, presets: try presets.map { try Presets($0) } ?? .none, file: file, takingUp: takingUp)
    self.panel = panel
    self.limits = limits
    let piece = values.begin(Piece(.orchestra(orchestra, score: score), options: ["-m0"]))
    performance = Performance(piece, settings: Settings(device: .null, period: 64, midi: midi))
    port = PerformancePort(performance)
    transport = TestTransport(performance)
    server = try PanelServer(
      panel, PerformancePort(performance), values, port: 0, access: access,
      controllers: controllers?(performance), transport: transport, limits: limits)
    try performance.play()
  }

  deinit {
    server.stop()
    performance.stop()
  }

  /// A connected client without a browser.
  func client() throws -> RawClient { try RawClient(panel: server.port) }

  /// Another server in the same place, as after a restart.
  func restartServer(while away: () throws -> Void = {}) throws {
    let number = server.port
    server.stop()
    try away()
    server = try PanelServer(
      panel, PerformancePort(performance), values, port: number,
      transport: transport, limits: limits)
  }

  /// The value of a channel of the piece, once it is about what is expected, or what it is after the wait.
  func value(_ channel: String, about expected: Double, within part: Double = 0.001) throws
    -> Double
  {
    var value = Double.nan
    try waits {
      value = try port.value(of: channel) ?? .nan
      return abs(value - expected) <= 1e-9 + part * abs(expected)
    }
    return value
  }

  /// Whether a channel of the piece comes to a value.
  func expect(
    _ channel: String, _ expected: Double, within part: Double = 0.001,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let value = try value(channel, about: expected, within: part)
    #expect(
      abs(value - expected) <= 1e-9 + part * abs(expected), "\(channel)", sourceLocation: location)
  }
}
