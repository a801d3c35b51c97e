import CsoundHost
import Foundation
import TestSupport
import Testing

@Suite("Threads of -j")
struct ThreadTests {
  /// How a performance is left.
  enum End: CaseIterable {
    case beforeItsFirstNote, duringNotes, atTheEnd
  }

  private static let piece = """
    0dbfs = 1
    instr 1
      a1 oscili 0.1, 440 * p4
      out a1
    endin
    """.csd(score: "i1 0.01 0.02 1\ni1 0.01 0.02 2")

  /// The threads of this process that were begun, however indirectly, by one that had this name.
  private static func threads(named name: String) -> Int {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return tasks.count {
      (try? String(file: "/proc/self/task/\($0)/comm")) == name + "\n"
    }
  }

  @Test(
    "They end with the engine, wherever it was left, and no reset comes before their end",
    arguments: End.allCases, [2, 5])
  func end(end: End, count: Int) async throws {
    let path = try temporaryDirectory() + "/piece.csd"
    try Self.piece.save(to: path)
    let name = "j\(count)-\(end)".prefix(15).description
    let (running, left): (Int, Int) = try await withCheckedThrowingContinuation { reply in
      Thread {
        try? name.write(toFile: "/proc/thread-self/comm", atomically: false, encoding: .utf8)
        reply.resume(
          with: Result {
            let csound = try Csound()
            defer { csound.close() }
            var running = 0
            for _ in 0..<20 {
              try csound.compile(path, options: ["-j\(count)"])
              running = Self.threads(named: name)
              switch end {
              case .beforeItsFirstNote: break
              case .duringNotes: for _ in 0..<60 { _ = csound.performKsmps() }
              case .atTheEnd: while csound.performKsmps() {}
              }
              csound.reset()
            }
            // A thread is listed for a moment after its end.
            for _ in 0..<1000 where Self.threads(named: name) > 1 { usleep(1000) }
            return (running, Self.threads(named: name))
          })
      }.start()
    }
    #expect(running == count && left == 1)
  }
}
