import Foundation
import HarnessBase
import Linting
import Rendering
import TestSupport
import Testing

@Suite("The pool's side of workers, with shell scripts as workers")
struct WorkerPoolTests {
  func pool(_ script: String, timeLimit: Double = 20) -> WorkerPool {
    WorkerPool(["/bin/sh", "-c", script], timeLimit: timeLimit)
  }

  func exitCodes(_ reports: [Report<LintReport>]) -> [Int32] {
    reports.map { if case .exited(let code) = $0 { code } else { -1 } }
  }

  @Test("Eight jobs at a time are eight, however many processors there are")
  func eight() throws {
    let directory = try temporaryDirectory()
    // Each tells how many have come by the time the first has been waiting for a while.
    let script = """
      read job; : > \(directory)/$$
      for wait in 1 2 3 4 5 6 7 8 9 10; do
        [ $(ls \(directory) | wc -l) = 8 ] || sleep 0.5
      done
      exit $(ls \(directory) | wc -l)
      """
    let jobs = Array(repeating: BuiltinsJob(), count: 8)
    let codes = exitCodes(try pool(script).run(jobs, parallel: 8))
    #expect(codes == Array(repeating: 8, count: 8))
  }

  @Test("A worker that waits for a processor, because others have it, is not silent")
  func withoutProcessor() throws {
    // 0.75 s of processor time take three times as long where two other programs have the same processor.
    let script = """
      read job; taskset -pc 0 $$ > \(try temporaryDirectory())/said
      (while :; do :; done) & one=$!; (while :; do :; done) & two=$!
      used=0; while [ $used -lt 75 ]; do
        index=0; while [ $index -lt 5000 ]; do index=$((index + 1)); done
        read -r a b c d e f g h i j k l m used rest < /proc/$$/stat
      done
      kill $one $two; exit 5
      """
    #expect(try exitCodes(pool(script, timeLimit: 1.5).run([BuiltinsJob()])) == [5])
  }

  @Test("A line of eight million bytes is read in one go")
  func longLine() throws {
    let script = "read job; head -c 8000000 /dev/zero | tr '\\0' a; echo; sleep 20"
    let start = ContinuousClock.now
    let reports = try pool(script).run([BuiltinsJob()])
    let time = start.duration(to: .now)
    guard case .failed(let failure) = reports[0] else {
      Issue.record("\(reports)")
      return
    }
    #expect(failure.kind == .internalFault)
    #expect(time < .seconds(10), "\(time)")
  }

  @Test("A worker that ends is noticed though what it started keeps its connection")
  func kept() throws {
    let start = ContinuousClock.now
    let reports = try pool("read job; sleep 60 & exit 3").run([BuiltinsJob()])
    let time = start.duration(to: .now)
    #expect(exitCodes(reports) == [3])
    #expect(time < .seconds(10), "\(time)")
  }

  @Test("Silence is waited for as long as was asked, and a sign of life starts anew")
  func silence() throws {
    let reports = try pool("read job; sleep 60", timeLimit: 0.5).run([BuiltinsJob()])
    guard case .timedOut(seconds: 0.5, lastWords: nil) = reports[0] else {
      Issue.record("\(reports)")
      return
    }
    let lively = """
      read job
      for second in 1 2 3; do sleep 1; echo '{"progress":{"_0":0}}'; done
      exit 3
      """
    #expect(try exitCodes(pool(lively, timeLimit: 2.5).run([BuiltinsJob()])) == [3])
  }

  @Test("A worker that hangs is asked where it is")
  func whereabouts() throws {
    let words = "crash\\tit performed\\t/usr/lib/libx.so+0x1f4a+0x10\\t\\n"
    let worker = "trap \"printf '\(words)'; exit 1\" VTALRM; read job; while :; do sleep 0.1; done"
    #expect(
      try pool(worker, timeLimit: 0.5).run([BuiltinsJob()])[0].failure(of: "Playing it").message
        == "Playing it was stopped: nothing happened for 0.5 s while it performed in libx.so;"
        + " --time-limit sets another limit.")
  }

  @Test("Last words tell a crash inside Csound from one of ours")
  func lastWords() throws {
    func failure(_ words: String) throws -> Failure {
      try pool("read job; printf '\(words)'; kill -SEGV $$").run([BuiltinsJob()])[0]
        .failure(of: "Playing it")
    }
    let inside = try failure("crash\\tit performed\\t/usr/lib/libx.so+0x1f4a\\n")
    #expect(inside.exitCode == 76)
    #expect(
      inside.message
        == "Playing it crashed Csound while it performed in libx.so: Segmentation fault.")
    #expect(try failure("crash\\t\\t\\n").exitCode == 70)
    let sentence = "GAIN, performance pass: index 8 is outside."
    #expect(
      try failure("crash\\tit performed\\tlibx.so\\t\(sentence)\\n").message
        == "Playing it crashed Csound while it performed in libx.so: Segmentation fault. \(sentence)"
    )
    // What anybody has printed at any time is no reason.
    #expect(
      try failure("crash\\tit performed\\tlibx.so\\tALSA lib: no card\\n").message
        == "Playing it crashed Csound while it performed in libx.so: Segmentation fault.")
    #expect(try failure("").exitCode == 76)
  }
}
