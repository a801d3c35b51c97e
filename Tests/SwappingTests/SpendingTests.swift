import Foundation
import Profiling
import Rendering
import Swapping
import TestSupport
import Testing

@Suite("What pieces spend their time on", .serialized)
struct SpendingTests {
  @Test("Opcodes of many pieces are summed up; pieces that fail are named, doubles left out")
  func summed() throws {
    let ladder = SurveyTests.csd(SurveyTests.ladder)
    let own = SurveyTests.csd(
      """
      opcode Softened, a, a
        asound xin
        xout tanh(asound)
      endop
      instr 1
        anoise rand 0.5, 0.3, 1
        a1 Softened anoise
        asound moogladder a1, 1000, 0.4
        out asound
      endin
      instr 2
        fprints "written.txt", "tone"
      endin
      """, score: "i1 0 0.2\ni2 0 0.1")
    let files = [
      "a.csd": ladder, "b.csd": own, "c.csd": ladder,
      "d.csd": SurveyTests.csd("instr 1\nnone\nendin"),
    ]
    try SurveyTests().withDirectory { directory in
      for (name, text) in files {
        try text.save(to: directory + "/" + name)
      }
      var spending = Spending(
        Profiler(
          pool: WorkerPool(
            executable: products + "/TestWorker", arguments: [], pinsPlugins: false,
            timeLimit: 20, jobsPerWorker: 1)))
      spending.duration = 0.2
      let all = try PieceFiles.all([directory])
      let pieces = Spending.different(all)
      #expect(all.count == 4 && pieces.map { $0.suffix(5) } == ["a.csd", "b.csd", "d.csd"])
      let found = try spending.spent(in: pieces) { _ in }
      #expect(found.map { $0.reason == nil } == [true, true, false])
      #expect(found[0].opcodes.keys.sorted() == ["moogladder", "out", "rand"])
      #expect(found[0].userOpcodes == 0 && found[1].userOpcodes > 0)
      #expect(found[1].opcodes["Softened"] == nil && found[1].opcodes["tanh"] != nil)
      for piece in found.prefix(2) {
        let sum = piece.opcodes.values.reduce(piece.engine + piece.userOpcodes, +)
        #expect(abs(sum - 1) < 1e-6 && piece.seconds > 0)
        #expect(abs(piece.soundSeconds - 0.2) < 0.01)
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: directory)
      #expect(names.sorted() == files.keys.sorted())
    }
  }

  @Test("Dear pieces count for more in the share, all pieces alike in the mean")
  func shares() throws {
    func piece(_ seconds: Double, _ opcodes: [String: Double], engine: Double) throws -> SpentPiece
    {
      let json = try JSONSerialization.data(withJSONObject: [
        "path": "", "soundSeconds": 1, "seconds": seconds, "engine": engine,
        "userOpcodes": 0, "opcodes": opcodes, "isSkipped": false,
      ])
      return try JSONDecoder().decode(SpentPiece.self, from: json)
    }
    let time = SpentTime([
      try piece(3, ["reverb": 0.5, "oscil": 0.25], engine: 0.25),
      try piece(1, ["oscil": 0.5], engine: 0.5),
    ])
    #expect(time.pieces == 2)
    #expect(time.rows.map(\.opcode) == ["oscil", "reverb"])
    #expect(time.rows.map(\.share) == [0.3125, 0.375])
    #expect(time.rows.map(\.meanShare) == [0.375, 0.25])
    #expect(time.rows.map(\.pieces) == [2, 1])
    #expect(time.engine.share == 0.3125 && time.engine.meanShare == 0.375)
    #expect(SpentTime([]).rows.isEmpty)
  }
}
