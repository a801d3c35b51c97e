import Foundation
import HarnessBase
import Linting
import PluginBuilding
import Rendering
import TestPages
import TestSupport
import Testing

/// The page that `package --os web` makes.
extension WebTests {
  /// The page that a package of the pack has.
  static let page = Result { () throws -> String in
    let pool = WorkerPool([tool, "worker"], pinsPlugins: false, timeLimit: 60)
    let path = try standalonePlugin.get()
    let page = ListeningPage(
      product: "opcodes", version: "1.0.0", plugin: try Self.plugin.get(),
      signatures: try pool.lint(path, name: path).signatures)
    return try page.text().saved("index.html")
  }

  @Test("The page of a package plays each opcode that it offers", .unless(lack))
  func plays() throws {
    struct Played: Decodable {
      var overload: String?
      var peaks: [Double?]?
      var said: String?
      var ended: Bool?
      /// The amplitudes at two keys that are played together, the most notes, the level after both are released.
      var keyed: [Double]?
      var units: [String]?
      var unplayed: [String]?
    }
    let file = try Self.page.get()
    let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
    #expect(try #require(size) < 2_000_000)
    let ending = try run("/usr/bin/env", ["node", root + "/Tests/Hosts/listen.mjs", file]).good()
    let all = try ending.output.split(separator: "\n").map {
      try JSONDecoder().decode(Played.self, from: Data($0.utf8))
    }
    for played in all {
      guard let overload = played.overload, let peaks = played.peaks else { continue }
      #expect(played.ended == false && played.said == "", "\(overload): \(played.said ?? "")")
      // A peak that is no number is null.
      #expect(
        peaks.allSatisfy { $0 != nil } && peaks.contains { $0! > 0.01 }, "\(overload): \(peaks)")
    }
    #expect(all.count > 45)
    let keyed = all.filter { $0.keyed != nil }
    for played in keyed {
      let found = played.keyed!
      #expect(
        found[0] > 0.02 && found[1] > 0.02 && found[2] == 8 && found[3] == 0,
        "\(played.overload ?? ""): \(found)")
    }
    #expect(keyed.map(\.overload).contains("POSCIL.kk") && keyed.count > 5, "\(keyed)")
    #expect(all.first { $0.overload == "MOOGLADDER.kk" }?.units == ["", "Hz", "", "", ""])
    // Of arrays, texts and spectra alone the page has none, nor of opcodes that read a delay line of another one.
    let left = try #require(all.last?.unplayed)
    #expect(left.contains("PVSYNTH") && left.contains("NOTENAME") && left.contains("BANDS"))
    #expect(left.count < 18, "\(left)")
  }

  @Test(
    "In a browser the page has no faults",
    .enabled(if: lack == nil && Browser.path != nil), arguments: PageView.all)
  func browser(view: PageView) throws {
    let page = try BrowserPage(
      "file://" + Self.page.get(), width: view.width, height: view.height, waits: false,
      scheme: view.scheme, isTouch: view.isTouch)
    try page.wait(for: "document.querySelectorAll('#list button').length > 30")
    for opcode in ["ALPASS", "POSCIL"] {
      try page.evaluate("location.hash = '#\(opcode)'")
      try page.wait(for: "\(Self.named("name")).textContent === '\(opcode)'")
      let check = try PageCheck(of: page, asksAxe: true)
      #expect(check.lines.isEmpty, "\(view): \(check.lines)")
      #expect(check.texts > 40 && check.controls > 5)
      if let pictures = ProcessInfo.processInfo.environment["OPCODEKIT_PICTURES"] {
        try page.picture("\(pictures)/web-\(opcode)-\(view.width)-\(view.scheme.rawValue).png")
      }
    }
    #expect(page.complaints.isEmpty, "\(page.complaints)")
  }

  /// An element of the page, in JavaScript.
  private static func named(_ id: String) -> String { "document.getElementById('\(id)')" }
  private static let sounds = "\(named("level")).textContent !== 'silent'"

  @Test(
    "In a browser the page plays a sound, a file, a microphone and keys, and its link holds what is set",
    .enabled(if: lack == nil && Browser.path != nil))
  func instrument() throws {
    let page = try BrowserPage("file://" + Self.page.get(), waits: false)
    func choose(_ opcode: String) throws {
      try page.evaluate(
        "new Promise((done) => { addEventListener('hashchange', () => done(), { once: true });"
          + " location.hash = '#\(opcode)' })")
    }
    func set(_ id: String, _ value: String, _ event: String = "change") throws {
      try page.evaluate(
        "(() => { const one = \(Self.named(id)); one.value = '\(value)';"
          + " one.dispatchEvent(new Event('\(event)')) })()")
    }
    func says(_ words: String) throws {
      try page.wait(for: "\(Self.named("said")).textContent.includes(\"\(words)\")")
    }
    try page.wait(for: "document.querySelectorAll('#list button').length > 30")
    try choose("VCS3ENV")
    let wait = try page.number(
      """
      (async () => {
        const begin = performance.now();
        \(Self.named("play")).click();
        while (\(Self.named("result1"))?.textContent !== '1.0000') await new Promise(requestAnimationFrame);
        return performance.now() - begin;
      })()
      """)
    // It is the audio thread that says this.
    print("From the click on Play to the audio thread's first numbers: \(wait ?? .nan) ms")
    // An init error is said, and the page goes on.
    try choose("CONVOLVE")
    try set("input2", "0.7")
    try says("CONVOLVE: 'iplen' is ")
    try choose("PORTK")
    try page.wait(for: "Number(\(Self.named("result0")).textContent) > 0.9")
    #expect(try page.text("\(Self.named("said")).textContent") == "")

    // What is set is in the link, and comes back with it.
    try choose("MOOGLADDER?xcutoff=2500&ain=noise&xresonance=much")
    try page.wait(for: "\(Self.named("input1")).value === '2500'")
    #expect(try page.text("\(Self.named("input0")).value") == "noise")
    #expect(try page.text("\(Self.named("input2")).value") == "0.7")
    try set("input2", "0.3")
    let link = "#MOOGLADDER?ain=noise&xcutoff=2500&xresonance=0.3"
    #expect(try page.text("\(Self.named("link")).getAttribute('href')") == link)
    try page.wait(for: "location.hash === '\(link)'")
    try page.wait(for: Self.sounds)
    try choose("NOTHING?x=1")
    try says("The link is about 'NOTHING', which is not in this page.")

    // A file, one that is none, and a microphone that is refused and then given.
    try choose("MOOGLADDER?ain=silence")
    try page.wait(for: "!(\(Self.sounds))")
    let samples = (0..<48_000).map { UInt8(128 + 100 * sin(Double($0) / 20)) }
    for (name, isSound) in [("no.wav", false), ("tone.wav", true)] {
      let bytes = isSound ? Self.wave(samples) : Array(samples.prefix(99))
      try page.evaluate(
        """
        (() => {
          const data = new DataTransfer();
          data.items.add(new File([new Uint8Array(\(bytes))], '\(name)'));
          document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
        })()
        """)
      try isSound ? page.wait(for: Self.sounds) : says("'no.wav' cannot be read: ")
    }
    // The headless browser has no microphone.
    for (microphone, isGiven) in [
      ("() => Promise.reject(new DOMException('no', 'NotAllowedError'))", false),
      (
        """
        async () => {
          const other = new AudioContext(), tone = new OscillatorNode(other);
          const stream = new MediaStreamAudioDestinationNode(other);
          tone.connect(stream);
          tone.start();
          return stream.stream;
        }
        """, true
      ),
    ] {
      try page.evaluate("void (navigator.mediaDevices.getUserMedia = \(microphone))")
      try set("input0", "silence")
      try page.wait(for: "!(\(Self.sounds))")
      try set("input0", "microphone")
      try isGiven ? page.wait(for: Self.sounds) : says("The microphone was refused.")
    }

    // Keys, after which Play is off.
    try choose("POSCIL")
    try page.keyDown("a")
    try page.wait(for: "\(Self.named("play")).textContent === 'Play' && \(Self.sounds)")
    #expect(
      try page.text("document.querySelector('.key[aria-pressed=true]').ariaLabel") == "C3")
    try page.keyUp("a")
    try page.wait(for: "!(\(Self.sounds))")
    try page.evaluate(
      "window.sent = { name: 'Seaboard' }; navigator.requestMIDIAccess = async () =>"
        + " ({ inputs: new Map([['1', sent]]) }); \(Self.named("midi")).click()")
    try page.wait(for: "\(Self.named("midi")).textContent === 'MIDI: Seaboard'")
    for (velocity, isHeard) in [(100, true), (0, false)] {
      try page.evaluate("sent.onmidimessage({ data: [0x90, 64, \(velocity)] })")
      try page.wait(
        for:
          "(document.querySelector('.key[aria-pressed=true]')?.ariaLabel === 'E4') === \(isHeard)"
          + " && \(Self.sounds) === \(isHeard)")
    }

    try set("search", "lowpass", "input")
    let found =
      "[...document.querySelectorAll('#list li:not([hidden])')].map((one) => one.textContent)"
    #expect(
      try page.evaluate("\(found).includes('BUTTERLP') && !\(found).includes('POSCIL')") as? Bool
        == true)
    // By keys alone: from the search over the list to Play, and to an input.
    try choose("ALPASS")
    try page.focus("#search")
    try page.tab(to: "#play")
    try page.key("Enter")
    try page.wait(for: Self.sounds)
    try page.tab(to: "#input0")
    try page.key("ArrowDown")
    try page.wait(for: "location.hash === '#ALPASS?ain=drums'")
    #expect(page.complaints.isEmpty, "\(page.complaints)")
  }

  /// A WAV file of one channel at 48 kHz, with eight bits for each sample.
  private static func wave(_ samples: [UInt8]) -> [UInt8] {
    func four(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
    return Array("RIFF".utf8) + four(36 + samples.count) + Array("WAVEfmt ".utf8) + four(16)
      + [1, 0, 1, 0] + four(48_000) + four(48_000) + [1, 0, 8, 0] + Array("data".utf8)
      + four(samples.count) + samples
  }

  @Test(
    "The page plays keys in every browser", .enabled(if: lack == nil),
    arguments: BrowserKind.allCases)
  func everyBrowser(kind: BrowserKind) throws {
    if let lack = kind.lack { try Test.cancel("\(lack)") }
    let page = try kind.open("file://" + Self.page.get() + "#VCO2")
    defer { page.close() }
    try page.wait(for: "\(Self.named("name"))?.textContent === 'VCO2'")
    // Without a sound card Firefox has no clock for sound. It plays a minute as fast as it can.
    let offline =
      "class extends OfflineAudioContext { constructor() { super(2, 48000 * 60, 48000) }"
      + " resume() { this.startRendering() } }"
    if kind == .firefox { _ = try page.evaluate("Boolean(window.AudioContext = \(offline))") }
    try page.press(try page.place("#play", 0.5, 0.5), times: 1)
    try page.wait(for: Self.sounds)
    guard kind != .firefox else { return }
    try page.key("a", isDown: true)
    try page.wait(for: "\(Self.named("play")).textContent === 'Play' && \(Self.sounds)")
    try page.key("a", isDown: false)
    try page.wait(for: "!(\(Self.sounds))")
  }
}
