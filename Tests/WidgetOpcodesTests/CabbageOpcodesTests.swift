import Panels
import Testing

@Suite(
  "Cabbage's opcodes", .serialized,
  .disabled(
    if: hasOtherWidgets, "csound-plugins is installed here, whose FL opcodes Csound finds first."))
struct CabbageOpcodesTests {
  @Test("Cabbage's opcodes read and write channels, and tell a change once")
  func cabbage() throws {
    let piece = try WidgetPiece(
      "",
      instruments: """
        instr 2
        ivalue cabbageGetValue "x"
        cabbageSetValue "i", ivalue + 1
        cabbageSetValue "Sinit", "first"
        kvalue, ktrigger cabbageGetValue "x"
        Stext, ktext cabbageGetValue "S"
        ksame cabbageGet "x"
        cabbageSetValue "k", kvalue * 2, ktrigger
        cabbageSetValue "S", "moved", ktrigger
        cabbageSet "x", "text", "moved"
        cabbageSet ktrigger, "x", "bounds", 1, 2, kvalue, 4
        Sinit cabbageGetValue "Sinit"
        printf "v%g %d %d %g %s %s\\n", timek(), kvalue, ktrigger, ktext, ksame, Stext, Sinit
        endin
        """, score: "i2 0 1")
    piece.set("x", 3)
    piece.run()
    piece.set("x", 5)
    piece.run(3)
    #expect(
      piece.printed("v") == [
        "3 0 0 3  first", "5 1 0 5  first", "5 0 1 5 moved first", "5 0 0 5 moved first",
      ])
    #expect(piece.value("i") == 4 && piece.value("k") == 10)
    #expect(piece.panel.leftOut.map(\.name) == ["cabbageSet"])
  }

  @Test(
    "cabbageGet answers with what the section says of a widget, with Cabbage's default, or with 0")
  func properties() throws {
    let piece = try WidgetPiece(
      "",
      instruments: """
        instr 2
        ibounds[] cabbageGet "s", "bounds"
        krange[] cabbageGet "s", "range"
        icolor[] cabbageGet "s", "fontColour"
        iother[] cabbageGet "nobody", "bounds"
        prints "#1 %g %g %g %g %g %g %g\\n", lenarray(ibounds), ibounds[0], ibounds[3], icolor[1], icolor[3], lenarray(iother), iother[0]
        imaximum cabbageGet "s", "max"
        ivisible cabbageGet "s", "visible"
        iown cabbageGet "s", "_mood"
        prints "#2 %g %g %g\\n", imaximum, ivisible, iown
        Sitems[] cabbageGet "menu", "items"
        Stext cabbageGet "menu", "channelType"
        Snothing cabbageGet "menu", "caption"
        Sall[] cabbageGetWidgetChannels
        Ssome[] cabbageGetWidgetChannels "automatable(1), _mood(7)"
        prints "#3 %d %s %s |%s| %d %s %d %s\\n", lenarray(Sitems), Sitems[1], Stext, Snothing, lenarray(Sall), Sall[2], lenarray(Ssome), Ssome[0]
        kvalue cabbageGet "s", "value"
        know, kmoved cabbageGet "s", "value"
        Schanged, kchange cabbageChanged Sall
        kindex, ksame cabbageChanged Sall
        printf "v%g %g %g %d %d %g %d %s\\n", timek(), kvalue, know, krange[2], kmoved, kchange, kindex, ksame, Schanged
        know = -1
        endin
        """, score: "i2 0 1",
      cabbage: """
        rslider bounds(1, 2, 3, 4), channel("s"), range(0, 9, 5, 2), fontColour(1, 2, 3), _mood(7)
        groupbox bounds(0, 0, 9, 9) { combobox channel("menu"), items("one", "two"), channelType("text") }
        label channel("l"), _mood(7)
        """)
    piece.set("s", 6)
    piece.run()
    piece.set("s", 8)
    piece.run(2)
    #expect(piece.printed("#1 ") == ["4 1 4 2 255 4 0"] && piece.printed("#2 ") == ["9 1 7"])
    #expect(piece.printed("#3 ") == ["2 two text || 3 l 1 s"])
    #expect(piece.printed("v") == ["6 6 6 0 0 0 0 ", "8 8 6 1 1 0 1 s", "8 8 6 0 0 0 0 s"])
  }

  @Test(
    "The parts of a file's path",
    arguments: [("/a/b.c.wav", "b.c.wav b.c .wav /a"), ("x", "x x  ")])
  func fileNames(path: String, parts: String) throws {
    let piece = try WidgetPiece(
      "",
      instruments: """
        instr 2
        Spath = "\(path)"
        S1 cabbageGetFilename Spath
        prints "p%s %s %s %s\\n", S1, cabbageGetFileNoExtension(Spath), cabbageGetFileExtension(Spath), cabbageGetFilePath(Spath)
        endin
        """, score: "i2 0 1")
    piece.run()
    #expect(piece.printed("p") == [parts])
  }
}
