import Foundation
import OpcodeKit
import Testing

@Suite("Toolbox: filters")
struct FilterTests {
  static let cutoffs = [0.0005, 0.01, 0.1, 0.25, 0.4, 0.49]

  @Test("A one-pole lowpass has -3.01 dB at its cutoff and 1 at 0", arguments: cutoffs)
  func onePole(cutoff: Double) {
    var filter = OnePoleFilter()
    filter.tune(cutoff)
    let impulses = impulseResponse(40_000) { filter.next($0) }
    let magnitude: Double = response(impulses, at: cutoff).magnitude
    #expect(abs(magnitude - 0.5.squareRoot()) < 1e-9)
    let total: Double = impulses.reduce(0, +)
    #expect(abs(total - 1) < 1e-9)
  }

  @Test("A one-pole's limits: 0 holds, NaN counts as 0, half the sample rate and more are the most")
  func onePoleEnds() {
    var filter = OnePoleFilter()
    for cutoff in [0, -1, .nan] as [Double] {
      filter.tune(cutoff)
      #expect(filter.pole == 1)
    }
    filter.tune(0.5)
    let open = filter.pole
    filter.tune(.infinity)
    #expect(filter.pole == open)
    filter.state = .nan
    filter.settle()
    #expect(filter.state == 0)
    filter.state = 1e-31
    filter.settle()
    #expect(filter.state == 0)
  }

  @Test(
    "A state variable filter's lowpass, highpass and bandpass have a gain of Q at the cutoff",
    arguments: cutoffs, [0.5, 0.7071, 5])
  func stateVariable(cutoff: Double, q: Double) {
    var outputs = [StateVariableFilter.Output]()
    var filter = StateVariableFilter()
    filter.tune(cutoff, q: q)
    _ = impulseResponse(60_000) {
      outputs.append(filter.next($0))
      return 0
    }
    for output in outputs.prefix(1000) {
      let sum: Double = output.low + output.high + output.band / q
      let expected: Double = output.low == outputs[0].low ? 1 : 0
      #expect(abs(sum - expected) < 1e-12)
    }
    let three: [[Double]] = [outputs.map(\.low), outputs.map(\.band), outputs.map(\.high)]
    for gains in three {
      #expect(abs(response(gains, at: cutoff).magnitude / q - 1) < 1e-6)
    }
    #expect(response(outputs.map(\.notch), at: cutoff).magnitude < 1e-6)
    let total: Double = outputs.map(\.low).reduce(0, +)
    #expect(abs(total - 1) < 1e-6)
  }

  @Test("A state variable filter stays bounded while cutoff and Q jump in every sample")
  func movingStateVariable() {
    var filter = StateVariableFilter()
    var (numbers, loudest) = (Noise(seed: 3 as UInt64), 0.0)
    for _ in 0..<50_000 {
      filter.tune(numbers.nextUnit() * 0.6 - 0.05, q: 0.5 + 20 * numbers.nextUnit())
      let output = filter.next(numbers.next())
      loudest = max(loudest, abs(output.low), abs(output.band), abs(output.high))
    }
    #expect(loudest > 1 && loudest < 1000)
  }

  /// Magnitude of the analog prototype at `ratio` times its frequency, as the cookbook has it.
  private static func prototype(_ kind: Biquad.Kind, _ q: Double, _ ratio: Double) -> Double {
    func magnitude(
      _ b0: Double, _ b1: Double, _ b2: Double, _ a0: Double, _ a1: Double, _ a2: Double
    )
      -> Double
    {
      let square = ratio * ratio
      return hypot(b0 - b2 * square, b1 * ratio) / hypot(a0 - a2 * square, a1 * ratio)
    }
    switch kind {
    case .lowpass: return magnitude(1, 0, 0, 1, 1 / q, 1)
    case .highpass: return magnitude(0, 0, 1, 1, 1 / q, 1)
    case .bandpass: return magnitude(0, 1 / q, 0, 1, 1 / q, 1)
    case .notch: return magnitude(1, 0, 1, 1, 1 / q, 1)
    case .allpass: return 1
    case .peak(let gain):
      let a = pow(10, gain / 40)
      return magnitude(1, a / q, 1, 1, 1 / (a * q), 1)
    case .lowShelf(let gain):
      let a = pow(10, gain / 40)
      return a * magnitude(a, a.squareRoot() / q, 1, 1, a.squareRoot() / q, a)
    case .highShelf(let gain):
      let a = pow(10, gain / 40)
      return a * magnitude(1, a.squareRoot() / q, a, a, a.squareRoot() / q, 1)
    }
  }

