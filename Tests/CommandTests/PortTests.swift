import Foundation
import HarnessBase
import Testing

@Suite("User-defined opcodes are written in Swift")
struct PortTests {
  /// An opcode for each construct: rates, feedback of a vector and of a sample, branches with filters, loops over numbers
  /// and over samples, jumps, calls of another opcode, optional arguments, the init pass, delays with taps, envelopes,
  /// noise, tables, arrays, random numbers, a loop that a jump leaves, a filter that is only made where a condition of the init pass says so.
  static let opcodes = """
    /*
    opcode Mix, a, aak
    endop */
    ; A mix of two signals: the first and the second.
    ;   kmix 0 to 1, how much of the second
    opcode Mix, a, aak
      aone, atwo, kmix xin
      xout aone * (1 - kmix) + atwo * kmix
    endop

    ; A filter \\ clipper
    opcode Feedback, aa, akk
      ain, kcutoff, kgain xin
      alast init 0
      adriven = tanh(ain + kgain * alast)
      alast tone adriven, kcutoff
      xout alast, adriven - alast
    endop
    opcode Choose, a, akk
      ain, kcutoff, kamount xin
      if kamount > 0.5 then
        ainout butterlp ain, kcutoff
      elseif kamount > 0.35 then
        ainout = ain * kamount
      else
        ainout butterhp ain, kcutoff
      endif
      xout ainout
    endop
    opcode Level, k, akk
      ain, kattack, krelease xin
      setksmps 1
      kvalue init 0
      klevel downsamp abs(ain)
      kcoef = klevel > kvalue ? exp(-1 / (kattack * sr)) : exp(-1 / (krelease * sr))
      kvalue = klevel + kcoef * (kvalue - klevel)
      xout kvalue
    endop
    opcode Sums, k, kii
      kx, icount, iscale xin
      isum = 0
      inumber = 1
      while inumber <= icount * 10 do
        isum = isum + iscale / inumber
        inumber += 1
      od
      ksum = 0
      kn = 1
    more:
      ksum += cos(kn * kx) / kn
      loop_le kn, 1, 5, more
      if kx > 0.5 kgoto done
      ksum = -ksum
    done:
      xout ksum / isum
    endop
    opcode Echo, a, aip
      ain, itime, igain xin
      adelayed delay ain, itime
      aramp phasor 3
      xout ain + igain * adelayed * (1 - aramp)
    endop

    opcode Samples, aa, ak
      ain, kcutoff xin
      alow init 0
      ahigh init 0
      kstate init 0
      kweight = 1 - exp(-2 * $M_PI * kcutoff / sr)
      kindex = 0
      while kindex < ksmps do
        kstate += kweight * (ain[kindex] - kstate)
        alow[kindex] = kstate
        ahigh[kindex] = ain[kindex] - kstate
        kindex += 1
      od
      xout alow, ahigh
    endop

    opcode Twice, a, akk
      ain, kcutoff, kgain xin
      a1, a2 Feedback ain, kcutoff, kgain
      a3, a4 Samples a1 * kgain, kcutoff
      xout a3 + 0.5 * a2
    endop

    opcode Held, ak, aki
      ain, kthreshold, ihalt xin
      kcount init 3
      kcount = (kcount + trigger:k(kthreshold, 0.5, 2)) % 7
      aout reson ain, 300 + 1000 * port:k(kthreshold, 0.02), 50, 1
      aout dcblock aout * a(kthreshold) * ihalt
      xout limit(aout, -0.4, 0.4), kcount
    endop

    opcode Taps, aa, aki
      ain, kbright, itime xin
      aold delayr 0.05
      atap deltapi itime + 0.001 * kbright
      amoved deltap3 a(itime) + 0.02
      anear deltap 0.001
      ain = ain + 0.4 * atap
      delayw ain
      aswept vdelay3 ain, 10 + 5 * kbright, 50
      acomb alpass ain, 0.5, 0.011
      xout aold + atap - amoved, aswept + acomb * 0.5 + anear
    endop

    opcode Curves, ak, kii
      klevel, itime, iseed xin
      kduration linseg 0, itime, 1, 0.02, 0.3
      aline linseg 0.1, itime, 1, 0, 0.5, 0.05, 0.2
      kcurve expseg 0.1, itime, 1, 0.1, 0.01
      anoise rand klevel, iseed, 1
      kheld randh 1, 300, iseed
      amoving randi klevel, 2000, iseed
      kslow lfo 0.5, 30, 1
      asine poscil3 kduration, 330 + 100 * kslow
      awave oscili aline, 440 + 50 * kheld
      apulse mpulse 1, 0.003
      kpower rms asine
      xout anoise * kcurve + amoving + asine + awave + apulse + p3, changed(kheld) + kpower
    endop

    opcode Tables, k, kki
      kindex, kvalue, iscale xin
      itable ftgentmp 0, 0, 16, -2, 1, 3, 2, 5
      tabw_i iscale, 5, itable
      kweights[] fillarray 1, -2, 3
      kweights[1] = kvalue * lenarray(kweights)
      kplace = 0
      ksum = 0
      while kplace < 3 do
        ksum += kweights[kplace] * tab:k(kplace, itable)
        kplace += 1
      od
      tablew ksum, 7, itable
      kread tablei kindex * 9, itable, 0, 1, 1
      xout kread + table3:k(kindex, itable, 1) + tab_i(5, itable) + (3 << 2)
    endop

    opcode Look, k, kiip
      kx, ifrom, ivalue, isize xin
      inew ftgentmp 0, 0, isize, -2, 1, 2
      tabw_i ivalue, isize - 1, inew
      xout table:k(kx * 3, ifrom) + tab_i(isize - 1, inew)
    endop

    opcode Within, a, akj
      asignal, kcutoff, iskip xin
      klevel Level asignal, 0.01, 0.05
      if iskip > 0 then
        asignal = asignal
      else
        asignal butterlp asignal, kcutoff
      endif
      asignal filter2 asignal * klevel, 2, 1, 0.5, 0.5, -0.2
      aleft, aright pan2 asignal, 0.3
      xout aleft - aright
    endop

    opcode Weighted, k[]k, k[]i[]ki
      kvalues[], iweights[], kgain, ioffset xin
      kresult[] init lenarray:i(kvalues)
      ; The sum so far.
      ksum = 0
      kplace = 0
      while kplace < lenarray:k(kvalues) do
        kvalues[kplace] = kvalues[kplace] * kgain + ioffset
        kresult[kplace] = kvalues[kplace] * iweights[kplace % 3]
        if kresult[kplace] > 0.5 then
          kgoto over
        endif
        ksum += kresult[kplace]
        kplace += 1
      od
    over:
      xout kresult, ksum
    endop

    opcode Turned, i[], i[]i
      ivalues[], iby xin
      ilast = lenarray(ivalues) - 1
      iresult[] init ilast + 1
      iplace = 0
      while iplace <= ilast do
        iresult[iplace] = ivalues[(iplace + round(iby)) % (ilast + 1)]
        iplace += 1
      od
      xout iresult
    endop

    #define PLUS(other) #+
      $other#
    opcode Dice, ak, kk
      klow, khigh xin
      ithrow random 2, 3
      anoise random klow, khigh
      asteps randomh klow, khigh, 3000, 3
      kline randomi klow, khigh, 200, 1
      kpick random 0, ithrow
      xout anoise $PLUS(asteps), kline + kpick
    endop

    """
  static let names = [
    "Mix", "Feedback", "Choose", "Level", "Sums", "Echo", "Samples", "Twice", "Held",
    "Taps", "Curves", "Tables", "Look", "Within", "Weighted", "Turned", "Dice",
  ]

