import CsoundHost
import CsoundLive
import TestPages
import Foundation
import Panels
import Playing
import TestSupport
import Testing

/// A sine of 1000 Hz at half of full scale, on one of two channels.
private let orchestra = """
  \(header(ksmps: 32, channels: 2))
  instr 1
    outch 1, oscili(1, 1000)
  endin
  """

private func stage() throws -> Stage {
  var panel = Panel("Output", from: .file)
  panel.add(PanelWidget(.scope, id: "scope"))
  panel.add(PanelWidget(.spectrum, id: "spectrum", label: "What is heard"))
  return try Stage(orchestra, panel)
}

@Suite("The output as it is drawn", .serialized)
struct OutputTests {
  @Test(
    "What is handed out is the mean of the channels: each sample goes on from the one before it")
  func samples() throws {
    let stage = try stage()
    var samples: [Double] = []
    waits {
      samples = stage.performance.recentOutput(2048)
      return samples.count == 2048
    }
    #expect(samples.count == 2048)
    #expect(abs((samples.max() ?? 0) - 0.5) < 0.001)
    // A sine goes on by x(n+1) = 2 cos(w) x(n) - x(n-1); where the audio thread writes meanwhile, a step may
    // be wrong once.
    let turn = 2 * cos(2 * Double.pi * 1000 / 48000)
    let breaks = (1..<samples.count - 1).count {
      abs(turn * samples[$0] - samples[$0 - 1] - samples[$0 + 1]) > 1e-3
    }
    #expect(breaks <= 2)
    stage.performance.stop()
    #expect(stage.performance.recentOutput(10).isEmpty)
  }

  @Test("A client of a panel that draws the output is sent it, with the sample rate")
  func message() throws {
    let stage = try stage()
    let client = try stage.client()
    var count = 0
    for _ in 0..<100 where count < 2048 {
      let message = try #require(client.message("output"))
      #expect(message["rate"] as? Double == 48000)
      count = (message["samples"] as? [Int])?.count ?? 0
    }
    #expect(count == 2048)
  }

  @Test(
    "The scope shows the peak, the spectrum a line where the tone is",
    .inBrowser)
  func pictures() throws {
    let stage = try stage()
    let page = try BrowserPage(stage.server.url)
    try page.wait(
      for: "Math.abs(document.querySelector('[data-id=scope] canvas').dataset.peak - 0.5) < 0.01")
    let spectrum = "document.querySelector('[data-id=spectrum] canvas').dataset"
    try page.wait(for: "Math.abs(\(spectrum).loudest - 1000) < 24")
    try page.wait(for: "Math.abs(\(spectrum).level - -6) < 2")
    #expect(page.complaints.isEmpty, "\(page.complaints)")
  }
}

@Suite("Time of the instruments on the page", .serialized)
struct LoadTests {
  @Test("Each instrument has a line, the most expensive of late first", .inBrowser)
  func lines() throws {
    let stage = try stage()
    let page = try BrowserPage(stage.server.url)
    #expect(try page.evaluate("document.getElementById('loads').hidden") as? Bool == true)
    func show(_ loads: [(String, Double)]) {
      stage.server.show(
        PanelStatus(
          seconds: 1, load: 0.1, xruns: 0, peaks: [0],
          instruments: loads.map { InstrumentLoad(name: $0.0, load: $0.1) }))
    }
    func lines() throws -> String? {
      try page.text(
        "[...document.querySelectorAll('#loads div')].map(line => line.innerText).join()")
    }
    show([("1", 0.25), ("Bass", 0.125)])
    try page.wait(for: "document.querySelectorAll('#loads div').length === 2")
    #expect(try lines()?.replacing("\n", with: " ") == "1 25.0 %,Bass 12.5 %")
    show([("Bass", 0.5)])
    try page.wait(for: "document.querySelector('#loads .value').textContent === '50.0 %'")
    #expect(try lines()?.replacing("\n", with: " ") == "Bass 50.0 %,1 0.0 %")
    #expect(page.complaints.isEmpty, "\(page.complaints)")
  }
}

