import CCsound
import Foundation
import Panels
import Testing

@Suite(
  "FL opcodes", .serialized,
  .disabled(
    if: hasOtherWidgets, "csound-plugins is installed here, whose FL opcodes Csound finds first."))
struct WidgetOpcodesTests {
  // What FLTK's own opcodes print for this orchestra, with Debian's csound-plugins 1.0.2 under an X display.
  @Test(
    "Values before anything is moved, after FLsetVal_i and FLsetVal, and handles, are those of FLTK's opcodes"
  )
  func values() throws {
    let piece = try WidgetPiece(
      """
      FLpanel "P", 500, 400, 50, 50
      gksl, gihsl FLslider "lin", 20, 200, 0, 1, -1, 100, 20, 0, 0
      gkex, gihex FLslider "exp", 20, 200, -1, 1, -1, 100, 20, 0, 30
      gkkn, gihkn FLknob "knob", 2, 8, 0, 1, -1, 50, 200, 0
      gkct, gihct FLcount "cnt", 5, 15, 0.5, 2, 1, 80, 20, 0, 120, -1
      gkbt, gihbt FLbutton "bt", 3, 7, 1, 80, 20, 0, 150, -1
      gkbl, gihbl FLbutton "btl", 3, 7, 2, 80, 20, 100, 150, -1
      gkbb, gihbb FLbutBank 2, 4, 2, 80, 40, 0, 180, -1
      gkjx, gkjy, gihjx, gihjy FLjoy "joy", 1, 10, 2, 20, 0, -1, -1, -1, 100, 100, 200, 200
      gihval FLvalue "v", 50, 20, 300, 10
      gks2, gihs2 FLslider "s2", 20, 200, 0, 1, -1, 100, 20, 300, 60
      gks3, gihs3 FLslider "s3", 20, 200, -1, 1, -1, 100, 20, 300, 90
      FLpanelEnd
      FLsetVal_i 50, gihs2
      FLsetVal_i 500, gihs3
      FLsetVal_i 3, gihbb
      FLsetVal_i 7, gihbl
      FLrun
      """,
      instruments: """
        instr 2
        prints "h%d %d %d %d %d\\n", gihsl, gihbb, gihjx, gihjy, gihval
        k0 init 0
        k0 += 1
        FLsetVal k0 == 2 ? 1 : 0, 1000, gihs2
        FLsetVal k0 == 2 ? 1 : 0, 1, gihbb
        FLsetVal k0 == 2 ? 1 : 0, 9, gihbb
        FLsetVal k0 == 2 ? 1 : 0, 7, gihbt
        printf "v%g %g %g %g %g %g %g %g %g %g %g\\n", k0, gksl, gkex, gkkn, gkct, gkbt, gkbl, gkbb, gkjx, gkjy, gks2, gks3
        endin
        """, score: "i2 0 1")
    piece.run(3)
    // What a widget is set to at first is where a double click brings it back to.
    let sliders = piece.panel.widgets.filter { $0.kind == .slider }
    #expect(sliders.map { $0.ranges[0].initial } == [nil, nil, 50, 200])
    #expect(piece.printed("h") == ["0 6 7 8 9"])
    #expect(
      piece.printed("v") == [
        "0 0 0 0 7 7 3 0 0 50 200", "0 0 0 0 3 7 1 0 0 200 200", "0 0 0 0 3 7 1 0 0 200 200",
      ])
  }

  @Test(
    "A channel that the panel moves reaches the variable in the next k-cycle, and the box that shows it"
  )
  func moved() throws {
    let piece = try WidgetPiece(
      """
      FLpanel "P", 500, 400
      gihv FLvalue "shown", 50, 20, 10, 10
      gk1, gih1 FLslider "cutoff", 20, 200, 0, 2, gihv, 20, 100, 1, 2
      gk2, gih2 FLslider "cutoff", 1, 1000, -1, 1, -1, 100, 20, 3, 4
      FLpanelEnd
      FLrun
      """,
      instruments: """
        instr 2
        kchanged changed gk1, gk2
        printf "v%g %g\\n", kchanged, gk1, gk2
        endin
        """, score: "i2 0 1")
    let panel = piece.panel
    #expect(panel.title == "P" && panel.groups.map(\.kind) == [.window])
    #expect(panel.widgets.map(\.kind) == [.label, .slider, .slider])
    #expect(panel.widgets.map(\.channels) == [["FL:shown"], ["FL:cutoff"], ["FL:cutoff 2"]])
    // The minimum of an upright one is on top.
    #expect(panel.widgets[1].ranges == [ValueRange(200, 20)] && panel.widgets[1].isVertical)
    #expect(panel.widgets[2].ranges == [ValueRange(1, 1000, curve: .exponential)])
    #expect(panel.widgets[2].bounds == PanelBounds(3, 4, 100, 20))
    piece.run()
    piece.set("FL:cutoff", 77)
    piece.run()
    #expect(piece.printed("v").last == "77 0")
    #expect(piece.value("FL:shown") == 77)
  }

  @Test("A press starts the note of a button with the p-fields of that moment, each press one")
  func presses() throws {
    let piece = try WidgetPiece(
      """
      FLpanel "P", 500, 400
      gkamp, gih0 FLslider "amp", 0, 1, 0, 1, -1, 100, 20, 0, 0
      gk1, gih1 FLbutton "go", 1, 0, 1, 50, 20, 0, 30, 0, 3, 0, 0.01, gkamp
      gk2, gih2 FLbutton "hold", 5, 4, 2, 50, 20, 0, 60, 105, 3, 0, 0.01, 9
      gk3, gih3 FLbutton "none", 1, 0, 1, 50, 20, 0, 30, -1, 3, 0, 0.01, 8
      gk4, gih4 FLbutBank 1, 2, 2, 50, 20, 0, 90, 0, 3, 0, 0.01, 7
      FLpanelEnd
      FLrun
      """,
      instruments: """
        instr 3
        prints "n%g\\n", p4
        endin
        """, score: "f0 1")
    #expect(piece.panel.widgets[4].options.map(\.value) == [0, 2, 1, 3])
    func press(_ channel: String) {
      piece.set(channel, 1)
      piece.run()
      piece.set(channel, 0)
      piece.run()
    }
    piece.run()
    piece.set("FL:amp", 0.25)
    press("FL:go")
    piece.set("FL:amp", 0.5)
    press("FL:go")
    press("FL:none")
    piece.set("FL:hold", 5)
    piece.run(2)
    piece.set("FL:hold", 4)
    piece.run(2)
    piece.set("FL:bank", 2)
    piece.run(2)
    #expect(piece.printed("n") == ["0.25", "0.5", "9", "9", "7"])
    #expect(piece.panel.widgets[2].on == 5 && piece.panel.widgets[2].off == 4)
  }

  @Test("Snapshots bring values back; buttons without memory stay out of them")
  func snapshots() throws {
    let piece = try WidgetPiece(
      """
      FLpanel "P", 500, 400
      gk1, gih1 FLslider "a", 0, 10, 0, 1, -1, 100, 20, 0, 0
      gk2, gih2 FLbutton "b", 1, 0, 1, 50, 20, 0, 30, -1
      FLpanelEnd
      FLrun
      """,
      instruments: """
        instr 2
        inumber, ivalues FLsetsnap 3
        prints "took %d %d\\n", inumber, ivalues
        endin
        instr 3
        ivalues FLgetsnap p4
        prints "g%d\\n", ivalues
        endin
        """, score: "i2 0.002 0.1\ni3 0.004 0.1 3\ni3 0.006 0.1 8")
    piece.run()
    piece.set("FL:a", 4)
    piece.run(2)
    piece.set("FL:a", 6)
    piece.run(1)
    #expect(piece.value("FL:a") == 6)
    piece.run(5)
    #expect(piece.value("FL:a") == 4)
    #expect(piece.printed("took ") == ["1 1"] && piece.printed("g") == ["1", "0"])
  }

  @Test("A bank's sliders write to their table when they are moved, at its offset")
  func sliderBank() throws {
    let piece = try WidgetPiece(
      """
      giout ftgen 9, 0, 8, -2, 1, 1, 1, 1, 1, 1, 1, 1
      FLpanel "P", 500, 400
      FLvslidBnk "one@two", 2, 9, 100, 200, 10, 20, 0, 0, 3
      FLpanelEnd
      FLrun
      """)
    #expect(piece.panel.widgets.map(\.label) == ["one", "two"])
    #expect(piece.panel.widgets.map(\.isVertical) == [true, true])
    #expect(piece.panel.widgets[1].bounds == PanelBounds(60, 20, 50, 200))
    piece.set("FL:two", 0.5)
    piece.run()
    let table = (0..<8).map { csoundTableGet(piece.csound.engine, 9, $0) }
    #expect(table == [1, 1, 1, 1, 0.5, 1, 1, 1])
  }

  @Test("A bank's sliders are set to values of a table, from an index and from a slider on")
  func bankOfTable() throws {
    let piece = try WidgetPiece(
      """
      giout ftgen 9, 0, 8, -2, 1, 1, 1, 1
      giset ftgen 8, 0, 8, -2, 0.1, 0.2, 0.3, 0.4
      FLpanel "P", 500, 400
      FLvslidBnk "one@two", 2, 9, 100, 200
      FLpanelEnd
      FLrun
      """,
      instruments: """
        instr 2
        ihandle FLslidBnkGetHandle
        FLslidBnkSet ihandle, 8, 2, 1, 1
        endin
        """, score: "i2 0.002 0.1")
    let first = piece.value("FL:one")
    piece.run(4)
    #expect(piece.value("FL:one") == first && piece.value("FL:two") == 0.3)
  }

  @Test("Tabs, groups, texts and colours; a text that a note changes")
  func appearance() throws {
    let piece = try WidgetPiece(
      """
      FLcolor 10, 20, 30
      FLpanel "P", 500, 400
      FLtabs 400, 300, 5, 5
      FLgroup "First", 400, 280, 5, 25
      gih1 FLbox "text", 1, 1, 14, 100, 20, 10, 30
      FLsetColor 1, 2, 3, gih1
      FLgroupEnd
      FLtabsEnd
      FLpanelEnd
      FLrun
      """,
      instruments: """
        instr 2
        FLsetText "other", gih1
        endin
        """, score: "i2 0.002 0.1")
    let before = piece.board.panel
    #expect(before.panel.groups.map(\.kind) == [.window, .tabs, .page])
    #expect(before.panel.widgets[0].group == before.panel.groups[2].id)
    #expect(before.panel.widgets[0].text == "text" && before.panel.widgets[0].fontSize == 14)
    #expect(before.panel.widgets[0].background == PanelColor(1, 2, 3))
    piece.run(4)
    #expect(piece.panel.widgets[0].text == "other")
    #expect(piece.board.panel.revision > before.revision)
  }

  @Test("A handle that no widget has is an init error that says so")
  func badHandle() throws {
    let piece = try WidgetPiece(
      "", instruments: "instr 2\nFLsetVal 1, 1, 5\nendin", score: "i2 0 0.01")
    piece.run(2)
    #expect(
      piece.csound.messages.contains {
        $0.contains("FLsetVal: 'ihandle' is 5; it must be what a widget with a value has given.")
      })
  }

  @Test("Variables of a note that has ended are no longer written")
  func ended() throws {
    let piece = try WidgetPiece(
      "",
      instruments: """
        instr 2
        kv, ih FLslider "gone", 0, 1, 0, 1, -1, 100, 20, 0, 0
        endin
        instr 3
        kv init 5
        printf "w%g\\n", 1 - kv / 5, kv
        endin
        """, score: "i2 0 0.002\ni3 0.004 0.1")
    piece.run(6)
    piece.set("FL:gone", 0.5)
    piece.run(3)
    #expect(piece.printed("w") == [])
  }

  @Test("After a reset, and in two engines at once, boards are apart")
  func engines() throws {
    let header = """
      FLpanel "P", 500, 400
      gk1, gih1 FLslider "a", 0, 10, 0, 1, -1, 100, 20, 0, 0
      FLpanelEnd
      FLrun
      """
    let (one, two) = (try WidgetPiece(header), try WidgetPiece(header))
    one.run()
    two.run()
    one.set("FL:a", 3)
    one.run()
    two.run()
    #expect(one.value("FL:a") == 3 && two.value("FL:a") == 0)
    #expect(one.panel.widgets.count == 1 && two.panel.widgets.count == 1)
    one.csound.reset()
    two.set("FL:a", 4)
    two.run()
    #expect(two.panel.widgets.count == 1)
  }
}
