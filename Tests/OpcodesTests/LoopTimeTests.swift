import Foundation
import HarnessBase
import Opcodes
import TestSupport
import Testing

@Suite("LOOPTIME without Csound")
struct LoopClockTests {
  /// Runs a clock for some cycles of 64 frames towards a place that moves with the tempo.
  func run(_ clock: inout LoopClock, from frame: Int, cycles: Int, step: Double) -> Double {
    var now = frame
    for _ in 0..<cycles {
      let target = Double(now) * step
      let pace = clock.keep(
        to: target - target.rounded(.down), step: step, fadeLength: 480, frameCount: 64)
      for _ in 0..<64 { clock.advance(by: pace) }
      now += 64
    }
    let target = Double(now) * step
    let distance = target - clock.position
    return distance - distance.rounded()
  }

  @Test("From the right place it stays there")
  func inPlace() {
    var clock = LoopClock(at: 0)
    #expect(abs(run(&clock, from: 0, cycles: 100_000, step: 1e-3 / 7)) < 1e-12)
    #expect(clock.fadeFrames == 0)
  }

  @Test(
    "A place wrong by up to two steps drifts back without a second reader", arguments: [-1.9, 1.9])
  func drift(steps: Double) {
    let step = 1e-4
    var clock = LoopClock(at: steps * step - (steps * step).rounded(.down))
    let after10ms = run(&clock, from: 0, cycles: 8, step: step)
    #expect(abs(after10ms) < 0.4 * abs(steps * step))
    #expect(clock.fadeFrames == 0)
    #expect(abs(run(&clock, from: 512, cycles: 300, step: step)) < 1e-12)
  }

  @Test("A place wrong by more is corrected by a second reader, once")
  func correction() {
    let step = 1e-4
    for steps in [-2.1, 2.1] {
      var clock = LoopClock(at: 0.5)
      _ = clock.keep(to: 0.5 + steps * step, step: step, fadeLength: 480, frameCount: 64)
      #expect(clock.fadeFrames == 480)
    }
    var clock = LoopClock(at: 0.5)
    #expect(clock.keep(to: 0.1, step: step, fadeLength: 480, frameCount: 64) == step)
    #expect(clock.position == 0.1)
    #expect(clock.oldPosition == 0.5)
    #expect(clock.fadeFrames == 480)
    for _ in 0..<64 { clock.advance(by: step) }
    #expect(abs(clock.oldPosition - 0.5064) < 1e-12)
    // Not again before it is over.
    #expect(clock.keep(to: 0.9, step: step, fadeLength: 480, frameCount: 64) == step)
    #expect(clock.fadeFrames == 416)
    #expect(abs(clock.position - 0.1064) < 1e-12)
  }

  @Test("The shortest way can lead round the loop's end")
  func aroundTheEnd() {
    var clock = LoopClock(at: 0.99995)
    let pace = clock.keep(to: 0.00005, step: 1e-4, fadeLength: 100, frameCount: 1)
    #expect(clock.fadeFrames == 0)
    #expect(abs(pace - 1.01e-4) < 1e-12)
    clock.advance(by: pace)
    #expect(abs(clock.position - 0.000051) < 1e-9)
  }

  @Test("The cubic goes through its samples and is exact for a parabola")
  func cubic() {
    func parabola(_ x: Double) -> Double { 3 - 2 * x + 0.7 * x * x }
    for x in stride(from: 0.0, through: 1, by: 0.125) {
      let found = catmullRom(parabola(-1), parabola(0), parabola(1), parabola(2), at: x)
      #expect(abs(found - parabola(x)) < 1e-14)
    }
    #expect(catmullRom(9, 1, 5, -7, at: 0) == 1)
    #expect(catmullRom(9, 1, 5, -7, at: 1) == 5)
  }
}

@Suite("LOOPTIME in Csound", .serialized)
struct LoopTimeTests {
  static let sampleRate = 48_000.0
  static let sine = "gisine ftgen 1, 0, 8192, 10, 1\n"

  /// A sine loop at a frame of the performance.
  static func expected(_ frame: Int, tempo: Double = 120, beats: Double = 0.0137) -> Double {
    sin(2 * Double.pi * (Double(frame) * tempo / (60 * beats * sampleRate)))
  }

  /// How many samples sound, and how far the worst of them is from its place.
  func placing(_ samples: [Double]) -> (count: Int, worst: Double) {
    var (count, worst) = (0, 0.0)
    for (frame, sample) in samples.enumerated() where sample != 0 {
      count += 1
      worst = max(worst, abs(sample - Self.expected(frame)))
    }
    return (count, worst)
  }

  static let plain = """
    instr 1
      aloop LOOPTIME 1, 0.0137, 120
      out aloop
    endin
    """

  static func udo(_ ksmps: Int) -> String {
    """
    opcode Looped, a, i
      setksmps \(ksmps)
      itable xin
      aloop LOOPTIME itable, 0.0137, 120
      xout aloop
    endop
    instr 1
      aloop Looped 1
      out aloop
    endin
    """
  }