  @Test(
    "A biquad's magnitude is that of its analog prototype at the warped frequency",
    arguments: [
      .lowpass, .highpass, .bandpass, .notch, .allpass, .peak(gain: 9), .peak(gain: -4),
      .lowShelf(gain: 6), .lowShelf(gain: -12), .highShelf(gain: 6), .highShelf(gain: -12),
    ] as [Biquad.Kind])
  func biquad(kind: Biquad.Kind) {
    for (frequency, q) in [(0.01, 0.7071), (0.1, 3.0), (0.35, 0.5)] {
      var filter = Biquad()
      filter.tune(kind, frequency, q: q)
      let impulses = impulseResponse(8_000) { filter.next($0) }
      for other in [0.001, 0.02, 0.1, 0.22, 0.4] {
        let ratio = tan(Double.pi * other) / tan(Double.pi * frequency)
        let expected = Self.prototype(kind, q, ratio)
        let found = response(impulses, at: other).magnitude
        #expect(abs(found - expected) < 1e-6 * (1 + expected), "\(kind) \(frequency) \(other)")
      }
    }
  }

  @Test("Allpasses are flat; the first order has -90° at its frequency", arguments: cutoffs)
  func allpass(frequency: Double) throws {
    var filter = AllpassFilter()
    filter.tune(frequency)
    let impulses = impulseResponse(40_000) { filter.next($0) }
    for other in Self.cutoffs {
      #expect(abs(response(impulses, at: other).magnitude - 1) < 1e-9)
    }
    #expect(abs(response(impulses, at: frequency).phase + Double.pi / 2) < 1e-6)
    var echo = DelayAllpass(DelayLine(memory: Buffer(count: DelayLine.memoryLength(longest: 7))))
    let echoes = impulseResponse(4000) { echo.next($0, delay: 7, gain: 0.6) }
    #expect(abs(response(echoes, at: frequency).magnitude - 1) < 1e-9)
    #expect(echoes[0] == -0.6 && abs(echoes[7] - 0.64) < 1e-15 && echoes[6] == 0)
  }

  @Test("A DC blocker takes a constant off and leaves the treble")
  func blocker() {
    var blocker = DCBlocker(pole: 0.995)
    let impulses = impulseResponse(20_000) { blocker.next($0) }
    #expect(abs(impulses.reduce(0, +)) < 1e-9)
    #expect(abs(decibels(response(impulses, at: 0.005 / (2 * .pi)).magnitude) + 3.01) < 0.03)
    #expect(abs(response(impulses, at: 0.4).magnitude - 1) < 0.004)
  }

  @Test("Smoother, ramp and envelope have their stated times, and NaN does not stay in them")
  func controls() {
    var smoother = Smoother(0, seconds: 0.01, rate: 48_000)
    for _ in 0..<480 { _ = smoother.next(1) }
    #expect(abs(smoother.value - (1 - exp(-1))) < 1e-9)
    #expect(smoother.next(.nan) == smoother.value && smoother.next(.infinity).isFinite)
    var quick = Smoother(0, seconds: 0, rate: 48_000)
    #expect(quick.next(5) == 5)

    var ramp = Ramp(1)
    ramp.go(to: 0.1, in: 3)
    let values = (0..<5).map { _ in ramp.next() }
    #expect(abs(values[0] - 0.7) < 1e-15 && abs(values[1] - 0.4) < 1e-15)
    #expect(values[2...] == [0.1, 0.1, 0.1] && !ramp.isMoving)
    ramp.go(to: .nan, in: 4)
    #expect(ramp.next() == 0.1)
    ramp.go(to: 2, in: 0)
    #expect(ramp.next() == 2)

    var follower = EnvelopeFollower(attack: 0.001, release: 0.1, rate: 48_000)
    for _ in 0..<48 { _ = follower.next(-1) }
    #expect(abs(follower.value - (1 - exp(-1))) < 1e-9)
    for _ in 0..<4800 { _ = follower.next(0) }
    #expect(abs(follower.value - (1 - exp(-1)) * exp(-1)) < 1e-9)
    _ = follower.next(.nan)
    #expect(follower.value.isFinite)
  }

  @Test("Fades: the sum or the sum of squares is 1, and they end at 0 and 1")
  func fades() {
    for position in stride(from: 0.0, through: 1, by: 0.01) {
      let (line, power) = (Fade.linear(position), Fade.equalPower(position))
      #expect(line.first + line.second == 1)
      #expect(abs(power.first * power.first + power.second * power.second - 1) < 1e-12)
    }
    #expect(Fade.linear(.nan) == (1, 0) && Fade.linear(7) == (0, 1))
    #expect(Fade.equalPower(-1).second == 0 && abs(Fade.equalPower(2).second - 1) < 1e-12)
    #expect(Fade.smooth(0) == 0 && Fade.smooth(0.5) == 0.5 && Fade.smooth(1) == 1)
  }
}
