@testable import Comparing
import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("Pairs given by a call")
struct CallTests {
  /// A project of its own.
  let project: String

  init() throws {
    project = try temporaryDirectory()
    try FileManager.default.createDirectories(project + "/Benchmarks")
  }

  func pairing(_ text: String, name: String = "PAIR") throws -> Pairing {
    let path = "\(project)/Benchmarks/\(name).json"
    try text.save(to: path)
    return try Pairing(readingFrom: path)
  }

  var grid: Grid {
    Grid(
      root: project, evidenceDirectory: project + "/evidence", plugin: nil,
      worker: [products + "/TestWorker"])
  }

  func compare(_ text: String, ksmps: [Int] = [37, 1024]) throws -> [ComparedCase] {
    try grid.compare(pairing(text), Selection(ksmps: ksmps, sampleRates: [48_000]))
  }

  @Test(
    "A control moves by ratios where both ends are positive and ten times apart or more",
    arguments: [
      ("[100, 1000]", true), ("[1000, 100]", true), ("[100, 999.9]", false), ("[0, 1000]", false),
      ("[-100, -1000]", false), ("[20, \"sr/2\"]", true), ("[\"-sr\", 20]", false), ("5", false),
    ])
  func curves(text: String, isExponential: Bool) throws {
    let range = try JSONDecoder().decode(ControlRange.self, from: Data(text.utf8))
    #expect(range.isExponential == isExponential)
  }

  static let calls = [
    "a control at k-rate": """
    "subject": "ONEPOLE", "rival": "tone", "call": "aout ONEPOLE ain, kcutoff",
    "controls": { "cutoff": [20, "sr/2"] }
    """,
    "controls at either rate": """
    "subject": "MOOGLADDER", "rival": "moogladder",
    "call": "aout MOOGLADDER ain, xcutoff, xresonance",
    "controls": { "cutoff": [200, 2000], "resonance": [0, 0.7] }
    """,
    "a control that must not leave its range": """
    "subject": "BUTTERLP", "rival": "butterlp", "call": "aout BUTTERLP ain, acutoff",
    "controls": { "cutoff": [5, "sr*0.49"] }
    """,
    "an i-time argument": """
    "subject": "VDELAY", "rival": "vdelay3", "call": "aout VDELAY ain, xdelay, imaximum",
    "controls": { "delay": [1, 40], "maximum": 50 }
    """,
    "two signals, two outputs": """
    "subject": "REVERBSC", "rival": "reverbsc",
    "call": "aout1, aout2 REVERBSC ain1, ain2, kfeedback, 8000",
    "controls": { "feedback": [0, 0.9] }
    """,
    "control signals": """
    "subject": "PORTK", "rival": "portk", "call": "kout PORTK kin, khalftime",
    "controls": { "halftime": [0.001, 1] }
    """,
    "i-time outputs": """
    "subject": "FTOM", "rival": "ftom", "call": "iout FTOM ifrequency, 0",
    "controls": { "frequency": [27.5, 3520] }
    """,
    "k-rate outputs": """
    "subject": "FTOM", "rival": "ftom", "call": "kout FTOM kfrequency",
    "controls": { "frequency": [27.5, 3520] }
    """,
    "a table": """
    "subject": "POSCIL", "rival": "poscil", "call": "aout POSCIL xamplitude, xfrequency, iwave",
    "controls": { "amplitude": [0, 1], "frequency": [20, 8000] },
    "tables": { "wave": "0, 0, 8192, 10, 1" }
    """,
    "a string": """
    "subject": "NOTENUM", "rival": "ntom", "call": "iout NOTENUM \\"4A+12\\""
    """,
    "arrays and a rival for each channel": """
    "subject": "SATURATE", "rival": "tanh", "call": "aout[] SATURATE ain[]",
    "rivalCall": [\((0..<8).map { "\"aout[\($0)] tanh ain[\($0)]\"" }.joined(separator: ", "))]
    """,
    "arrays of the call's own": """
    "subject": "FTOM", "rival": "ftom", "call": [
      "ihz[] fillarray 440, ifrequency", "inotes[] FTOM ihz[]", "iout = inotes[1]"
    ], "controls": { "frequency": [27.5, 3520] }
    """,
    "a rival with other arguments": """
    "subject": "ONEPOLE", "rival": "reson", "call": "aout ONEPOLE ain, kcutoff",
    "rivalCall": "aout tone ain, kcutoff * 2 / 2, 0", "controls": { "cutoff": [20, 8000] }
    """,
    "a rival in Csound's language": """
    "subject": "ONEPOLE", "rival": "filter2", "call": "aout ONEPOLE ain, icutoff",
    "rivalCall": [
      "icosine = 2 - cos(2 * $M_PI * icutoff / sr)",
      "ipole = icosine - sqrt(icosine * icosine - 1)",
      "aout filter2 ain, 1, 1, 1 - ipole, -ipole ; as tone does"
    ],
    "controls": { "cutoff": [200, 8000] }
    """,
  ]

