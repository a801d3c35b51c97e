import Foundation
import Panels
import Playing
import TestSupport
import Testing

@Suite("Values of a panel that outlast a crash")
struct KeptValuesTests {
  private let file: KeptValues

  init() throws { file = KeptValues(forPiece: try temporaryDirectory() + "/kept.csd") }

  private func panel(_ range: ValueRange = ValueRange(0, 2, initial: 1)) -> Panel {
    var panel = Panel("Kept", from: .file)
    panel.add(PanelWidget(.slider, channels: ["a"], ranges: [range]))
    panel.add(PanelWidget(.button, channels: ["pressed"]))
    panel.add(PanelWidget(.meter, channels: ["shown"]))
    panel.add(PanelWidget(.field, channels: ["word"]))
    return panel
  }

  @Test("What differs from the piece's own values is kept; buttons are not")
  func kept() throws {
    let values = PanelValues(panel(), keeping: file)
    try values.keep(atOnce: true)
    #expect(try file.read() == nil)
    values.set("a", to: .number(1.5))
    values.set("pressed", to: .number(1))
    values.set("word", to: .text("hm"))
    try values.keep(atOnce: true)
    let kept = try #require(try file.read())
    #expect(kept.values == ["a": 1.5] && kept.texts == ["word": "hm"])

    values.set("a", to: .number(1))
    values.set("word", to: .text(""))
    try values.keep(atOnce: true)
    #expect(try file.read()?.texts == ["word": ""])
  }

  @Test("Nothing is left of values that are the piece's own again")
  func removed() throws {
    let values = PanelValues(panel(), keeping: file)
    values.set("a", to: .number(0.5))
    try values.keep(atOnce: true)
    #expect(access(file.path, F_OK) == 0)
    values.set("a", to: .number(1))
    try values.keep(atOnce: true)
    #expect(access(file.path, F_OK) != 0)
  }

  @Test("Writings are half a second apart")
  func interval() throws {
    let values = PanelValues(panel(), keeping: file)
    values.set("a", to: .number(0.5))
    try values.keep(atOnce: true)
    values.set("a", to: .number(0.6))
    try values.keep()
    #expect(try file.read()?.values == ["a": 0.5])
    usleep(550_000)
    try values.keep()
    #expect(try file.read()?.values == ["a": 0.6])
  }

  @Test("They are taken up within the ranges that there are now; what cannot be set is left")
  func takenUp() throws {
    let last = PanelPreset(
      "", values: ["a": 1.5, "pressed": 1, "shown": 1, "gone": 1], texts: ["word": "hm"])
    let values = PanelValues(panel(ValueRange(0, 1, initial: 0.5)), takingUp: last)
    #expect(values.all["a"]?.number == 1 && values.all["word"]?.text == "hm")
    #expect(values.all["pressed"]?.number != 1 && values.all["shown"]?.number != 1)
    #expect(values.all["gone"]?.number == nil)

    // A channel that only a later version's panel has.
    var later = panel()
    later.add(PanelWidget(.knob, channels: ["gone"], ranges: [ValueRange(0, 2, initial: 0)]))
    #expect(values.add(later)["gone"] == 1)
  }

  @Test("What was moved to an end of its range and what no longer fits is told")
  func told() throws {
    var panel = panel(ValueRange(0, 1, initial: 0.5))
    var menu = PanelWidget(.menu, channels: ["choice"])
    menu.options = [PanelOption("one", 1), PanelOption("four", 4)]
    panel.add(menu)
    var words = PanelWidget(.menu, channels: ["named"])
    words.options = [PanelOption("A", text: "a"), PanelOption("B", text: "b")]
    panel.add(words)
    let last = PanelPreset(
      "yesterday", values: ["a": 1.5, "pressed": 1, "gone": 1, "choice": 2, "word": 3],
      texts: ["word": "hm", "named": "c"])
    let values = PanelValues(panel, takingUp: last)
    let taken = try #require(values.taken)
    #expect(taken.time == "yesterday" && taken.count == 2 && taken.limited == ["a"])
    #expect(taken.left == ["choice", "gone", "named", "pressed", "word"])
    #expect(values.all["choice"]?.number == nil && values.all["word"]?.number == nil)
    #expect(values.all["named"] == nil && values.all["word"]?.text == "hm")

    let fitting = PanelPreset("", values: ["choice": 4], texts: ["named": "b"])
    let others = PanelValues(panel, takingUp: fitting)
    #expect(others.all["choice"]?.number == 4 && others.all["named"]?.text == "b")
    #expect(others.taken?.left == [] && others.taken?.limited == [])

    // A channel that the whole panel has after all, and one that a later version has.
    var later = panel
    later.add(PanelWidget(.knob, channels: ["gone"], ranges: [ValueRange(0, 2)]))
    _ = values.add(later)
    #expect(values.taken?.left == ["choice", "named", "pressed", "word"])
    values.endBeginning()
    later.add(PanelWidget(.knob, channels: ["pressed"]))
    _ = values.add(later)
    #expect(values.taken?.left == ["choice", "named", "pressed", "word"])
  }

