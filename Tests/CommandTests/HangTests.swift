import Foundation
import Testing

@Suite("Pieces and plugins that hang, crash or hold on")
struct HangTests {
  func piece(_ instrument: String) throws -> String {
    let path = try temporaryDirectory() + "/piece.csd"
    try """
    <CsoundSynthesizer>
    <CsInstruments>
    0dbfs = 1
    instr 1
      \(instrument)
      out oscili:a(0.5, 440)
    endin
    </CsInstruments>
    <CsScore>
    i1 0 0.1
    </CsScore>
    </CsoundSynthesizer>
    """.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  static let endless = "while 1 == 1 do\nod"

  func render(_ path: String, _ options: String...) throws -> Ending {
    let output = try temporaryDirectory() + "/x.wav"
    return try run(
      tool, ["render", path, "-o", output] + options, environment: ["OPCODEKIT_ROOT": root])
  }

  @Test("An init pass without an end is stopped", arguments: ["render", "profile", "record"])
  func endless(command: String) throws {
    let output = command == "render" ? ["-o", try temporaryDirectory() + "/x.wav"] : []
    let ending = try run(tool, [command, piece(Self.endless), "--time-limit", "1"] + output)
    #expect(ending.exitCode == 76)
    #expect(ending.errors.contains("nothing happened for 1 s; --time-limit sets another limit."))
  }

  @Test("A plugin that does not come back from loading is stopped, one that crashes is told")
  func plugins() throws {
    let path = try piece("")
    let hanging = try FaultyPlugin.compile("broken", "hangs")
    let stopped = try render(path, "--plugin", hanging, "--time-limit", "1")
    #expect(stopped.exitCode == 76)
    #expect(stopped.errors.contains("nothing happened for 1 s"))
    let crashing = try render(path, "--plugin", FaultyPlugin.compile("broken", "crashes"))
    #expect(crashing.exitCode == 76)
    #expect(crashing.errors.contains("crashed Csound while it compiled"), "\(crashing.errors)")
    #expect(crashing.errors.contains("Aborted"))
    let exiting = try render(path, "--plugin", FaultyPlugin.compile("broken", "exits"))
    #expect(exiting.exitCode == 76)
    #expect(exiting.errors.contains("ended its process with exit code 3"), "\(exiting.errors)")
  }

  @Test("A piece that crashes Csound is told, with the library it was in")
  func crash() throws {
    let ending = try render("Benchmarks/builtins/findings/tonex-skip-crash.csd")
    #expect(ending.exitCode == 76)
    #expect(ending.errors.contains("crashed Csound while it performed in libcsound64.so"))
    #expect(ending.errors.contains("Segmentation fault"))
  }

  @Test("A pipe is no CSD", arguments: ["render", "profile", "record", "check"])
  func pipe(command: String) throws {
    let path = try temporaryDirectory() + "/pipe.csd"
    #expect(mkfifo(path, 0o600) == 0)
    let output = command == "render" ? ["-o", try temporaryDirectory() + "/x.wav"] : []
    let ending = try run(tool, [command, path] + output)
    #expect(ending.exitCode == 66)
    #expect(ending.errors.contains("is a pipe or a device; name a regular file"))
  }

  @Test("What a piece starts in the background does not hold the tool", arguments: [0, 1])
  func background(forks: Int) throws {
    let clock = ContinuousClock()
    let command = forks == 1 ? "sleep 60" : "sleep 60 &"
    let path = try piece("iresult system_i 1, \"\(command)\", \(forks)")
    var ending: Ending?
    let time = try clock.measure { ending = try render(path) }
    #expect(ending?.exitCode == 0)
    #expect(time < .seconds(30), "\(time)")
  }

  @Test("A tool that is killed takes its worker along, however soon", arguments: [0, 500_000])
  func killed(microseconds: UInt32) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: tool)
    process.arguments = [
      "render", try piece(Self.endless), "-o", try temporaryDirectory() + "/killed.wav",
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    let children = "/proc/\(process.processIdentifier)/task"
    var workers: [pid_t] = []
    while workers.isEmpty, process.isRunning {
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: children)) ?? []
      workers = threads.flatMap { thread in
        ((try? String(contentsOfFile: "\(children)/\(thread)/children", encoding: .utf8)) ?? "")
          .split(separator: " ").compactMap { pid_t($0) }
      }
    }
    let worker = try #require(workers.first)
    usleep(microseconds)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    func isAlive() -> Bool {
      let text = (try? String(contentsOfFile: "/proc/\(worker)/stat", encoding: .utf8)) ?? ""
      // A zombie process has ended.
      return !text.isEmpty && !text.contains(") Z ")
    }
    let clock = ContinuousClock()
    let start = clock.now
    while isAlive(), start.duration(to: clock.now) < .seconds(20) { usleep(50_000) }
    #expect(!isAlive())
    kill(worker, SIGKILL)
  }
}