  @Test(
    "At every moment it is where it would be had it played since the performance began",
    arguments: [
      (plain, 1), (plain, 7), (plain, 64),
      (plain.replacing("instr 1", with: "instr 1\nsetksmps 16"), 64),
      (udo(1), 64), (udo(16), 64),
    ])
  func place(orchestra: String, ksmps: Int) throws {
    let performance = try perform(
      Self.sine + orchestra,
      score: "i1 0 0.05\ni1 0.11 0.1\ni1 0.3 0.05\ns\ni1 0.013 0.1\ns\nf0 1\ns\ni1 0.03 0.1",
      ksmps: ksmps)
    let (count, worst) = placing(performance.channels[0])
    #expect(abs(Double(count) - 0.4 * Self.sampleRate) < 400)
    #expect(worst < 1e-9)
  }

  @Test("So too a note that starts and ends inside a block", arguments: [7, 64, 1000])
  func sampleAccurate(ksmps: Int) throws {
    let performance = try perform(
      Self.sine + Self.plain,
      score: "i1 [1001/48000] [700/48000]\ni1 [5003/48000] [1234/48000]\nf0 0.2",
      ksmps: ksmps, options: ["--sample-accurate"])
    let samples = performance.channels[0]
    let (count, worst) = placing(samples)
    #expect(abs(count - 1934) <= 2)
    #expect(samples.firstIndex { $0 != 0 } == 1001)
    #expect(worst < 1e-9)
  }

  @Test("After a reinit it goes on where it was", arguments: [1, 7, 64])
  func reinit(ksmps: Int) throws {
    let performance = try performNote(
      """
      ktick metro 50
      if ktick == 1 then
        reinit again
      endif
      again:
      aloop LOOPTIME 1, 0.0137, 120
      rireturn
      """, heard: "aloop", note: "0.3", header: Self.sine, ksmps: ksmps)
    let (count, worst) = placing(performance.channels[0])
    #expect(count > 14_000)
    #expect(worst < 1e-9)
  }

  @Test("Two loops of one tempo null, whenever they start")
  func inStep() throws {
    let performance = try perform(
      Self.sine + """
        instr 1
          ktempo = timeinsts() + p2 < 0.5 ? 120 : 120.0001
          aloop LOOPTIME 1, 0.0137, ktempo
          outch p4, aloop
        endin
        """, score: "i1 0 2 1\ni1 0.7 1.3 2", channels: 2)
    let start = Int(1.5 * Self.sampleRate)
    let difference = largestDifference(
      performance.channels[0][start...], performance.channels[1][start...])
    #expect(performance.channels[1][start...].contains { $0 > 0.9 })
    #expect(difference < 1e-9)
  }

  @Test(
    "A jump of tempo makes no click, and 10 ms later the place is right",
    arguments: [1, 7, 64, 1000])
  func jump(ksmps: Int) throws {
    let performance = try performNote(
      """
      ktempo = timeinsts() < 0.5 ? 120 : 150
      aloop LOOPTIME 1, 0.0137, ktempo
      """, heard: "aloop", note: "1", header: Self.sine, ksmps: ksmps)
    let samples = performance.channels[0]
    let slope = 2 * Double.pi * 150 / (60 * 0.0137 * Self.sampleRate)
    let largestStep = steepest(samples)
    #expect(largestStep < slope + 2.0 / 480)
    #expect(largestStep > slope * 0.9)
    let settled = 24_000 + 480 + ksmps
    var worst = 0.0
    for frame in settled..<samples.count {
      worst = max(worst, abs(samples[frame] - Self.expected(frame, tempo: 150)))
    }
    #expect(worst < 1e-9)
  }

  @Test(
    "While the tempo glides the place is wrong by no more than two steps and what 10 ms bring",
    arguments: [0.2, 10, -30])
  func ramp(change: Double) throws {
    let performance = try performNote(
      """
      ktempo = 120 + \(change) * timeinsts()
      aloop LOOPTIME 1, 0.0137, ktempo
      """, heard: "aloop", note: "2", header: Self.sine, ksmps: 1)
    var worst = 0.0
    for (frame, sample) in performance.channels[0].enumerated() {
      // At ksmps 1 timeinsts is 1 in the first sample.
      let tempo = 120 + change * Double(frame + 1) / Self.sampleRate
      let error = abs(sample - Self.expected(frame, tempo: tempo))
      let mismatch = abs(change) * Double(frame) / Self.sampleRate / tempo
      let steps = 2 + mismatch * 482
      let step = 2 * Double.pi * tempo / (60 * 0.0137 * Self.sampleRate)
      worst = max(worst, error / (steps * step))
    }
    #expect(worst < 1.01)
    #expect(worst > 0.1)
  }

