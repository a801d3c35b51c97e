import Foundation
import Testing

@Suite("Interrupted and killed runs")
struct InterruptionTests {
  let directory: String
  private var json: String { directory + "/found.json" }

  init() throws { directory = try temporaryDirectory() }

  /// A directory of pieces called a.csd, b.csd and so on, one for each of these instruments.
  private func pieces(_ instruments: String...) throws -> String {
    let folder = directory + "/pieces"
    try Files.makeDirectories(folder)
    for (name, instrument) in zip("abcdef", instruments) {
      try """
      0dbfs = 1
      chn_k "cutoff", 1, 3, 1000, 100, 4000
      chnset 1000, "cutoff"
      instr 1
        \(instrument)
      endin
      """.csd(score: "i1 0 0.2").save(to: "\(folder)/\(name).csd")
    }
    return folder
  }

  private static let filtered = "out tone(vco2(0.3, 200), chnget:k(\"cutoff\"))"
  private static let endless = "while 1 == 1 do\nod\n" + filtered
  private static let broken = "out nosuchopcode(tone(vco2(0.3, 200), 1000))"

  private struct Partial: Decodable {
    struct Count: Decodable, Equatable {
      var finished, of: Int
    }
    struct Nothing: Decodable {}
    var partial: Count?
    var rows: [Nothing]?
  }

  private func exported() throws -> Partial {
    try JSONDecoder().decode(Partial.self, file: json)
  }

  /// Interrupts the tool twice as soon as it has printed `mark`.
  private func interrupt(
    _ words: [String], at mark: String, environment: [String: String] = [:]
  ) throws -> Ending {
    let run = try RunningTool(words, environment: environment)
    let isThere = run.prints(mark)
    kill(run.number, SIGINT)
    usleep(20_000)
    let ending = run.interrupt()
    #expect(isThere, "\(ending.output)\(ending.errors)")
    #expect(ending.exitCode == 130, "\(ending.output)\(ending.errors)")
    return ending
  }

  @Test(
    "compare and validate keep the rows that are printed",
    arguments: [
      (["compare", "--ksmps", "64"], " against ", "pairs"),
      (["validate", "--checks", "life-reinit"], "\n1/", "overloads"),
    ])
  func rows(words: [String], mark: String, things: String) throws {
    let ending = try interrupt(words + ["--json", json], at: mark)
    let partial = try #require(try exported().partial, "\(ending.errors)")
    #expect(partial.finished > 0 && partial.finished < partial.of)
    ending.says("\(partial.finished)/\(partial.of) ").tells(
      "interrupted; \(partial.finished) of \(partial.of) \(things) were finished, and are kept.")
  }

  @Test("Where nothing is finished that is said, and an older file stays")
  func nothing() throws {
    let folder = try pieces(Self.endless)
    try "older".save(to: json)
    let run = try RunningTool([
      "faster", folder, "--duration", "0.2", "--time-limit", "600", "--json", json,
    ])
    while run.isRunning, !run.hasStarted("worker") { usleep(20_000) }
    run.interrupt(SIGTERM).refused(130, "interrupted; nothing was finished")
    #expect(try String(file: json) == "older")
  }

  @Test(
    "What a run has finished goes beside an older file, which stays as it was",
    arguments: [
      (["faster", "--duration", "0.2"], "--json", "a.csd"),
      (["validate", "--checks", "life-reinit"], "--junit", "\n1/"),
    ])
  func older(words: [String], option: String, mark: String) throws {
    try "older".save(to: json)
    let playsPieces = words.contains("faster")
    let operands = playsPieces ? [try pieces(Self.broken, Self.endless)] : []
    let limit = playsPieces ? ["--time-limit", "600"] : []
    let ending = try interrupt(words + operands + limit + [option, json], at: mark)
    let unfinished = directory + "/found.unfinished.json"
    #expect(try String(file: json) == "older")
    ending.tells(
      "Wrote \(unfinished). '\(json)' was left as it was, because these results are not complete.")
    let text = try String(file: unfinished)
    guard playsPieces else { return #expect(text.contains("The run was stopped")) }
    ending.tells("interrupted; 1 of 2 pieces were finished, and are kept.")
    let found = try JSONDecoder().decode(Partial.self, from: Data(text.utf8))
    #expect(found.partial == Partial.Count(finished: 1, of: 2) && found.rows?.count == 1)
  }

  @Test("A signal that is blocked, and was sent before the tool had begun, is not lost")
  func early() throws {
    let folder = try pieces(Self.endless)
    try run(
      "/usr/bin/env",
      [
        "--block-signal=TERM", "sh", "-c", "kill -TERM $$; exec \"$@\"", "sh", tool,
        "faster", folder, "--duration", "0.2", "--time-limit", "20", "--json", json,
      ], environment: ["OPCODEKIT_ROOT": root]
    ).refused(130, "interrupted; nothing was finished")
  }

  @Test("merge takes no part whose run was stopped, and which left no temporary file")
  func part() throws {
    let place = directory + "/tmp"
    try Files.makeDirectories(place)
    let folder = try pieces(Self.broken, Self.endless)
    let words = ["faster", folder, "--duration", "0.2", "--time-limit", "600", "--results", json]
    _ = try interrupt(words, at: "a.csd", environment: ["TMPDIR": place])
    // Swift leaves a directory of its own where the second signal ends `swift --version`.
    let left = try Files.names(in: place).filter { !$0.hasPrefix("TemporaryDirectory.") }
    #expect(left.isEmpty, "\(left)")
    try opcodekit("merge", json).refused(
      65, "has only 1 of its part's 2 results, because its run was stopped")
  }

  @Test(
    "An interrupted or killed tool leaves no process behind, in whatever process group it is",
    arguments: [SIGINT, SIGKILL])
  func orphans(signal: Int32) throws {
    try Files.writeProgram(
      "setsid sleep 600 &\n: > \(directory)/draws\nexec sleep 600\n", to: directory + "/gnuplot")
    let path = directory + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
    let run = try RunningTool(
      ["report", "PORTK", "--output", directory + "/pages"],
      environment: ["PATH": path, "TMPDIR": directory])
    while run.isRunning, !Files.exist(directory + "/draws") {
      usleep(50_000)
    }
    #expect(run.all.count >= 3, "\(run.all)")
    let ending = run.interrupt(signal)
    if signal == SIGINT {
      ending.refused(130)
      #expect(try Files.names(in: directory + "/pages").isEmpty)
    }
    #expect(run.isGone(within: 20), "\(run.all)")
  }
}