@Suite("The load of the last minute")
struct MinuteTests {
  @Test("The terminal has a sign for five seconds: as high as the load, ! for a dropout")
  func terminal() {
    var strip = LoadStrip()
    for (second, load) in [(1.0, 0.1), (3, 0.55), (6, 0.9), (7, 0.2), (11, 3)] {
      strip.take(load: load, dropouts: 2, at: second)
    }
    #expect(strip.text == "▅██")
    // Those before the first look were not in this minute.
    var quiet = LoadStrip()
    quiet.take(load: 0, dropouts: 5, at: 0)
    #expect(quiet.text == "▁")
    strip.take(load: 0.1, dropouts: 3, at: 16)
    #expect(strip.text == "▅██!")
    strip.take(load: 0.1, dropouts: 3, at: 63)
    #expect(strip.text == "██!▁▁▁▁▁▁▁▁▁")
    // A piece that begins anew.
    strip.take(load: 0.3, dropouts: 3, at: 1)
    #expect(strip.text == "▃")
  }

  @Test("The page draws load and dropouts, and names the three dearest lines", .inBrowser)
  func page() throws {
    let stage = try stage()
    let page = try BrowserPage(stage.server.url)
    func show(_ load: Double, _ xruns: Int, _ lines: [Flight.Line] = []) {
      stage.server.show(
        PanelStatus(seconds: 1, load: load, xruns: xruns, peaks: [0], lines: lines))
    }
    show(0.25, 3)
    try page.wait(
      for: "document.getElementById('minute').title.endsWith('25 % at most, 0 dropouts')")
    #expect(try page.evaluate("document.getElementById('dearest').hidden") as? Bool == true)
    show(
      0.5, 4,
      [
        .init(opcode: "moogladder", line: 12, instrument: "1", share: 0.42),
        .init(opcode: "+", line: 7, instrument: "1", share: 0.1),
      ])
    try page.wait(
      for: "document.getElementById('minute').title.endsWith('50 % at most, 1 dropout')")
    try page.wait(for: "!document.getElementById('dearest').hidden")
    #expect(
      try page.text("document.getElementById('dearest').textContent")
        == "dearest: line 12 moogladder 42 %, line 7 + 10 %")
    // Something is drawn at the right, nothing at the left.
    #expect(
      try page.evaluate(
        """
        (() => {
          const canvas = document.getElementById('minute'), pen = canvas.getContext('2d');
          const bytes = pen.getImageData(0, 0, canvas.width, 1 + canvas.height * 0.7).data;
          const row = [...bytes.slice(-4 * canvas.width)].filter((_, index) => index % 4 === 3);
          return row.slice(-3).some(alpha => alpha > 0) && !row.slice(0, 9).some(alpha => alpha > 0);
        })()
        """) as? Bool == true)
    #expect(page.complaints.isEmpty, "\(page.complaints)")
  }
}

@Suite("Tables that a channel chooses", .serialized)
struct ChosenTableTests {
  @Test("A place among the tables, or a number made negative", .inBrowser)
  func choosing() throws {
    var panel = Panel("Tables", from: .file)
    var graph = PanelWidget(.table, id: "graph", channels: ["", "", "", "which"])
    graph.tables = [3, 5]
    graph.isReadOnly = true
    panel.add(graph)
    let orchestra = """
      \(header(ksmps: 32))
      gi3 ftgen 3, 0, 8, -7, 1, 8, 1
      gi5 ftgen 5, 0, 16, -7, 0, 16, 1
      chn_k "which", 3
      instr 1
      endin
      """
    let stage = try Stage(orchestra, panel)
    let page = try BrowserPage(stage.server.url)
    for (value, table) in [(1.0, 5), (0, 3), (-5, 5), (7, 5)] {
      try stage.performance.compile("chnset \(value), \"which\"")
      try page.wait(
        for: "document.querySelector('[data-id=graph] canvas').dataset.table === '\(table)'")
    }
    // A read-only graph sets nothing.
    try page.evaluate("panelConnection.set('which', 0)")
    try page.wait(for: "document.getElementById('state').textContent.includes('shown only')")
    #expect(page.complaints.isEmpty, "\(page.complaints)")
  }
}