  @Test("Each kind of call agrees in every case the kit has", arguments: calls.keys.sorted())
  func agrees(kind: String) throws {
    let cases = try compare("{ \(Self.calls[kind]!) }")
    #expect(!cases.isEmpty)
    for item in cases {
      #expect(item.passed, "\(item.name), \(item.rates): \(item.report)")
    }
  }

  /// The clean ladder's call, for its faulty twins.
  static let ladder = """
    "rival": "moogladder", "call": "aout SUBJECT ain, kcutoff, kresonance",
    "controls": { "cutoff": [200, 2000], "resonance": [0, 0.7] }
    """

  @Test(
    "A faulty opcode is caught, and what is left plays the case again",
    arguments: ["GAIN", "DELAY", "CLICK", "EDGE", "SILENCE"])
  func faults(kind: String) throws {
    let call = Self.ladder.replacing("SUBJECT", with: "FAULTY_\(kind)")
    let cases = try compare(#"{ "subject": "FAULTY_\#(kind)", \#(call) }"#, ksmps: [64])
    let noise = try #require(cases.first { $0.name.hasPrefix("noise") })
    #expect(noise.comparison?.verdict == .exceedsTolerance)
    let again = try grid.compare(
      pairing(
        """
        { "subject": "FAULTY_\(kind)", "rival": "moogladder", "tolerance": -100,
          "orchestra": "\(noise.evidence.orchestra)",
          "rates": [{ "name": "kk", "macros": {} }],
          "cases": [{ "name": "again", "macros": {} }], "sampleRates": [48000], "ksmps": [64],
          "benchmark": { "macros": {}, "unit": "sample" } }
        """))
    #expect(again.count == 1)
    #expect(again[0].comparison?.nullDepth == noise.comparison?.nullDepth)
  }

  @Test("Without its fault the ladder passes")
  func clean() throws {
    let call = Self.ladder.replacing("SUBJECT", with: "FAULTY_NO")
    let cases = try compare(#"{ "subject": "FAULTY_NO", \#(call) }"#)
    #expect(cases.allSatisfy { $0.passed })
  }

  static let good = """
    { "subject": "ONEPOLE", "rival": "tone", "call": "aout ONEPOLE ain, kcutoff",
      "rivalCall": "aout tone ain, kcutoff", "controls": { "cutoff": [20, 8000] } }
    """

  @Test(
    "A call that does not fit is refused with the key",
    arguments: [
      (#""call": "aout ONEPOLE"#, #""call": "aout TWOPOLE"#, "'call' does not call ONEPOLE"),
      ("aout", "ares", "'call' has no output to compare"),
      ("aout tone", "ares tone", "'rivalCall' gives 'aout' no value"),
      ("ONEPOLE ain, kcutoff", "ONEPOLE ain, kcutof", "'kcutof' in 'call' has no range"),
      ("tone ain, kcutoff", "tone ain, kdepth", "'kdepth' in 'rivalCall' has no range"),
      (#""cutoff":"#, #""depth": 1, "cutoff":"#, "'controls' has 'depth', which no call uses"),
      (#""cutoff":"#, #""in": 1, "cutoff":"#, "'in' cannot be the name"),
      (#""cutoff":"#, #""CUTOFF": 1, "cutoff":"#, "are called 'CUTOFF'"),
      ("[20, 8000]", "[20, 8000, 3]", "'controls.cutoff': a range is [start, end]"),
      ("[20, 8000]", "[20]", "'controls.cutoff': a range is [start, end]"),
      ("[20, 8000]", "true", "'controls.cutoff': a range is [start, end]"),
      ("[20, 8000]", #"[20, "8,1"]"#, "a range is [start, end]"),
      ("tone ain", "tone Sname", "'rivalCall' has 'Sname', which is no signal"),
      (#""controls""#, #""control""#, "unknown key 'control'"),
      (#""controls""#, #""cases": [{ "name": "x" }], "controls""#, "none of the kit's own"),
      (#""controls""#, #""tables": { "wave": "10" }, "controls""#, "'tables.wave' is '10'"),
      (#""call": "aout ONEPOLE ain, kcutoff","#, "", "neither 'call'"),
    ])
  func refused(right: String, wrong: String, words: String) throws {
    #expect(Self.good.contains(right))
    let failure = failure { _ = try pairing(Self.good.replacing(right, with: wrong)) }
    #expect(failure?.kind == .badInput)
    let message = failure?.message ?? "accepted"
    #expect(message.contains("/Benchmarks/PAIR.json'") && message.contains(words), "\(message)")
  }

  @Test("What Csound does not take is refused with the key, before anything is rendered")
  func unplayable() throws {
    let calls = [
      (#""aout tone"#, #""aout tonne"#, "'rivalCall' at rates k: "),
      ("ONEPOLE ain, kcutoff", "ONEPOLE ain, kcutoff, 1, 2, 3", "'call' at rates k: "),
      (
        #""rival": "tone", "call": "aout ONEPOLE ain, kcutoff","#,
        #""rival": "tonne", "call": "aout ONEPOLE ain, kcutoff","#,
        "'rival' at rates k: There is no opcode 'tonne'"
      ),
    ]
    for (right, wrong, words) in calls {
      var text = Self.good
      if words.hasPrefix("'rival' ") {
        text = text.replacing(#""rivalCall": "aout tone ain, kcutoff","#, with: "")
      }
      #expect(text.contains(right))
      let failure = failure { _ = try compare(text.replacing(right, with: wrong)) }
      #expect(failure?.kind == .badInput)
      let message = failure?.message ?? "accepted"
      #expect(message.contains("/Benchmarks/PAIR.json', \(words)"), "\(message)")
    }
  }

  @Test("Every default can be set, and the kit's own named")
  func overrides() throws {
    let whole = try pairing(Self.good)
    #expect(whole.tolerance == -100)
    #expect(whole.benchmark.unit == .sample && whole.benchmark.ksmps == [1, 16, 64, 1024])
    #expect(whole.benchmark.macros["CUTOFFSTART"] == "400")
    #expect(whole.input == ["SIGNAL": "Input"])
    let changed = try pairing(
      Self.good.replacing(
        #""controls""#,
        with: """
          "tolerance": -60, "moreCases": [{ "name": "quiet", "macros": { "LEVEL": "1e-6" } }],
          "sampleRates": [48000], "ksmps": [8], "input": {},
          "cases": [
            { "name": "impulse" }, { "name": "hot signal", "tolerance": -40, "reason": "clips" },
            { "name": "mine", "macros": { "LEVEL": "2" } }
          ],
          "benchmark": { "ksmps": [32], "macros": { "LEVEL": "1" }, "silence": {} }, "controls"
          """))
    #expect(changed.tolerance == -60 && changed.sampleRates == [48_000] && changed.ksmps == [8])
    #expect(changed.cases.map(\.name) == ["impulse", "hot signal", "mine", "quiet"])
    #expect(changed.cases.map(\.tolerance) == [nil, -40, nil, nil])
    #expect(changed.cases[0].macros == whole.cases[0].macros)
    #expect(changed.cases[2].macros == ["LEVEL": "2"])
    #expect(whole.benchmark.silence == ["SIGNAL": "Burst"] && changed.benchmark.silence == nil)
    #expect(changed.benchmark.ksmps == [32] && changed.benchmark.sampleRate == 48_000)
    #expect(changed.benchmark.macros == whole.benchmark.macros.merging(["LEVEL": "1"]) { $1 })
  }

  @Test("A sound is taken at its own channels, two at a time where a call has two")
  func input() throws {
    let path = project + "/noise.wav"
    for channels in 1...3 {
      var sound = Sound(sampleRate: 44_100, channelCount: channels)
      sound.samples = (0..<channels * 3000).map { sin(Double($0 * $0)) }
      try sound.write(to: path)
      for kind in ["a control at k-rate", "two signals, two outputs", "control signals"] {
        let cases = try grid.compare(
          pairing("{ \(Self.calls[kind]!) }"), input: path, Selection(ksmps: [10]))
        #expect(cases.count == 1)
        #expect(cases.allSatisfy { $0.passed }, "\(kind), \(channels) channels: \(cases)")
      }
    }
  }
}