  /// What cannot be ported, and what the list says of it.
  static let refused = [
    ("Louder, a, a", "asignal xin\n  xout asignal * gigain", "the global variable 'gigain'"),
    ("Held2, k, i", "ivalue xin\n  kline linen ivalue, 0.1, p3, 0.1\n  xout kline", "linen"),
    ("Word, k, S", "Sname xin\n  xout strlenk(Sname)", "an argument of type 'S'"),
    ("Listed, a, a[]", "alist[] xin\n  xout alist[1]", "an argument of type '['"),
    ("Chance, i, i", "imost xin\n  inumber linrand imost\n  xout inumber", "linrand"),
    ("Eight, a, a", "asignal xin\n  setksmps 8\n  xout asignal", "setksmps with another number"),
    (
      "Deep, a, ai", "ain, idepth xin\n  aout Deep ain, idepth - 1\n  xout aout",
      "Deep, which calls itself"
    ),
    ("Back, k, a", "ain xin\n  kvalue = ain[3]\n  xout kvalue", "a sample of a vector"),
    ("Swap, kk, kk", "ka, kb xin\n  ka, kb = kb, ka\n  xout ka, kb", "reads what it sets"),
    ("Near, k, k", "ka xin\n  xout logbtwo(ka)", "logbtwo"),
    ("Late, k, k", "ka xin\n  kb = ka + 1\n  kc Later kb, 0\n  xout kc", "after xout"),
    ("Early, k, k", "ka xin\n  kb = ka + 1\n  xout kb + i(kb)", "the init pass"),
  ]

