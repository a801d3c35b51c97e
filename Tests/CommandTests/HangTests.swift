import Foundation
import Testing

@Suite("Pieces and plugins that hang, crash or hold on")
struct HangTests {
  func piece(_ instrument: String) throws -> String {
    try """
    0dbfs = 1
    instr 1
      \(instrument)
      out oscili:a(0.5, 440)
    endin
    """.csd(score: "i1 0 0.1").saved()
  }

  static let endless = "while 1 == 1 do\nod"

  func render(_ path: String, _ options: String...) throws -> Ending {
    let output = try temporaryDirectory() + "/x.wav"
    return try opcodekit(["render", path, "-o", output] + options)
  }

  @Test("An init pass without an end is stopped", arguments: ["render", "profile", "record"])
  func endless(command: String) throws {
    let output = command == "render" ? ["-o", try temporaryDirectory() + "/x.wav"] : []
    try run(tool, [command, piece(Self.endless), "--time-limit", "1"] + output).refused(
      76, "nothing happened for 1 s while it performed in libcsound64.so.",
      "; --time-limit sets another limit.")
  }

  @Test("A plugin that does not come back from loading is stopped, one that crashes is told")
  func plugins() throws {
    let path = try piece("")
    let hanging = try FaultyPlugin.compile("broken", "hangs")
    try render(path, "--plugin", hanging, "--time-limit", "1").refused(
      76, "nothing happened for 1 s")
    try render(path, "--plugin", FaultyPlugin.compile("broken", "crashes")).refused(
      76, "crashed Csound while it compiled", "Aborted")
    try render(path, "--plugin", FaultyPlugin.compile("broken", "exits")).refused(
      76, "ended its process with exit code 3")
  }

  @Test("A piece that crashes Csound is told, with the library it was in")
  func crash() throws {
    try render("Benchmarks/builtins/findings/tonex-skip-crash.csd").refused(
      76, "crashed Csound while it performed in libcsound64.so", "Segmentation fault")
  }

  @Test("A pipe is no CSD", arguments: ["render", "profile", "record", "check"])
  func pipe(command: String) throws {
    let path = try temporaryDirectory() + "/pipe.csd"
    #expect(mkfifo(path, 0o600) == 0)
    let output = command == "render" ? ["-o", try temporaryDirectory() + "/x.wav"] : []
    try run(tool, [command, path] + output).refused(
      66, "is a pipe or a device; name a regular file")
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
      let threads = (try? Files.names(in: children)) ?? []
      workers = threads.flatMap { thread in
        ((try? String(file: "\(children)/\(thread)/children")) ?? "")
          .split(separator: " ").compactMap { pid_t($0) }
      }
    }
    let worker = try #require(workers.first)
    usleep(microseconds)
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    func isAlive() -> Bool {
      let text = (try? String(file: "/proc/\(worker)/stat")) ?? ""
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
