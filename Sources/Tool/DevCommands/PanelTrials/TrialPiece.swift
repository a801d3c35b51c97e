import CsoundLive
import HarnessBase
import Panels
import Playing

/// A piece that plays in real time without a sound device, and its panel: sliders of the channels `s0`, `s1`, ….
package final class TrialPiece {
  /// Frames in a period.
  package static let period = 128
  /// Frames in a k-cycle.
  package static let ksmps = 64

  let performance: Performance
  let server: PanelServer
  let channels: PerformancePort

  private static let orchestra = """
    sr = 48000
    ksmps = \(ksmps)
    nchnls = 2
    0dbfs = 1
    instr 1
      klevel chnget "s0"
      a1 vco2 0.1*klevel, 110
      a2 moogladder a1, 2000, 0.3
      outs a2, a2
    endin
    """

  /// Starts the piece. Its panel has this many sliders, each from 0 to `greatest`.
  init(sliders: Int, greatest: Double) throws(Failure) {
    var panel = Panel("Trial", from: .file)
    for number in 0..<sliders {
      panel.add(
        PanelWidget(
          .slider, channels: ["s\(number)"], ranges: [ValueRange(0, greatest, initial: 0)]))
    }
    let values = PanelValues(panel)
    performance = Performance(
      values.begin(Piece(.orchestra(Self.orchestra, score: "i 1 0 86400"), options: ["-m0"])),
      settings: Settings(device: .null, period: Self.period))
    var limits = WebsocketLimits()
    limits.connections = sliders + 4
    server = try PanelServer(
      panel, PanelledPerformance(performance), values, port: 0, limits: limits)
    channels = PerformancePort(performance)
    do throws(Failure) {
      try performance.play()
      _ = try channels.value(of: "s0")
    } catch {
      end()
      throw error
    }
  }

  func end() {
    server.stop()
    performance.stop()
  }
}
