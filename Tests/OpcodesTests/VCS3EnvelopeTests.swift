import Foundation
import HarnessBase
import Opcodes
import Testing

@Suite("VCS3ENV without Csound")
struct VCS3EnvelopeTests {
  /// A trapezoid and what it is set to; durations in samples.
  struct Player {
    var trapezoid = Trapezoid()
    var isOpen = false
    var attack = 10.0, on = 5.0, decay = 20.0, off = -1.0

    mutating func play(_ count: Int) -> [Double] {
      trapezoid.control(isOpen: isOpen, attack: attack, on: on, decay: decay, off: off)
      return (0..<count).map { _ in trapezoid.next() }
    }
  }

  /// The level at a time in samples from the start of an attack.
  static func level(at time: Double, _ attack: Double, _ on: Double, _ decay: Double) -> Double {
    time < attack
      ? time / attack
      : time <= attack + on ? 1 : max(0, 1 - (time - attack - on) / decay)
  }

  @Test("A repeating cycle has exactly its segments, from the first sample on")
  func cycle() {
    var player = Player(off: 7)
    let levels = player.play(42 * 3)
    for (frame, level) in levels.enumerated() {
      let expected = Self.level(at: Double(frame % 42), 10, 5, 20)
      #expect(abs(level - expected) < 1e-12, "sample \(frame)")
    }
    #expect(levels[10...15].allSatisfy { $0 == 1 })
    #expect(levels[35...42].allSatisfy { $0 == 0 } && levels[43] > 0)
  }

  @Test("Fractions of a sample are kept: no drift in 5000 cycles")
  func drift() {
    // Eighths, so that the expected time is exact.
    let (attack, on, decay, off) = (10.375, 5.25, 20.5, 7.625)
    var player = Player(attack: attack, on: on, decay: decay, off: off)
    var worst = 0.0
    for frame in 0..<(5000 * 43) {
      let level = player.play(1)[0]
      let time = Double(frame * 8 % 350) / 8
      worst = max(worst, abs(level - Self.level(at: time, attack, on, decay)))
    }
    #expect(worst < 1e-12)
  }

  @Test("Durations that are no binary fractions drift by less than 1e-6 samples in 1000 cycles")
  func smallDrift() {
    let (attack, on, decay, off) = (480.1, 96.7, 1440.3, 100.9)
    var player = Player(attack: attack, on: on, decay: decay, off: off)
    let period = 2118.0
    let levels = player.play(Int(period) * 1000)
    let start = Int(period) * 999
    for frame in 0..<2117 {
      let expected = Self.level(at: Double(frame), attack, on, decay)
      #expect(abs(levels[start + frame] - expected) < 1e-6 / attack, "sample \(frame)")
    }
  }

  @Test("With off below 0 it waits for the gate, and again after the cycle")
  func waits() {
    var player = Player()
    #expect(player.play(100).allSatisfy { $0 == 0 })
    player.isOpen = true
    #expect(player.play(1) == [0])
    player.isOpen = false
    let levels = player.play(200)
    #expect(abs(levels[8] - 0.9) < 1e-12 && levels[9...14].allSatisfy { $0 == 1 })
    #expect(levels[34...].allSatisfy { $0 == 0 })
    player.isOpen = true
    #expect(player.play(11).last == 1)
  }

  @Test("An open gate holds the top; the on time counts from when it closes")
  func held() {
    var player = Player(isOpen: true)
    #expect(player.play(1000)[10...].allSatisfy { $0 == 1 })
    player.isOpen = false
    let levels = player.play(30)
    #expect(levels[...5].allSatisfy { $0 == 1 })
    #expect(abs(levels[6] - 0.95) < 1e-12 && levels[25] == 0)
  }

  @Test("An open gate holds a repeating cycle at the top too")
  func heldRepeating() {
    var player = Player(isOpen: true, off: 3)
    #expect(player.play(1000)[10...].allSatisfy { $0 == 1 })
  }

  @Test("A gate that closes during the attack does not shorten it")
  func shortGate() {
    var (short, long) = (Player(isOpen: true), Player(isOpen: true))
    let begun = short.play(3)
    short.isOpen = false
    let levels = begun + short.play(60)
    #expect(levels[..<10] == long.play(10)[...])
    #expect(levels[10...15].allSatisfy { $0 == 1 } && levels[16] < 1)
  }

  @Test("A gate that opens in the decay rises from there at the attack's slope")
  func retriggerInDecay() {
    var player = Player(isOpen: true)
    _ = player.play(11)
    player.isOpen = false
    let falling = player.play(5 + 10)
    player.isOpen = true
    let rising = player.play(8)
    #expect(abs(falling.last! - 0.55) < 1e-12)
    #expect(abs(rising[0] - 0.5) < 1e-12 && abs(rising[4] - 0.9) < 1e-12 && rising[5] == 1)
  }

  @Test("A gate that opens at rest in a repeating cycle does not wait for the rest to end")
  func retriggerAtRest() {
    var player = Player(off: 1000)
    _ = player.play(100)
    player.isOpen = true
    let levels = player.play(11)
    #expect(levels[0] == 0 && abs(levels[5] - 0.5) < 1e-12 && levels[10] == 1)
  }