  func piece(_ opcodes: String) throws -> String {
    try
      "gigain init 2\n\(opcodes)\ninstr 1\n  aunknown NOSUCHOPCODE 1\n  Stext = {{\n  endin\n}}\nendin\n"
      .csd(score: "").saved()
  }

  @Test("The list says which can be ported, and what is in the way of the others")
  func list() throws {
    let later = "opcode Later, k, ki\n  ka, ib xin\n  kn = ka\n  xout kn\n  kn += 1\nendop\n"
    let others = later + Self.refused.map { "opcode \($0.0)\n  \($0.1)\nendop\n" }.joined()
    let listed = try opcodekit("port", piece(Self.opcodes + others)).good().output
    let lines = listed.split(separator: "\n")
    for name in Self.names {
      #expect(lines.contains { $0.starts(with: name + " ") && $0.contains(" yes") }, "\(listed)")
    }
    for (head, _, reason) in Self.refused {
      let name = head.prefix { $0 != "," }
      let line = lines.first { $0.starts(with: name + " ") }
      #expect(line?.contains(" no ") == true && line!.contains(reason), "\(listed)")
    }
    #expect(listed.contains("18 of 30 user-defined opcodes can be ported."))
  }

  @Test("Ports sound as the originals, compile without a warning, and a wrong one is found")
  func ports() throws {
    let directory = try temporaryDirectory() + "/Ported"
    let piece = try piece(Self.opcodes)
    try opcodekit(["port", piece] + Self.names + ["--new", directory, "--write-only"]).good().says(
      "\nalast, aout FEEDBACK ain, kcutoff, kgain\n", "\naout ECHO ain, itime [, igain]\n")
    let weighted = try String(file: directory + "/Sources/Ported/Weighted.swift")
    #expect(weighted.contains("    // The sum so far.\n    var sum = 0.0\n"), "\(weighted)")
    let mix = try String(file: directory + "/Sources/Ported/Mix.swift")
    expectWords(
      mix, "@Opcode(\"MIX\", \"A mix of two signals\")",
      "/// 0 to 1, how much of the second.\n    let mix: ControlInput")
    let compare = [
      "--package", directory, "compare", "--ksmps", "1,64", "--sample-rate", "48000",
    ]
    let same = try opcodekit(compare).good()
    #expect(!(same.output + same.errors).contains("warning"), "\(same.errors)")
    for name in Self.names { #expect(same.output.contains("\(name.uppercased()) against")) }
    // What is there already is not written again.
    try opcodekit("--package", directory, "port", piece, "Mix").refused(73, "is there already")
    try mix.replacing("(1 - mix)", with: "(1 - 0.999 * mix)")
      .save(to: directory + "/Sources/Ported/Mix.swift")
    try opcodekit(compare + ["MIX"]).refused(1).says("FAIL")
  }

  @Test("The piece is written with the port, timed, and compared; its opcodes' shares are known")
  func wholePiece() throws {
    let directory = try temporaryDirectory()
    let piece = directory + "/piece.csd"
    let orchestra = """
      0dbfs = 1
      ; Half of it.
      opcode Half, a, a
        asignal xin
        setksmps 1
        xout asignal * 0.5
      endop
      instr 1
        asaw phasor 220
        ahalf Half asaw ; Half
        out Half(ahalf)
      endin
      """.csd(score: "i1 0 3")
    try orchestra.save(to: piece)
    let listed = try opcodekit("port", piece).good().output
    #expect(listed.contains(/Half +a +a +[1-9][0-9.]* +yes/), "\(listed)")
    let advised = try opcodekit("faster", piece, "--only", "tone").good().output
    #expect(advised.contains(/port \S*piece.csd Half --new DIR/), "\(advised)")
    let ported = try opcodekit("port", piece, "Half", "--new", directory + "/Halves").good()
    #expect(
      ported.output.contains(/piece-HALF.csd: [0-9.]+ times as fast.* null depth identical/),
      "\(ported.output)\(ported.errors)")
    #expect(
      try String(file: directory + "/piece-HALF.csd")
        == orchestra.replacing(
          /opcode Half(?s:.*?)endop/, with: "; The opcode of the plugin is HALF."
        ).replacing("ahalf Half", with: "ahalf HALF").replacing("out Half", with: "out HALF"))
    // It is not written over, and nothing else is written either.
    try opcodekit("port", piece, "Half", "--new", directory + "/More").refused(
      73, "is there already")
    #expect(!Files.exist(directory + "/More"))
  }

  @Test("A folder is counted: what is in the way, and how many can be ported")
  func survey() throws {
    let folder = try piece(Self.opcodes + "opcode Word, k, S\n  Sa xin\n  xout 1\nendop\n")
      .parentPath
    try
      "opcode Half, a, a\n  ain xin\n  xout ain / 2\nendop\nopcode Reed, a, a\n  ain xin\n  xout moogvcf(ain, 400, 0.5)\nendop\n"
      .save(to: folder + "/more.udo")
    try "<CsInstruments>\nopcode\n</CsInstruments>\n".save(to: folder + "/wrong.csd")
    let counted = try opcodekit("port", folder).good().output
    #expect(counted.contains(/\n *1 +1 +moogvcf\n/), "\(counted)")
    expectWords(
      counted, "3 files, of which Csound cannot read 1; 20 different",
      "18 of these 19 can be ported, 95 %")
  }

  @Test("What is in the way has its line, in an expression, for a jump and after a split line, too")
  func linesInTheWay() throws {
    let text = """
      opcode Ratio, k, kk
        ka, kb xin
        xout ka + divz(ka, kb, 0.5)
      endop
      opcode Jump, k, k
        ka xin
        if ka > 0 goto other
        ka = 1
        goto done
        other:
        ka = 2
        done:
        xout ka
      endop
      opcode Fade, a, k
        ka xin
        kb limit \\
          ka, 0, 1
        aout linsegr 0, 1, 2, 3, 0
        xout aout
      endop
      """.csd(score: "")
    let listed = try opcodekit("port", text.saved()).good().output
    for (code, reason) in [
      ("divz(", "divz "), ("goto done", "nor a loop "), ("linsegr", "linsegr "),
    ] {
      let line = text.split(separator: "\n", omittingEmptySubsequences: false)
        .firstIndex { $0.contains(code) }
      #expect(listed.contains("\(reason)(\(try #require(line) + 1))"), "\(listed)")
    }
  }

  @Test("Bad input gives one sentence and its own exit code")
  func badInput() throws {
    let piece = try piece(Self.opcodes + "opcode Word, k, S\n  Sa xin\n  xout 1\nendop\n")
    let unread = "#ifdef NO\n#include \"no.inc\"\n#end\n"
    let none = try (unread + "ginone init 1\ngStext = {{\n instr 7\n}} ; }}\n").csd(score: "")
      .saved()
    let empty = try "; nothing but an instrument\ninstr 1\nendin\n".csd(score: "").saved()
    let wrong = try "opcode Open, a, a\n  ain xin\n  xout ain +\nendop\n".csd(score: "").saved()
    let missing = try "#include \"no.inc\"\n\(Self.opcodes)".csd(score: "").saved()
    for (words, code, sentence) in [
      ([missing], 66, "asks for the file 'no.inc', which is missing"),
      ([], 64, "port needs a CSD"), (["/nonexistent.csd"], 66, "/nonexistent.csd"),
      ([none], 65, "has no user-defined opcodes"), ([empty], 65, "has no user-defined opcodes"),
      ([wrong], 65, "Csound cannot read the orchestra"),
      ([piece, "Mox", "--new", "/tmp/x"], 64, "Mix"),
      ([piece, "Mix", "Mix", "--new", "/tmp/x"], 64, "Two of the opcodes would be 'Mix'"),
      ([piece, "Word", "--new", "/tmp/x"], 65, "an argument of type 'S'"),
      ([piece, "--new", "/tmp/x"], 64, "name at least one"),
      ([piece, "Mix"], 64, "'--new DIR' makes one"),
    ] as [([String], Int32, String)] {
      try opcodekit(["port"] + words).told(code, sentence)
    }
  }
}
