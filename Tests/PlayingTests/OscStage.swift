import CsoundLive
import Foundation
import HarnessBase
import Panels
import Playing
import Synchronization
import TestSupport
import Testing

/// A piece that plays, and the server of OSC beside its panel's server or alone.
final class OscStage {
  let performance: Performance
  let page: PanelServer?
  let osc: OscServer
  let values: PanelValues
  private let said = Mutex<[String]>([])
  let transport: TestTransport

  /// Channels of each kind; instrument 1 hears them, others play notes.
  static let orchestra = """
    \(header())
    chn_k "level", 3, 2, 0.5, 0, 1
    chn_k "osc1/level", 1, 2, 0.5, 0, 1
    chn_k "osc2/level", 1, 2, 0.5, 0, 1
    chn_k "count", 3
    instr 1
      klevel chnget "level"
      kcutoff chnget "cutoff"
      kgo chnget "go"
      kpulses init 0
      kpulses += kgo
      chnset kpulses, "pulses"
      chnset klevel * 2, "twice"
      chnset kcutoff, "heard"
      Sname chnget "name"
      kletters strlenk Sname
      chnset kletters, "letters"
      ktwo active 2
      kthree active 3
      klead active 4
      chnset ktwo + klead, "notes"
      chnset kthree, "score notes"
    endin
    instr 2
      chnset p4, "key"
      chnset p5, "fifth"
    endin
    instr 3
    endin
    instr Lead  ; number 4
      Sword strget p4
      chnset strlen(Sword), "word"
    endin
    """

  static var panel: Panel {
    var panel = Panel("Stage", from: .file)
    panel.add(PanelWidget(.slider, channels: ["level"], ranges: [ValueRange(0, 1, initial: 0.5)]))
    panel.add(PanelWidget(.momentary, channels: ["go"]))
    panel.add(PanelWidget(.field, channels: ["name"]))
    panel.add(PanelWidget(.meter, channels: ["twice"], ranges: [ValueRange(0, 2)]))
    var preset = PanelPreset("half")
    preset.values = ["level": 0.25]
    panel.presets = [preset, PanelPreset("full", values: ["level": 1])]
    return panel
  }

  init(
    hasPage: Bool = false, orchestra: String = orchestra, score: String = "i 1 0 3600\ni 3 0 3600",
    device: Settings.Device = .null, isSampleAccurate: Bool = false, lease: Double = 60,
    panel: Panel = panel
  ) throws {
    values = PanelValues(panel)
    var piece = Piece(.orchestra(orchestra, score: score), options: ["-m0"])
    piece.isSampleAccurate = isSampleAccurate
    performance = Performance(
      values.begin(piece),
      settings: Settings(device: device, period: device == .null ? 64 : 256))
    let port = PerformancePort(performance)
    transport = TestTransport(performance)
    page = hasPage ? try PanelServer(panel, port, values, port: 0, transport: transport) : nil
    nonisolated(unsafe) weak var stage: OscStage?
    osc = try OscServer(
      panel, port, values, beside: page, port: 0, address: "127.0.0.1",
      transport: transport,
      say: { text in stage?.said.withLock { $0.append(text) } })
    osc.lease = lease
    stage = self
    try performance.play()
    osc.show(
      named: ChannelImporter.panel(
        of: "<CsInstruments>\n\(orchestra)\n</CsInstruments>", title: "", hints: []))
    osc.start()
  }

  deinit {
    osc.stop()
    page?.stop()
    performance.stop()
  }

  func client(own port: Int = 0) -> OscClient { OscClient(to: osc.port, own: port) }

  /// What was said on the terminal so far.
  var sentences: [String] { said.withLock { $0 } }

  var recordings: [Bool] { transport.recordings }

  /// Whether a channel of the piece comes to a value.
  func expect(
    _ channel: String, _ expected: Double, location: SourceLocation = #_sourceLocation
  ) throws {
    let port = PerformancePort(performance)
    try waits { try port.value(of: channel) == expected }
    #expect(try port.value(of: channel) == expected, "\(channel)", sourceLocation: location)
  }
}

/// Pauses a piece, and notes what is to be recorded.
final class TestTransport: PanelTransport {
  private let performance: Performance
  private let current = Mutex(TransportState())
  private let recorded = Mutex<[Bool]>([])

  init(_ performance: Performance) { self.performance = performance }

  var state: TransportState { current.withLock { $0 } }
  var recordings: [Bool] { recorded.withLock { $0 } }

  func record(_ isOn: Bool) throws(Failure) {
    guard isOn || state.recording != nil else { throw .usage("Nothing is being recorded.") }
    recorded.withLock { $0.append(isOn) }
    current.withLock { $0.recording = isOn ? .init("take.wav") : nil }
  }

  func trace() throws(Failure) -> String { "/tmp/a.trace.json" }

  func pause(_ isOn: Bool) {
    current.withLock { $0.isPaused = isOn }
    if isOn { performance.pause() } else { performance.resume() }
  }
}