  @Test(
    "Where there is no tempo the loop fades out, and then in again at the right place",
    arguments: [
      "120, 0.0137, 0", "120, 0.0137, -120", "120, 0.0137, sqrt(kzero - 1)",
      "120, 0.0137, 1 / kzero",
      "120, 0.0137, 1e12", "120, 0, 120", "120, -0.0137, 120", "120, 1 / kzero, 120",
      "120, sqrt(kzero - 1), 120", "120, 1 / kzero, 1 / kzero",
    ])
  func standstill(arguments: String) throws {
    let parts = arguments.split(separator: ",", maxSplits: 2)
    let performance = try performNote(
      """
      kzero init 0
      kstands = timeinsts() >= 0.1 && timeinsts() < 0.2 ? 1 : 0
      kbeats = kstands == 1 ? \(parts[1]) : 0.0137
      ktempo = kstands == 1 ? \(parts[2]) : (timeinsts() < 0.1 ? 120 : 150)
      aloop LOOPTIME 1, kbeats, ktempo
      """, heard: "aloop", note: "0.3", header: Self.sine)
    let samples = performance.channels[0]
    let slope = 2 * Double.pi * 150 / (60 * 0.0137 * Self.sampleRate)
    let largestStep = steepest(samples)
    #expect(largestStep < slope + 1.0 / 480)
    #expect(samples[(4800 + 480 + 64)..<(9600 - 64)].allSatisfy { $0 == 0 })
    // The first sample of the fade in is 0, the one after it is not.
    let again = try #require(samples[9000...].firstIndex { $0 != 0 }) - 1
    #expect(abs(again - 9600) < 64)
    var worst = 0.0
    for frame in 0..<4700 { worst = max(worst, abs(samples[frame] - Self.expected(frame))) }
    for frame in again..<samples.count {
      let gain = min(1, Double(frame - again) / 480)
      worst = max(worst, abs(samples[frame] - gain * Self.expected(frame, tempo: 150)))
    }
    #expect(worst < 1e-9)
  }

  @Test("A note that begins without a tempo fades in when it gets one")
  func waiting() throws {
    let performance = try performNote(
      """
      ktempo = timeinsts() < 0.1 ? 0 : 120
      aloop LOOPTIME 1, 0.0137, ktempo
      """, heard: "aloop", note: "0.2", header: Self.sine)
    let samples = performance.channels[0]
    #expect(samples[..<4700].allSatisfy { $0 == 0 })
    let largestStep = steepest(samples)
    #expect(largestStep < 0.02 + 1.0 / 480)
    #expect(abs(samples[9000] - Self.expected(9000)) < 1e-9)
  }

  /// A sound file of a sine.
  func soundFile(channels: Int, frames: Int) throws -> String {
    let path = try temporaryDirectory() + "/sine.wav"
    let sine = (0..<frames).flatMap { frame in
      Array(repeating: sin(2 * Double.pi * Double(frame) / Double(frames)), count: channels)
    }
    try Sound(sampleRate: 48_000, channelCount: channels, samples: sine).write(to: path)
    return path
  }

  @Test("It plays a sound file of one channel, of any length, and its end meets its beginning")
  func monoFile() throws {
    let path = try soundFile(channels: 1, frames: 1001)
    let performance = try perform(
      "gifile ftgen 1, 0, 0, 1, \"\(path)\", 0, 0, 0\n" + Self.plain, score: "i1 0 0.3")
    var worst = 0.0
    for (frame, sample) in performance.channels[0].enumerated() {
      worst = max(worst, abs(sample - Self.expected(frame)))
    }
    #expect(worst < 1e-4)
  }

  @Test("A file of two channels is an init error, one of its channels is not")
  func stereoFile() throws {
    let path = try soundFile(channels: 2, frames: 1000)
    let both = try perform(
      "gifile ftgen 1, 0, 0, 1, \"\(path)\", 0, 0, 0\n" + Self.plain, score: "i1 0 0.1")
    #expect(both.said("LOOPTIME: the table has more than one channel; load one of them."))
    #expect(both.channels[0].allSatisfy { $0 == 0 })
    let one = try perform(
      "gifile ftgen 1, 0, 0, 1, \"\(path)\", 0, 0, 2\n" + Self.plain, score: "i1 0 0.1")
    #expect(!one.said("LOOPTIME"))
    #expect(one.channels[0].max()! > 0.9)
  }

  @Test("A table of another length can take its place", arguments: [-3000, 512, 65_536])
  func replaced(length: Int) throws {
    let performance = try perform(
      Self.sine + Self.plain, score: "i1 0 0.3\nf1 0.1 \(length) 10 1")
    let (count, worst) = placing(performance.channels[0])
    #expect(count > 14_000)
    #expect(worst < 1e-5)
  }

  @Test("Tables of one, two and three samples", arguments: [1, 2, 3])
  func shortTables(length: Int) throws {
    let performance = try perform(
      "gishort ftgen 1, 0, -\(length), -2, 0.5, -0.25, 0.125\n" + Self.plain, score: "i1 0 0.1")
    let samples = performance.channels[0]
    #expect(!performance.said("LOOPTIME"))
    #expect(samples.allSatisfy { abs($0) < 0.7 })
    #expect(samples[0] == 0.5)
    if length == 1 { #expect(samples.prefix(4800).allSatisfy { $0 == 0.5 }) }
  }
}
