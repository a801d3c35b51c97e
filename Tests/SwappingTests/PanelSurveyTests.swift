import DevCommands
import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("Trying the panels of pieces", .serialized)
struct PanelSurveyTests {
  static func csd(_ orchestra: String, panel: String = "", score: String = "i1 0 60") -> String {
    panel + "\n" + orchestra.csd(score: score, ksmps: 64)
  }

  static func cabbage(_ widgets: String) -> String { "<Cabbage>\n\(widgets)\n</Cabbage>" }

  /// What the survey finds of each piece, by its name.
  func survey(pictures: String? = nil, _ pieces: [String: String]) throws -> [String: SurveyedPanel]
  {
    let directory = NSTemporaryDirectory() + "panels-\(UUID().uuidString)"
    try FileManager.default.createDirectories(directory)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var paths: [String] = []
    for (name, text) in pieces.sorted(by: { $0.key < $1.key }) {
      paths.append("\(directory)/\(name).csd")
      try text.save(to: paths.last!)
    }
    var survey = PanelSurvey(worker: [products + "/TestWorker"])
    survey.duration = 0.2
    survey.timeLimit = 4
    (survey.pictures, survey.checksPages) = (pictures, pictures != nil)
    let found = try survey.survey(paths)
    return Dictionary(
      uniqueKeysWithValues: found.map {
        (URL(fileURLWithPath: $0.path).deletingPathExtension().lastPathComponent, $0)
      })
  }

