import Foundation
import HarnessBase
import PanelSurveying
import TestSupport
import Testing

@Suite("Trying the panels of pieces", .serialized)
struct PanelSurveyTests {
  static func csd(_ orchestra: String, panel: String = "", score: String = "i1 0 60") -> String {
    """
    \(panel)
    <CsoundSynthesizer>
    <CsInstruments>
    sr = 48000
    ksmps = 64
    nchnls = 1
    0dbfs = 1
    \(orchestra)
    </CsInstruments>
    <CsScore>
    \(score)
    </CsScore>
    </CsoundSynthesizer>
    """
  }

  static func cabbage(_ widgets: String) -> String { "<Cabbage>\n\(widgets)\n</Cabbage>" }

  /// What the survey finds of each piece, by its name.
  func survey(_ pieces: [String: String]) throws -> [String: SurveyedPanel] {
    let directory = NSTemporaryDirectory() + "panels-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var paths: [String] = []
    for (name, text) in pieces.sorted(by: { $0.key < $1.key }) {
      paths.append("\(directory)/\(name).csd")
      try text.write(toFile: paths.last!, atomically: false, encoding: .utf8)
    }
    var survey = PanelSurvey(worker: [products + "/TestWorker"])
    survey.duration = 0.2
    survey.timeLimit = 4
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
