import Foundation
import Profiling
import Testing

@Suite(
  "profile --counts", .serialized,
  .disabled(if: hasSanitizer, "valgrind and sanitizers exclude each other"),
  .enabled(if: SpeedTests.hasValgrind, "valgrind is not installed"))
struct ProfileCountTests {
  /// The fields of the JSON that the tests use.
  struct Counts: Decodable, Equatable {
    var instructions, engine, cycles: Int
    var accounted: Double
    var isBitIdentical: Bool
    var lines, opcodes, instruments: [CountedProfile.Row]
    var calls: [CountedProfile.Call]

    /// The row of the first line that has this text.
    func line(_ text: String) throws -> CountedProfile.Row {
      try #require(lines.first { $0.text == text }, "no row for '\(text)'")
    }
  }

  /// `Nest N` takes twice as many steps as `Work N`. There is also recursion, and an init pass during performance.
  static func piece(_ body: String) -> String {
    """
    opcode Work, 0, i
      icount xin
      kstep = 0
      while kstep < icount do
        kstep += 1
      od
    endop
    opcode Nest, 0, i
      icount xin
      Work icount ; the first
      Work icount ; the second
    endop
    opcode Deep, a, ai
      ain, ilevel xin
      setksmps 16
      if ilevel > 1 then
        ain Deep ain, ilevel - 1
      endif
      xout ain * 0.5
    endop
    instr 1
      \(body)
    endin
    """.csd(score: "i1 0 0.04\ni1 0.02 0.02", ksmps: 64, options: "-j2")
  }

  /// The k-cycles of both notes.
  static let passes = 30 + 15

  func count(_ body: String, environment: [String: String] = [:]) throws -> Counts {
    let directory = try temporaryDirectory()
    try Self.piece(body).save(to: directory + "/piece.csd")
    try run(
      tool, ["profile", "piece.csd", "--counts", "--json", "counts.json", "--folded", "folded"],
      environment: environment, directory: directory
    ).good().tells("by one thread, without its -j2")
    let counts = try JSONDecoder().decode(Counts.self, file: directory + "/counts.json")
    // No statement runs before the first k-cycle, so the sum is exact.
    let sum = counts.calls.reduce(counts.engine) { $0 + $1.own + $1.initOwn }
    #expect(sum == counts.instructions && counts.accounted == 1)
    let stacks = try String(file: directory + "/folded")
      .split(separator: "\n").reduce(0) { $0 + (Int($1.split(separator: " ").last!) ?? 0) }
    #expect(stacks == counts.instructions)
    #expect(counts.isBitIdentical)
    return counts
  }

  @Test("Ten times the steps are ten times the instructions; what is called is in the total, once")
  func proportion() throws {
    let counts = try count("Work 100\nWork 1000\nNest 100\nout Deep:a(oscili:a(0.1, 440), 3)")
    /// The rows of this opcode called by the statements of a line, at any depth.
    func called(_ line: Int?, _ opcode: String) -> [CountedProfile.Call] {
      counts.calls.filter { call in
        var caller = call.caller
        while let index = caller, counts.calls[index].caller != nil {
          caller = counts.calls[index].caller
        }
        return call.opcode == opcode && caller.map { counts.calls[$0].line } == line
      }
    }
    let small = try counts.line("Work 100"), large = try counts.line("Work 1000")
    let nest = try counts.line("Nest 100")
    for opcode in ["+", "kgoto"] {
      let sums = [small, large, nest].map { row in
        called(row.line, opcode).reduce((passes: 0, own: 0)) {
          ($0.passes + $1.passes, $0.own + $1.own)
        }
      }
      #expect(sums.map(\.passes) == [100, 1000, 200].map { $0 * Self.passes })
      #expect(sums[0].own > 0 && sums[1].own == 10 * sums[0].own && sums[2].own == 2 * sums[0].own)
    }
    let first = try counts.line("Work icount ; the first")
    let second = try counts.line("Work icount ; the second")
    #expect(first.own == second.own && first.total > first.own)
    // The same work, called from another line: the calls differ by a few instructions in each pass.
    #expect(abs(first.own - small.own) <= 20 * Self.passes)
    #expect(nest.total == nest.own + nest.initOwn + first.total + second.total + xin(counts, nest))
    for (index, call) in counts.calls.enumerated() {
      let below = counts.calls.filter { $0.caller == index }
      #expect(call.total == below.reduce(call.own) { $0 + $1.total })
      #expect(call.initTotal == below.reduce(call.initOwn) { $0 + $1.initTotal })
    }
    let inner = counts.instruments.first { $0.name == "opcode Deep" }
    #expect(inner.map { $0.passes > 0 && $0.total == $0.own + $0.initOwn } == true)
  }

  /// The instructions of the init passes of `xin` that a line calls directly.
  private func xin(_ counts: Counts, _ row: CountedProfile.Row) -> Int {
    counts.calls.filter { call in
      call.opcode == "xin" && call.caller.map { counts.calls[$0].line } == row.line
    }.reduce(0) { $0 + $1.total + $1.initTotal }
  }

  @Test("A second run counts the same; one more step shows on its line and nowhere else")
  func extra() throws {
    let body = "Work 100\nNest 10\nout oscili:a(0.1, 440)"
    let counts = try count(body)
    #expect(try count(body, environment: ["NOISE": String(repeating: "x", count: 999)]) == counts)
    let more = try count(body.replacing("Work 100", with: "Work 101"))
    let much = try count(body.replacing("Work 100", with: "Work 200"))
    let step = try more.line("Work 101").total - counts.line("Work 100").total
    #expect(step >= 4 * 6 * Self.passes)
    #expect(try much.line("Work 200").total - counts.line("Work 100").total == 100 * step)
    #expect(try more.line("Nest 10") == counts.line("Nest 10"))
    #expect(more.engine == counts.engine)
    #expect(more.instructions - counts.instructions == step)
  }
}