  @Test(
    "Controls that work are taken and heard, from each source; a piece without a panel is left out")
  func sources() throws {
    let found = try survey([
      "cabbage": Self.csd(
        "instr 1\nout oscili(chnget:k(\"level\"), 440)\nendin",
        panel: Self.cabbage("rslider channel(\"level\"), range(0, 1, 0.25)\nimage bounds(0,0,9,9)")),
      "channels": Self.csd(
        "chn_k \"level\", 1, 2, 0.5, 0, 1\ninstr 1\nout oscili(chnget:k(\"level\"), 440)\nendin"),
      "fltk": Self.csd(
        """
        FLpanel "P", 100, 100
        gk1, gih1 FLslider "level", 0, 1, 0, 1, -1, 100, 20, 0, 0
        FLpanelEnd
        FLrun
        instr 1
        out oscili(gk1, 440)
        endin
        """),
      "none": Self.csd("instr 1\nendin"),
    ])
    #expect(found["none"] == nil)
    for (name, source) in [("cabbage", "cabbage"), ("channels", "channels"), ("fltk", "fltk")] {
      let take = try #require(found[name]?.take, "\(name)")
      #expect(take.source.rawValue == source)
      #expect(
        take.controls == 1 && take.working == 1 && take.deaf.isEmpty && take.responds, "\(name)")
      #expect(found[name]?.isWhole == true)
    }
    #expect(found["cabbage"]?.take?.widgets == ["knob": 1, "panel": 1])
  }

  @Test(
    "A control whose channel is a text in the piece is told, and one that nothing reads is not heard"
  )
  func deaf() throws {
    let found = try survey([
      "deaf": Self.csd(
        "chn_S \"word\", 1\ninstr 1\nendin",
        panel: Self.cabbage("rslider channel(\"word\"), range(0, 1)")),
      "unread": Self.csd(
        "instr 1\nout oscili(0.1, 440)\nendin",
        panel: Self.cabbage("rslider channel(\"idle\"), range(0, 1)")),
    ])
    #expect(found["deaf"]?.take?.deaf == ["word"] && found["deaf"]?.isWhole == false)
    #expect(found["unread"]?.take?.working == 1 && found["unread"]?.take?.responds == false)
  }

  @Test(
    "A control that another one covers is told; one on a background, in a box or under a bare label is reached",
    .enabled(if: Browser.path != nil, "chromium-headless-shell is not installed."))
  func reach() throws {
    let orchestra = "instr 1\nout oscili(chnget:k(\"a\") + chnget:k(\"b\"), 440)\nendin"
    let pictures = NSTemporaryDirectory() + "pictures-\(UUID().uuidString)"
    try FileManager.default.createDirectories(pictures)
    defer { try? FileManager.default.removeItem(atPath: pictures) }
    let found = try survey(
      pictures: pictures,
      [
        "free": Self.csd(
          orchestra,
          panel: Self.cabbage(
            """
            form size(300, 160)
            image bounds(0, 0, 300, 160), colour(0, 100, 100)
            groupbox bounds(150, 5, 140, 140), text("Frame")
            image bounds(10, 10, 130, 140), colour(50, 50, 50) {
            rslider bounds(20, 20, 90, 90), channel("a"), text("Inside")
            }
            rslider bounds(170, 30, 90, 90), channel("b"), text("Outside")
            label bounds(170, 30, 90, 90), text("b")
            """)),
        "covered": Self.csd(
          orchestra,
          panel: Self.cabbage(
            """
            form size(300, 160)
            rslider bounds(20, 20, 30, 30), channel("a")
            rslider bounds(22, 20, 30, 30), channel("b")
            image bounds(0, 0, 130, 160), colour(0, 100, 100)
            """)),
      ])
    let free = try #require(found["free"])
    #expect(free.pages?.map(\.view) == PageView.all && free.pages?.flatMap(\.lines) == [])
    #expect(free.reach?.controls == 2 && free.reach?.covered == [] && free.isWhole)
    let covered = try #require(found["covered"])
    #expect(covered.reach?.covered == ["knob"] || covered.reach?.covered == ["knob-1"])
    #expect(covered.take?.deaf.isEmpty == true && !covered.isWhole)
    // A list has them one after the other.
    #expect(covered.pages?.map(\.covered.count) == [0, 0, 0, 0, 1, 1])
    let files = try FileManager.default.contentsOfDirectory(atPath: pictures)
    #expect(files.count == 12 && files.contains("covered-768-dark.png"))
  }

  /// What a synthesiser of these tests is: nothing sounds until a note is played.
  static func synth(_ instrument: String, panel: String, options: String = "") -> String {
    csd(instrument, panel: panel, score: "f 0 60")
      .replacing("<CsInstruments>", with: "<CsOptions>\n\(options)\n</CsOptions>\n<CsInstruments>")
  }

  @Test("Keys are pressed where a piece takes them, so that its controls are heard")
  func keys() throws {
    let knob = "rslider channel(\"level\"), range(0, 1, 0.25)"
    // The level is read once a note.
    let note =
      "instr 1\nilevel chnget \"level\"\nout linenr(oscili(ilevel, 440), 0, 0.01, 0.01)\nendin"
    let options = "-n -d -+rtmidi=NULL -M0 -m0d"
    let found = try survey([
      "keyboard": Self.synth(note, panel: Self.cabbage(knob + "\nkeyboard bounds(0, 0, 9, 9)")),
      "options": Self.synth(note, panel: Self.cabbage(knob), options: options),
      "opcode": Self.synth(
        note.replacing("440", with: "cpsmidi()"), panel: Self.cabbage(knob)),
      "massign": Self.synth(
        "massign 0, 2\n" + note.replacing("instr 1", with: "instr 2"), panel: Self.cabbage(knob)),
      "unheard": Self.synth(
        note.replacing("ilevel, 440", with: "0.1, 440"), panel: Self.cabbage(knob), options: options
      ),
      "without": Self.synth(note, panel: Self.cabbage(knob)),
    ])
    for name in ["keyboard", "options", "opcode", "massign"] {
      let take = try #require(found[name]?.take, "\(name)")
      #expect(take.pressesKeys && take.sounds && take.repeats && take.responds, "\(name) \(take)")
    }
    let unheard = try #require(found["unheard"]?.take)
    #expect(unheard.pressesKeys && unheard.sounds && !unheard.responds)
    let without = try #require(found["without"]?.take)
    #expect(!without.pressesKeys && !without.sounds && !without.responds)
  }

  @Test("A piece that sounds otherwise each time is not taken for one whose controls are heard")
  func unsteady() throws {
    let found = try survey([
      "random": Self.csd(
        "instr 1\nout rand(0.1, 2)\nendin",
        panel: Self.cabbage("rslider channel(\"idle\"), range(0, 1)")),
      "seeded": Self.csd(
        "seed 0\ninstr 1\nout oscili(chnget:k(\"level\") * random:i(0.1, 1), 440)\nendin",
        panel: Self.cabbage("rslider channel(\"level\"), range(0, 1, 0.25)")),
    ])
    // What takes its random numbers from the clock is given the same each time where that can be.
    let seeded = try #require(found["seeded"]?.take)
    #expect(seeded.repeats && seeded.responds)
    let take = try #require(found["random"]?.take)
    #expect(take.sounds && !take.repeats && !take.responds)
  }

  @Test("A piece that does not compile, one that ends at once, and one that hangs")
  func failures() throws {
    let panel = Self.cabbage(
      "rslider channel(\"a\"), range(0, 1)\nsoundfiler channel(\"x\", \"y\")")
    let found = try survey([
      "broken": Self.csd("instr 1\nout nothing\nendin", panel: panel),
      "hung": Self.csd("instr 1\ni1 = 0\nwhile i1 < 1 do\ni1 = 0\nod\nendin", panel: panel),
      "over": Self.csd("instr 1\nendin", panel: panel, score: "e"),
    ])
    #expect(found["broken"]?.take?.refusal?.contains("nothing") == true)
    #expect(found["broken"]?.take?.leftOut.map(\.name) == ["soundfiler"])
    #expect(found["over"]?.take?.seconds == 0 && found["over"]?.isWhole == false)
    #expect(found["hung"]?.failure == "It said nothing for 4 s.")
  }
}
