import CsoundHost
import CsoundLive
import Foundation
import Synchronization
import TestSupport

/// What has come out of the device so far, compared with an offline render frame by frame.
private final class Comparison: Sendable {
  let frames = Atomic<Int>(0)
  let wrong = Atomic<Int>(0)
  let hasEnded = Atomic<Bool>(false)

  /// Reads what the rig writes to a FIFO, to its end.
  func run(_ fifo: String, beside csd: String) {
    defer { hasEnded.store(true, ordering: .releasing) }
    FloatMode.current = .csound
    guard let csound = try? Csound(), (try? csound.compile(csd)) != nil,
      let file = fopen(fifo, "rb")
    else { return print("there is nothing to compare with") }
    defer { fclose(file) }
    var block = [Float](repeating: 0, count: 4096)
    var expected: [Float] = []
    var next = 0
    while true {
      let count = fread(&block, 4, block.count, file)
      guard count > 0 else { return }
      var wrongHere = 0
      for index in 0..<count {
        if next == expected.count {
          // Behind the end there is silence.
          let goesOn = csound.performKsmps()
          expected = goesOn ? csound.output.map { Float($0) } : [0]
          next = 0
        }
        if block[index] != expected[next] { wrongHere += 1 }
        next += 1
      }
      wrong.wrappingAdd(wrongHere, ordering: .relaxed)
      frames.wrappingAdd(count, ordering: .releasing)
    }
  }
}

private func residentKilobytes() -> Int {
  let text = (try? String(file: "/proc/self/statm")) ?? ""
  return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * 4
}

/// Plays for so long on the rig at a multiple of its speed, and prints what became of it.
func printLongRun(seconds: Double, ksmps: Int, period: Int, speed: Double) {
  let (fifo, csd) = (Rig.fifo(), Rig.file() + ".csd")
  let text = """
    instr 1
      a1 phasor 1/61
      a2 rand 0.25, 0.5
      out a1/2 + a2
    endin
    """.csd(score: "i 1 0 \(seconds)", ksmps: ksmps)
  try? text.save(to: csd)
  let comparison = Comparison()
  Thread { comparison.run(fifo, beside: csd) }.start()
  let performance = Performance(
    Piece(.file(csd)),
    settings: Settings(
      device: .init(Rig.name(["FILE=\(fifo)", "SPEED=\(speed)"])), period: period))
  do {
    try performance.play()
  } catch { return print(error.message) }
  var (first, last) = (0, 0)
  var (memory, memoryAtEnd) = (0, 0)
  while !performance.wait(atMost: 0.005) {
    guard let status = performance.status else { continue }
    let read = comparison.frames.load(ordering: .acquiring)
    let delay = Int((status.seconds * 48_000).rounded()) - read
    let part = status.seconds / seconds
    if part < 0.1 {
      first = max(first, delay)
      memory = residentKilobytes()
    } else if part > 0.9 {
      last = max(last, delay)
      memoryAtEnd = max(memoryAtEnd, residentKilobytes())
    }
  }
  while !comparison.hasEnded.load(ordering: .acquiring) { usleep(1000) }
  let frames = comparison.frames.load(ordering: .acquiring)
  print(
    "Csound \(Csound.version), ksmps \(ksmps), period \(period): \(frames) frames of"
      + " \(Int(seconds * 48_000)),"
      + " \(comparison.wrong.load(ordering: .relaxed)) differ,"
      + " \(performance.status?.xruns ?? 0) xruns; written before they were read at most \(first) frames in the"
      + " first tenth and \(last) in the last; memory \(memory) kB and \(memoryAtEnd) kB")
}