  @Test("A gate that opens at the top starts the on time afresh")
  func retriggerAtTop() {
    var player = Player(isOpen: true, on: 50)
    _ = player.play(11)
    player.isOpen = false
    _ = player.play(40)
    player.isOpen = true
    _ = player.play(1)
    player.isOpen = false
    #expect(player.play(50).allSatisfy { $0 == 1 })
  }

  @Test("A duration that changes in a ramp changes the slope and not the level")
  func changedRamp() {
    var player = Player(isOpen: true)
    _ = player.play(5)
    player.attack = 100
    let rising = player.play(51)
    #expect(abs(rising[0] - 0.5) < 1e-12 && abs(rising[1] - 0.51) < 1e-12 && rising[50] == 1)
    player.isOpen = false
    _ = player.play(5 + 10)
    player.decay = 200
    let falling = player.play(2)
    #expect(abs(falling[0] - 0.5) < 1e-12 && abs(falling[1] - 0.495) < 1e-12)
  }

  @Test("A rest or top that is made shorter than it has lasted ends at once, without a jump")
  func shortened() {
    var player = Player(isOpen: true, on: 1e6, off: 1e6)
    _ = player.play(11)
    player.isOpen = false
    _ = player.play(100)
    player.on = 50
    let falling = player.play(20 + 100)
    #expect(falling[0] == 1 && abs(falling[1] - 0.95) < 1e-12 && falling[20] == 0)
    player.off = 50
    let rising = player.play(2)
    #expect(rising[0] == 0 && abs(rising[1] - 0.1) < 1e-12)
  }

  @Test("An off time turned up from negative ends the waiting", arguments: [0, 3, 20])
  func offTurnedUp(off: Double) {
    var player = Player()
    _ = player.play(1000)
    player.off = off
    let levels = player.play(2)
    #expect(levels[0] == 0 && abs(levels[1] - 0.1) < 1e-12)
  }

  @Test(
    "Durations of 0, negative or NaN jump, at the exact sample",
    arguments: [0, -1, -Double.infinity, .nan])
  func noDuration(duration: Double) {
    var player = Player(isOpen: true, attack: duration, on: duration, decay: duration)
    #expect(player.play(3) == [1, 1, 1])
    player.isOpen = false
    #expect(player.play(3) == [0, 0, 0])
  }

  @Test("NaN as off time waits", arguments: [Double.nan, -.infinity])
  func offNotANumber(off: Double) {
    var player = Player(off: off)
    #expect(player.play(100).allSatisfy { $0 == 0 })
  }

  @Test("A cycle of no length, or shorter than a sample, stays within 0 and 1")
  func noCycle() {
    for length in [0, 0.01, 0.2, 0.9] {
      var player = Player(attack: length, on: length, decay: length, off: length)
      #expect(player.play(1000).allSatisfy { $0 >= 0 && $0 <= 1 })
      (player.attack, player.on, player.decay, player.off) = (10, 5, 20, -1)
      #expect(player.play(1000).last == 0)
    }
  }

  @Test("Infinite durations hold")
  func infinite() {
    var player = Player(isOpen: true, attack: .infinity)
    #expect(player.play(1000).allSatisfy { $0 < 1e-9 })
    player.attack = 10
    #expect(abs(player.play(2)[1] - 0.1) < 1e-9)
  }

  @Test("Whatever gate and durations do, no step is larger than the steeper slope")
  func noClicks() {
    let seed = UInt64.random(in: 0 ... .max)
    var generator = SeededGenerator(seed: seed)
    func random(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
    var player = Player()
    var last = 0.0
    var (lowest, highest) = (1.0, 0.0)
    for _ in 0..<20_000 {
      player.isOpen = random(0...1) < 0.4
      // The step into a block still has the old slopes.
      var steepest = max(1 / player.attack, 1 / player.decay)
      if random(0...1) < 0.5 {
        (player.attack, player.on) = (random(2...300), random(-10...100))
        (player.decay, player.off) = (random(2...300), random(-20...50))
      }
      steepest = max(steepest, 1 / player.attack, 1 / player.decay)
      for level in player.play(Int(random(1...100))) {
        #expect(abs(level - last) <= steepest + 1e-9, "seed \(seed)")
        last = level
        (lowest, highest) = (min(lowest, level), max(highest, level))
      }
    }
    #expect(lowest == 0 && highest == 1)
  }

  @Test("The gain is (1000^x - 1) / 999 to 1e-11, 0 at 0 and 1 at 1")
  func gain() throws {
    let range = try pageFigures("VCS3/VCS3Envelope.swift", "the amplifier's gain: 60 dB in all")
    #expect(pow(10, range[0] / 20) == 1000)
    #expect(trapezoidGain(0) == 0 && trapezoidGain(1) == 1)
    var last = 0.0
    for step in 1...10_000 {
      let level = Double(step) / 10_000
      let found = trapezoidGain(level)
      #expect(abs(found / (expm1(level * log(1000)) / 999) - 1) < 1e-11)
      #expect(found > last)
      last = found
    }
  }
}