  @Test("They outlast the piece's own start; what the piece sets again and again is told")
  func start() throws {
    var panel = Panel("Start", from: .file)
    for name in ["held", "moved", "own"] {
      panel.add(
        PanelWidget(.slider, id: name, channels: [name], ranges: [ValueRange(0, 100, initial: 1)]))
    }
    panel.add(PanelWidget(.field, channels: ["word"]))
    let stage = try Stage(
      """
      \(header(ksmps: 32))
      chn_k "held", 3
      chn_k "moved", 3
      chn_k "own", 3
      chn_S "word", 3
      instr 2
        chnset 13, "held"
        chnset 14, "own"
        chnset "piece", "word"
      endin
      instr 1
        kcycle timeinstk
        chnset kcycle % 50, "moved"
        Sword chnget "word"
        chnset strlenk(Sword), "letters"
      endin
      """, score: "i 2 0 0.01\ni 1 0 3600", panel,
      takingUp: PanelPreset("", values: ["held": 80, "moved": 90], texts: ["word": "last one"]))
    let client = try stage.client()
    try stage.expect("held", 80)
    try stage.expect("letters", 8)
    try stage.expect("own", 14)
    var first: [String: Double] = [:]
    while first["held"] != 13 || first["own"] != 14 {
      first = try #require(client.message("first")?["values"] as? [String: Double])
    }
    var overwritten: [String] = []
    while overwritten.isEmpty {
      overwritten = try #require(client.message("taken")?["overwritten"] as? [String])
    }
    #expect(overwritten == ["moved"])
    client.say(#"{"type":"taken","action":"undo"}"#)
    try stage.expect("held", 13)
    try stage.expect("letters", 5)
    // A new version of the piece keeps what was set.
    client.say(#"{"type":"set","channel":"held","value":70}"#)
    try stage.expect("held", 70)
    try stage.port.set("held", to: 13)
    try stage.expect("held", 13)
    stage.server.beginAgain()
    try stage.expect("held", 70)
  }

  @Test("One program at a time keeps the values of a piece, by whatever path")
  func claims() throws {
    let directory = try temporaryDirectory()
    try FileManager.default.createDirectories(directory + "/here")
    try FileManager.default.createSymbolicLink(
      atPath: directory + "/there", withDestinationPath: directory + "/here")
    var first: KeptValues? = KeptValues(forPiece: directory + "/here/piece.csd")
    #expect(first!.claim())
    let second = KeptValues(forPiece: directory + "/there/piece.csd")
    #expect(!second.claim())
    #expect(KeptValues(forPiece: directory + "/here/other.csd").claim())
    first = nil
    #expect(second.claim())
  }

  @Test("Values that cannot be written are written as soon as they can be")
  func retried() throws {
    let directory = try temporaryDirectory() + "/later"
    let file = KeptValues(forPiece: directory + "/piece.csd")
    let values = PanelValues(panel(), keeping: file)
    values.set("a", to: .number(0.5))
    #expect(throws: (any Error).self) { try values.keep(atOnce: true) }
    try FileManager.default.createDirectories(directory)
    #expect(try values.keep(atOnce: true))
    #expect(try file.read()?.values == ["a": 0.5])
    #expect(try !values.keep(atOnce: true))
  }

  @Test("What a controller or a line sets is kept, if the panel has the channel")
  func noted() throws {
    let values = PanelValues(panel(), keeping: file)
    values.note("a", 0.25)
    values.note("pressed", 1)
    values.note("word", 1)
    values.note("unknown", 1)
    #expect(values.all["unknown"]?.number == nil && values.all["word"]?.number == nil)
    try values.keep(atOnce: true)
    #expect(try file.read()?.values == ["a": 0.25])
  }

  @Test("A token is kept until an orderly end, for some hours, and from nobody else")
  func token() throws {
    let (directory, files) = (try temporaryDirectory(), FileManager.default)
    let kept = KeptToken(forPiece: "/piece.csd", in: directory)
    let first = kept.take()
    #expect(first.count == 32)
    let mode = try files.attributesOfItem(atPath: kept.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(KeptToken(forPiece: "/piece.csd", in: directory).take() == first)
    #expect(KeptToken(forPiece: "/other.csd", in: directory).take() != first)
    kept.forget()
    let second = kept.take()
    #expect(second != first)

    try files.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -13 * 3600)], ofItemAtPath: kept.path)
    let third = kept.take()
    #expect(third != second)
    try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: kept.path)
    let fourth = kept.take()
    #expect(fourth != third)
    try "0123".save(to: kept.path)
    #expect(kept.take().count == 32)
    #expect(KeptToken(forPiece: "/piece.csd", in: directory + "/none").take().count == 32)
  }

  @Test("A file that is none of ours is a sentence, not a beginning")
  func damaged() throws {
    try "{".save(to: file.path)
    #expect(throws: (any Error).self) { try file.read() }
  }
}
