import Panels
import Testing

@Suite("Panels of a piece's channels")
struct ChannelImporterTests {
  private static func panel(_ orchestra: String, _ hints: [ChannelImporter.Hint] = []) -> Panel {
    ChannelImporter.panel(
      of: "<CsoundSynthesizer>\n<CsInstruments>\n\(orchestra)\n</CsInstruments>\n", title: "Piece",
      hints: hints)
  }

  private static func widget(_ orchestra: String) throws -> PanelWidget {
    let panel = panel(orchestra)
    #expect(panel.widgets.count == 1)
    return try #require(panel.widgets.first)
  }

  @Test("Each way to write a call is read, and what is a comment is not")
  func calls() {
    let panel = Self.panel(
      """
      ; chnget "no1"
      // k1 chnget "no2"
      /* k1 chnget "no3"
         k1 chnget "no4" */
      instr 1 ; chnset 1, "no5"
        ka chnget "a" ; "no6"
        kb = chnget:k("b") * chnget("c")
        kd invalue "d;//e"
        Sname = "dynamic"
        ke chnget Sname
        kf chnget strcat("x", "y")
      endin
      """)
    #expect(panel.widgets.flatMap(\.channels) == ["a", "b", "c", "d;//e"])
    #expect(panel.widgets.allSatisfy { $0.kind == .slider })
    #expect(panel.leftOut.map(\.count).reduce(0, +) == 2)
  }

  @Test("Declarations tell range, curve and first value")
  func declarations() throws {
    let exponential = try Self.widget("chn_k \"f\", 1, 3, 440, 20, 20000\nkf chnget \"f\"")
    #expect(exponential.range(0) == ValueRange(20, 20000, initial: 440, curve: .exponential))
    let whole = try Self.widget("chn_k \"n\", 3, 1, 4, 1, 16")
    #expect(whole.kind == .slider && whole.range(0).step == 1)
    #expect(try Self.widget("chn_k \"on\", 1, 1, 1, 0, 1").kind == .switch)
    #expect(try Self.widget("chn_k \"out\", 2, 2, 0, 0, 1").kind == .meter)
    let export = try Self.widget("gkf chnexport \"f\", 1, 2, 0.5, 0, 2")
    #expect(export.range(0) == ValueRange(0, 2, initial: 0.5))
    #expect(try Self.widget("chn_S \"s\", 1").kind == .field)
  }

  @Test("What is written is shown, unless only constants are: they are where a slider begins")
  func directions() throws {
    #expect(try Self.widget("outvalue \"level\", k1").kind == .label)
    #expect(try Self.widget("chnset kx, \"bus\"\nky chnget \"bus\"").kind == .label)
    let begun = try Self.widget("chnset 3, \"gain\"\nky chnget \"gain\"")
    #expect(begun.kind == .slider && begun.range(0) == ValueRange(0, 6, initial: 3))
    #expect(try Self.widget("Sx chnget \"name\"").kind == .field)
    let audio = Self.panel("ain chnget \"send\"\nchnmix a1, \"send\"\nchnclear \"send\"")
    #expect(audio.widgets.isEmpty && audio.leftOut.count == 1)
  }

  @Test("What Csound knows fills in what the text leaves open")
  func hints() throws {
    let hint = ChannelImporter.Hint(
      "f", ValueRange(1, 5, initial: 2), isInput: true, isOutput: false)
    let panel = Self.panel(
      "chn_k \"f\", 1, 2, ilow+1, ilow, 5\nkf chnget \"f\"",
      [hint, .init("made", ValueRange(), isInput: false, isOutput: true)])
    #expect(panel.widgets.map(\.kind) == [.slider, .meter])
    #expect(panel.widgets[0].range(0) == ValueRange(1, 5, initial: 2))
  }

  @Test("A piece with MIDI instruments has a keyboard")
  func keyboard() {
    #expect(Self.panel("icps cpsmidi").widgets.map(\.kind) == [.keyboard])
    #expect(Self.panel("; icps cpsmidi").widgets.isEmpty)
  }
}
