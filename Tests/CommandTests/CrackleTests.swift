import Foundation
import TestPages
import TestSupport
import Testing

@Suite("What a dropout is put down to", .serialized)
struct CrackleTests {
  /// Plays a copy of a piece on the rig, and returns what was said and the traces that were written.
  private func play(
    _ piece: String, _ act: (RunningTool) -> Void = { _ in }
  ) throws -> (said: String, traces: [[String: Any]]) {
    let copy = try String(file: root + "/csd/" + piece).saved()
    let run = try RunningTool.play(
      copy, "--device", Rig.name(), "--period", "256", "--duration", "1.6")
    act(run)
    let said = try run.end().good().errors
    let files = try Files.names(in: copy.parentPath).filter {
      $0.hasSuffix(".trace.json") && $0.hasPrefix("piece-")
    }
    return (said, try files.map { try jsonObject(copy.parentPath + "/" + $0) })
  }

  /// FlightTests has the causes of the last two as well.
  static let pieces = [
    ("dear", "the k-cycles are too dear"), ("score", "a table of the score (f)"),
    ("table", "a table was made in performance: ftgen in line 17, instr Pluck"),
    ("burst", "400 notes began at about the same time"),
    ("init", "the init pass of a note of instr Search"),
  ]

  @Test(
    "Each piece that crackles is put down to its own cause",
    arguments: Array(pieces.prefix(runsAllTests ? 5 : 3)))
  func causes(_ piece: String, _ cause: String) throws {
    let (said, traces) = try play("crackle/\(piece).csd")
    #expect(said.contains("piece.csd: dropout before 1.") && said.contains(cause), "\(said)")
    let trace = try #require(traces.first)
    let events = try #require(trace["traceEvents"] as? [[String: Any]])
    #expect(events.contains { $0["name"] as? String == "dropout" && $0["ph"] as? String == "i" })
    let other = try #require(trace["otherData"] as? [String: String])
    #expect(other["cause"]?.contains(cause) == true)
  }

  @Test("Where another program holds the player up, the piece is not blamed")
  func heldUp() throws {
    let (said, traces) = try play("MOOGLADDER.csd") { run in
      #expect(run.hears("device rig"))
      usleep(300_000)
      kill(run.number, SIGSTOP)
      usleep(200_000)
      kill(run.number, SIGCONT)
    }
    #expect(said.contains("the audio thread did not run for"), "\(said)")
    #expect(traces.count == 1)
  }

  @Test("A typed line, OSC and a page write the last seconds, without a dropout")
  func asked() throws {
    let csd = try String(file: root + "/csd/MOOGLADDER.csd").saved()
    let (port, page) = (OscClient(to: 9).port, freePort())
    let play = try RunningTool.playing(
      csd, "--device", "null", "--osc", "\(port)", "--panel", "--port", "\(page)", "--duration",
      "60")
    let client = OscClient(to: port)
    client.say("/trace", .i(1))
    #expect(client.error() == "/trace takes nothing.")
    usleep(500_000)
    client.say("/trace")
    func path(_ text: String?) throws -> String {
      String(try #require(text?.firstMatch(of: /\/\S*piece-\d{8}-\d{6}\.trace\.json/)).0)
    }
    var paths = [try #require(client.next()?.texts.last)]
    let asking = try RawClient(panel: page)
    asking.say(#"{"type":"trace"}"#)
    while let text = asking.message("notice")?["text"] as? String {
      guard !text.isEmpty else { continue }
      paths.append(try path(text))
      break
    }
    usleep(1_100_000)
    play.type("trace")
    #expect(play.hears("The last 2 s are in") || play.hears("The last 3 s are in"))
    let said = play.quit().errors
    paths.append(try path(said.components(separatedBy: "\n").last { $0.contains("The last") }))
    #expect(paths.count == 3)
    for path in paths {
      let events = try #require(jsonObject(path)["traceEvents"] as? [[String: Any]])
      #expect(events.contains { $0["name"] as? String == "k-cycle" })
      let stem = path.dropLast(".trace.json".count)
      #expect(try String(file: stem + ".folded").contains("k-cycle;instr 1"))
      let profiles = try jsonObject(stem + ".speedscope.json")["profiles"] as? [[String: Any]]
      let profile = try #require(profiles?.first)
      #expect((profile["samples"] as? [Any])?.count == (profile["weights"] as? [Any])?.count)
    }
  }

  @Test("render --trace writes each k-cycle, changes no sample, and refuses what it cannot do")
  func rendered() throws {
    let directory = try temporaryDirectory()
    let piece = root + "/csd/crackle/table.csd"
    let plain = ["render", piece, "--duration", "1.2", "-o", directory + "/plain.wav"]
    try opcodekit(plain).good()
    let trace = directory + "/trace.json"
    try opcodekit(
      "render", piece, "--duration", "1.2", "-o", directory + "/traced.wav", "--trace", trace
    ).good()
    #expect(
      try Data(file: directory + "/plain.wav").dropFirst(100)
        == Data(file: directory + "/traced.wav").dropFirst(100))
    let events = try #require(jsonObject(trace)["traceEvents"] as? [[String: Any]])
    #expect(events.count { $0["name"] as? String == "k-cycle" } == 900)
    let table = try #require(events.first { $0["name"] as? String == "init of ftgen" })
    #expect((table["args"] as? [String: Int]) == ["line": 17])
    try opcodekit(plain + ["--trace", directory + "/no/trace.json"]).refused(
      73, "cannot be written")
    try opcodekit(plain + ["--trace", directory + "/plain.wav"]).refused(64, "would overwrite")
  }
}
