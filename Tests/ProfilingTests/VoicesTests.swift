import Foundation
import HarnessBase
import Profiling
import Rendering
import TestSupport
import Testing

@Suite("How many notes fit", .serialized)
struct VoicesTests {
  let directory: String
  var path: String { directory + "/piece.csd" }
  private let pool = WorkerPool([products + "/TestWorker"], jobsPerWorker: 1)

  init() throws { directory = try temporaryDirectory() }

  private static func levels(_ costs: [Int: Double]) -> [VoicesTake.Level] {
    costs.sorted { $0.key < $1.key }.map { notes, cost in
      var level = VoicesTake.Level(notes: notes)
      level.seconds = Array(repeating: cost, count: 5)
      return level
    }
  }

  @Test("Notes of 2 µs in k-cycles of 100 µs that take 10 µs without notes")
  func fit() throws {
    var levels = Self.levels([0: 10e-6, 4: 18e-6, 8: 26e-6, 16: 42e-6])
    var fit = try #require(VoiceFit(levels))
    #expect(fit.notes(load: 0.801, cycle: 100e-6) == (35, 35, 35))
    #expect(fit.notes(load: 0.801, others: 0.2, cycle: 100e-6) == (25, 25, 25))
    // On a machine that takes twice as long.
    #expect(fit.notes(load: 0.801, others: 0.2, cycle: 100e-6, times: 2).likely == 5)
    #expect(fit.notes(load: 0.05, cycle: 100e-6).likely == 0)
    // Another program at one time changes nothing; at two times it makes the interval wider.
    levels[3].seconds[0] = 400e-6
    fit = try #require(VoiceFit(levels))
    #expect(fit.notes(load: 0.801, cycle: 100e-6) == (35, 35, 35))
    levels[3].seconds[1] = 58e-6
    fit = try #require(VoiceFit(levels))
    #expect(fit.notes(load: 0.801, cycle: 100e-6) == (35, 21, 35))
    // Many notes, whose memory is in no cache, cost more each.
    let dear = try #require(VoiceFit(Self.levels([0: 0, 1: 1e-6, 32: 32e-6, 64: 128e-6])))
    #expect(dear.notes(load: 0.2, cycle: 100e-6).likely == 20)
    #expect(dear.notes(load: 0.801, cycle: 100e-6).likely == 48)
    // Nothing can be told of notes that cost no more than none.
    #expect(VoiceFit(Self.levels([0: 1e-6])) == nil)
    #expect(VoiceFit(Self.levels([0: 1e-6, 64: 1e-6])) == nil)
  }

  private func save(_ instruments: String, score: String) throws -> Orchestra {
    try ("gkcount init 0\n" + instruments).csd(score: score, ksmps: 32).save(to: path)
    return Orchestra(path: path)
  }

  private func take(_ orchestra: Orchestra, _ name: String, _ task: VoicesJob.Task) throws
    -> VoicesTake
  {
    try pool.run([VoicesJob(orchestra: orchestra, instrument: name, task: task)])[0].reply(of: "it")
  }

  @Test("The score's notes are found with their p-fields, and played without its other notes")
  func notes() throws {
    let orchestra = try save(
      """
      opcode Half, a, a
        ain xin
        xout ain / 2
      endop
      instr Pluck
        Sname strget p5
        a1 Half oscili:a(0.01, p4)
        out a1
      endin
      instr 2
        prints "%n"
        event_i "e", 0
      endin
      """,
      score: """
        i "Pluck" 0 0.1 440 "one two"
        i "Pluck" 0 0.1 440 "one two"
        i "Pluck" 0.05 0.1 220 "other"
        i 2 0.3 1
        """)
    let heard = try take(orchestra, "Pluck", .listen(seconds: 10))
    #expect(heard.notes == ["440.0 \"one two\"", "220.0 \"other\""])
    #expect(heard.fields == 5 && heard.soundSeconds < 0.4)
    // Instrument 2 would end the piece after 0.3 s.
    let played = try take(
      orchestra, "Pluck",
      .play(notes: heard.notes, counts: [1, 2, 4], seconds: 0.2))
    #expect(played.levels.map(\.active) == Array([0, 1, 2, 4].prefix(played.levels.count)))
    #expect(played.levels.count > 1 && played.levels.allSatisfy { $0.cycles > 0 })
    #expect(played.noteErrors.isEmpty)
  }

  @Test("A thousand notes may begin in one k-cycle")
  func many() throws {
    let orchestra = try save("instr 1\nkx = p4\nendin", score: "i 1 0 0.1 1")
    let played = try take(
      orchestra, "1", .play(notes: ["0.25 0.5"], counts: [1, 1000], seconds: 0.01))
    #expect(played.levels.first?.notes == 0 && played.noteErrors.isEmpty)
  }

  @Test(
    "An instrument that is unknown, ends itself, fails, lacks p-fields, or plays fewer notes is refused"
  )
  func refused() throws {
    let orchestra = try save(
      """
      instr 1, Pluck
        out oscili:a(0.01, 220)
      endin
      instr Short
        turnoff
      endin
      instr Failing
        a1 oscili 0.01, 220, 77
        out a1
      endin
      instr Needy
        out oscili:a(0.01, p4)
      endin
      maxalloc "Few", 1
      instr Few
        out oscili:a(0.01, 220)
      endin
      instr Mono
        if active:i("Mono") > 1 then
          turnoff
        endif
        out oscili:a(0.01, 220)
      endin
      """, score: "i 1 0 0.1")
    func failure(_ name: String) -> String {
      do throws(Failure) {
        _ = try Profiler(pool: pool).voices(
          of: name, in: orchestra, ksmps: [32], loads: [0.5], limit: 1
        ) { _ in }
        return "none"
      } catch { return "\(error.kind) \(error.message)" }
    }
    for (name, words) in [
      ("Plukc", "is called 'Plukc'; did you mean Pluck?"), ("Short", "goes on: it ends itself."),
      ("Failing", "goes on: "), ("Needy", "'Needy' uses p4 to p4, and the first"),
      ("Few", "not all go on: "), ("Mono", "not all go on: the piece lets 1 "),
    ] {
      let message = failure(name)
      #expect(message.hasPrefix("badInput") && message.contains(words), "\(name): \(message)")
    }
  }

  @Test("A machine's speed is compared by each kind of opcode; a damaged file is refused")
  func machines() throws {
    func save(_ speed: String) throws -> String {
      try speed.save(to: directory + "/machine.json")
      return directory + "/machine.json"
    }
    func speed(_ factor: Double) -> String {
      let names = ["control", "delay", "filters", "functions", "oscillators"]
      let values = names.enumerated().map { #""\#($1)": \#(factor * Double($0 + 1))"# }
      return
        #"{"machine": "A", "csound": "6.18", "nanoseconds": {\#(values.joined(separator: ","))}}"#
    }
    let here = try MachineSpeed.read(from: save(speed(2)))
    var there = try MachineSpeed.read(from: save(speed(6)))
    #expect(abs(there.factor(from: here).value - 3) < 1e-9)
    there.nanoseconds["delay"]! *= 2
    let factor = there.factor(from: here)
    #expect(factor.value > 3.4 && factor.value < 3.5 && abs(factor.high - 6) < 1e-9)
    #expect(abs(factor.low - 3) < 1e-9)
    for damaged in ["{", "{}", speed(0), speed(1).replacing("delay", with: "else")] {
      #expect(throws: Failure.self, "\(damaged)") { try MachineSpeed.read(from: save(damaged)) }
    }
  }
}
