import CsoundLive
import HarnessBase
import Testing

/// Puts out what comes in, and counts its cycles; ends after `limit` of them.
private struct Echo: CycleSource {
  let ksmps: Int
  let channels = 2
  let inputChannels = 2
  let memory: UnsafeMutablePointer<Double>
  var cycles = 0
  var limit = Int.max

  init(ksmps: Int) {
    self.ksmps = ksmps
    memory = .allocate(capacity: 4 * ksmps)
    memory.initialize(repeating: .nan, count: 4 * ksmps)
  }

  var output: UnsafePointer<Double> { UnsafePointer(memory) }
  var input: UnsafeMutablePointer<Double>? { memory + 2 * ksmps }

  mutating func performCycle() -> Bool {
    guard cycles < limit else { return false }
    for index in 0..<2 * ksmps { memory[index] = memory[2 * ksmps + index] }
    cycles += 1
    return true
  }
}

@Suite("Between callbacks of any length and k-cycles")
struct AdapterTests {
  /// Sends 1, 2, 3 … through and returns what comes out.
  private func sent(_ lengths: [Int], _ echo: inout Echo, latency: Int) -> [Double] {
    var adapter = CycleAdapter(ksmps: echo.ksmps, latency: latency)
    var (next, result) = (1.0, [Double]())
    for length in lengths {
      let input = (0..<2 * length).map { next + Double($0) }
      next += Double(2 * length)
      var output = [Double](repeating: .nan, count: 2 * length)
      adapter.fill(&output, length, from: input, &echo)
      result += output
    }
    return result
  }

  private func isDelayed(_ sound: [Double], by frames: Int) -> Bool {
    sound.indices.allSatisfy { sound[$0] == ($0 < 2 * frames ? 0 : Double($0 - 2 * frames + 1)) }
  }

  @Test(
    "Input comes out after exactly the stated latency, with no less is it whole",
    arguments: [(64, 64), (256, 64), (64, 256), (100, 64), (7, 10), (1, 64), (441, 1), (480, 100)])
  func fixed(period: Int, ksmps: Int) {
    let latency = CycleAdapter.latency(ksmps: ksmps, period: period)
    let lengths = [Int](repeating: period, count: 3000 / period + 3)
    var echo = Echo(ksmps: ksmps)
    defer { echo.memory.deallocate() }
    #expect(isDelayed(sent(lengths, &echo, latency: latency), by: latency))
    guard latency > 0 else { return }
    var sooner = Echo(ksmps: ksmps)
    defer { sooner.memory.deallocate() }
    #expect(!isDelayed(sent(lengths, &sooner, latency: latency - 1), by: latency - 1))
  }

  @Test("Callbacks may differ in length from one to the next", arguments: [1, 10, 64, 100])
  func changing(ksmps: Int) {
    var generator = SeededGenerator(seed: UInt64(ksmps))
    let lengths = (0..<300).map { _ in Int.random(in: 1...300, using: &generator) }
    let latency = CycleAdapter.latency(ksmps: ksmps, period: nil)
    var echo = Echo(ksmps: ksmps)
    defer { echo.memory.deallocate() }
    #expect(isDelayed(sent(lengths, &echo, latency: latency), by: latency), "\(lengths)")
  }

  @Test("Output alone is not delayed, and performs no cycle before it is wanted")
  func output() {
    var echo = Echo(ksmps: 64)
    defer { echo.memory.deallocate() }
    echo.input?.initialize(repeating: 5, count: 128)
    var adapter = CycleAdapter(ksmps: 64, latency: 0)
    var sound = [Double](repeating: .nan, count: 2 * 65)
    adapter.fill(&sound, 64, from: nil, &echo)
    #expect(echo.cycles == 1)
    adapter.fill(&sound, 1, from: nil, &echo)
    #expect(echo.cycles == 2 && sound[0] == 5 && sound[127] == 5)
  }

  @Test("After the end comes silence")
  func end() {
    var echo = Echo(ksmps: 10)
    defer { echo.memory.deallocate() }
    echo.input?.initialize(repeating: 5, count: 20)
    echo.limit = 3
    var adapter = CycleAdapter(ksmps: 10, latency: 0)
    var sound = [Double](repeating: .nan, count: 2 * 64)
    adapter.fill(&sound, 64, from: nil, &echo)
    #expect(adapter.hasEnded)
    #expect(sound[0..<60].allSatisfy { $0 == 5 } && sound[60...].allSatisfy { $0 == 0 })
  }
}
