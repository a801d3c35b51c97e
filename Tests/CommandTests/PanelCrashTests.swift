import TestPages
import Foundation
import Panels
import TestSupport
import Testing

@Suite("A panel's values after a crash", .serialized)
struct PanelCrashTests {
  private func play(_ csd: String, _ words: String...) throws -> (RunningTool, Int) {
    try RunningTool.panel(csd, words)
  }

  /// A piece in a directory of its own.
  private func piece() throws -> String {
    try """
    chn_k "level", 1, 2, 0.5, 0, 1
    instr 1
      klevel chnget "level"
      out upsamp(klevel)
    endin
    """.csd(score: "i 1 0 3600", ksmps: 64, options: "-n -d -m0").saved()
  }

  /// The value of the channel `level` with which the page begins.
  private func beginning(_ client: RawClient) throws -> Double {
    let values = try #require(client.message("values")?["values"] as? [String: Any])
    return try #require(values["level"] as? Double)
  }

  @Test("kill -9 in the middle of a drag costs a second at most, and never the file")
  func killed() throws {
    let csd = try piece()
    let kept = KeptValues(forPiece: csd)
    var expected = 0.5
    for turn in 0..<(runsAllTests ? 20 : 3) {
      let (tool, port) = try play(csd)
      let client = try RawClient(panel: port)
      let first = try beginning(client)
      #expect(first == expected, "turn \(turn)")

      // A drag upwards, killed after 1.2 s or more. No value comes twice, in this turn or another.
      var sent: [(time: ContinuousClock.Instant, value: Double)] = []
      for step in 1...120 + turn * 37 % 90 {
        let value = Double(step) / 256 + Double(turn + 1) / 65536
        client.say(#"{"type":"set","channel":"level","value":\#(value)}"#)
        sent.append((.now, value))
        usleep(10_000)
      }
      kill(tool.number, SIGKILL)
      let end = ContinuousClock.now
      _ = tool.end()
      // What the page did up to a second before the end is in the file.
      let old = try #require(sent.last { $0.time.duration(to: end) > .seconds(1) })
      let value = try #require(try kept.read()?.values["level"], "turn \(turn): nothing is kept")
      #expect(
        sent.contains { $0.time >= old.time && $0.value == value },
        "turn \(turn): kept \(value), which is older than \(old.value)")
      expected = value
    }

    // With --initial the piece has its own value; the file stays as long as nothing is changed.
    let (tool, port) = try play(csd, "--initial")
    let client = try RawClient(panel: port)
    #expect(try beginning(client) == 0.5)
    tool.interrupt().refused(130)
    #expect(try kept.read() != nil)
  }

  @Test("Terminal and page say what was taken up and what does not fit, and offer the piece's own")
  func offered() throws {
    let csd = try piece()
    let kept = KeptValues(forPiece: csd)
    try kept.write(PanelPreset("yesterday", values: ["level": 7, "gone": 1]))
    let (tool, port) = try play(csd)
    let client = try RawClient(panel: port)
    #expect(try beginning(client) == 1)
    #expect(
      tool.says(/Limited to the range that there is now: 'level'\. Left[^:]*: 'gone'\./)
        != nil)
    let other = try RawClient(panel: port)
    let taken = try #require(other.message("taken"))
    let sentence =
      "The panel begins with 1 value of the last time (yesterday); --initial begins with the piece's own."
    // The console comes in pieces, as it is written.
    var console = ""
    let isSaid = other.message("console") { message in
      console += message["text"] as? String ?? ""
      return console.contains(sentence)
    }
    #expect(isSaid != nil, "\(console)")
    #expect(tool.hears(sentence))
    #expect(taken["count"] as? Int == 1 && taken["time"] as? String == "yesterday")
    #expect(taken["limited"] as? [String] == ["level"] && taken["left"] as? [String] == ["gone"])
    client.say(#"{"type":"taken","action":"undo"}"#)
    #expect(try beginning(client) == 0.5)
    #expect(other.message("taken")?["count"] as? Int == 0)
    tool.interrupt().refused(130)
    #expect(try kept.read() == nil)
  }

  @Test("A damaged file is a sentence, and the piece begins with its own values")
  func damaged() throws {
    let csd = try piece()
    let kept = KeptValues(forPiece: csd)
    try #"{"name": "yesterday", "values": {"lev"#.save(to: kept.path)
    let (tool, port) = try play(csd)
    let client = try RawClient(panel: port)
    #expect(try beginning(client) == 0.5)
    #expect(
      tool.says(/begins with the piece's own values, as those of the last time/) != nil)
    client.say(#"{"type":"set","channel":"level","value":0.75,"id":1}"#)
    #expect(client.message("done") != nil)
    tool.interrupt().refused(130)
    #expect(try kept.read()?.values == ["level": 0.75])
  }

  @Test("Of two runs of a piece the first alone keeps values, and the other says so")
  func two() throws {
    let csd = try piece()
    let kept = KeptValues(forPiece: csd)
    let (first, port) = try play(csd)
    let client = try RawClient(panel: port)
    client.say(#"{"type":"set","channel":"level","value":0.75,"id":1}"#)
    #expect(client.message("done") != nil)
    let (second, otherPort) = try play(csd)
    #expect(second.says(/is played elsewhere on this computer/) != nil)
    let other = try RawClient(panel: otherPort)
    #expect(try beginning(other) == 0.5)
    other.say(#"{"type":"set","channel":"level","value":0.25,"id":1}"#)
    #expect(other.message("done") != nil)
    usleep(800_000)
    #expect(try kept.read()?.values == ["level": 0.75])
    for tool in [second, first] {
      tool.interrupt().refused(130)
      #expect(try kept.read()?.values == ["level": 0.75])
    }
  }
}
