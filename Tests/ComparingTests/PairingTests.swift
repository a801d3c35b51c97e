@testable import Comparing
import Foundation
import HarnessBase
import Rendering
import TestSupport
import Testing

@Suite("Files of pairs")
struct PairingTests {
  let directory: String

  init() throws { directory = try temporaryDirectory() }

  @Test("Rates whose name has a comma are selected by it, in the list of an option too")
  func ratesWithCommas() {
    let names = ["kk", "2.5 s, 256", "2.5 s, 1024"]
    func selected(_ list: [String]?) -> [String] {
      names.filter(Selection(rates: list).hasRates)
    }
    #expect(selected(nil) == names)
    // `--rates "2.5 s, 256,kk"` is three words.
    #expect(selected(["2.5 s", "256", "kk"]) == ["kk", "2.5 s, 256"])
    #expect(selected(["2.5 s, 1024"]) == ["2.5 s, 1024"])
    #expect(selected(["256", "2.5 s"]) == [])
    #expect(Selection(rates: ["2.5 s", "256", "kk"]).unknownRates(among: names) == nil)
    #expect(Selection(rates: ["kk", "256"]).unknownRates(among: names) == "256")
    #expect(Selection().unknownRates(among: names) == nil)
  }

  @Test("Rivals whose sources have one name in two folders or languages have a plugin each")
  func referencePlugins() {
    let sources = ["c/pole.c", "faust/pole.dsp", "faust/pole.c", "pole.cpp"]
    #expect(Set(sources.map { ReferencePlugin($0, directory).path }).count == 4)
  }

  @Test("Of several calls in a note the first is not timed: EMPTY leaves out the others")
  func repeatedCalls() throws {
    let pairing = try Pairing(readingFrom: root + "/Benchmarks/SATURATE-distort1.json")
    let once = Orchestra(path: root + "/" + pairing.orchestra)
    let repeated = try pairing.repeatingCalls(3, of: once, root: directory)
    let text = try String(file: repeated.path)
    let parts = text.split(separator: "#ifndef EMPTY\n")
    // A call of two forms, between #ifdef, #else and #end of its own.
    #expect(parts.map { $0.matches(of: /\$OPCODE asignal/).count } == [2, 6])
    #expect(parts.last?.contains(/\A(#ifdef DISTORTION\n.*\n#else\n.*\n#end\n){3}#end\n/) == true)
    let original = try String(file: once.path)
    #expect(text.count(where: { $0 == "\n" }) == original.count(where: { $0 == "\n" }) + 3 * 5)
  }

  @Test("A pairing with a missing or wrong key says which")
  func pairing() throws {
    let path = directory + "/BAD.json"
    for (text, key) in [
      (#"{ "rival": "b" }"#, "'subject'"), (#"{ "subject": "A", "rival": "" }"#, "'rival'"),
      (#"{ "subject": "A", "rivalSource": "b.c" }"#, "'rival'"),
    ] {
      try text.save(to: path)
      let message = failure { _ = try Pairing(readingFrom: path) }?.message
      #expect(message?.contains(key) == true, "\(message ?? "accepted")")
    }
    let good = try String(file: root + "/Benchmarks/VDELAY.json")
    let mistakes = [
      (#""subject": "VDELAY""#, #""subject": "vdelay3""#, "the same opcode"),
      (#""ksmps": [1, 16, 37, 64, 1024]"#, #""ksmps": []"#, "'ksmps' is empty"),
      (#""ksmps": [1, 16, 37, 64, 1024]"#, #""ksmps": [0]"#, "the ksmps 0"),
      ("44100", "1e30", "sample rate"),
      ("-100", "1e308", "the tolerance 1e+308"),
      (#""subject": "VDELAY""#, #""subject": "../x""#, "no name of an opcode"),
      (#""name": "chorus""#, #""name": "impulses""#, "the same name"),
      (#""name": "chorus","#, #""name": "chorus", "sampleRates": [],"#, "'chorus' is empty"),
      (#""tolerance""#, #""tolerence""#, "unknown key 'tolerence'"),
      (#""rates""#, #""call": "a", "rates""#, "both 'call' and 'orchestra'"),
      (#""rates""#, #""controls": {}, "rates""#, "'controls' goes with 'call'"),
      (
        #""name": "k", "macros": { "DELAYRATE": "k", "DRY": "0" }"#, #""name": "k""#,
        "'macros' of 'k'"
      ),
      (#""input""#, #""inputt""#, "unknown key 'inputt'"),
      (#""unit": "sample""#, #""unit": "samples""#, "'sample' or 'call'"),
    ]
    for (right, wrong, words) in mistakes {
      #expect(good.contains(right))
      try good.replacingOccurrences(of: right, with: wrong).save(to: path)
      let message = failure { _ = try Pairing(readingFrom: path) }?.message
      #expect(message?.contains(words) == true, "\(message ?? "accepted")")
    }
    try "{".save(to: path)
    #expect(
      failure { _ = try Pairing(readingFrom: path) }?.message.contains("not valid JSON") == true)
  }
}
