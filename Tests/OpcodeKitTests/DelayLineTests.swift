import Foundation
import OpcodeKit
import Testing

/// The sample `delay` samples before frame `frame` of a signal that was silent before, by a tap.
private func delayed(_ signal: [Double], _ frame: Int, by delay: Double) -> Double {
  let tap = DelayTap(delay: delay)
  func sample(_ number: Int) -> Double {
    let place = frame - tap.age - number
    return place >= 0 ? signal[place] : 0
  }
  return tap.value(sample(0), sample(1), sample(2), sample(3))
}

extension DelayTap {
  /// How much of each of the four samples it takes, newest first.
  fileprivate var weights: [Double] {
    [value(1, 0, 0, 0), value(0, 1, 0, 0), value(0, 0, 1, 0), value(0, 0, 0, 1)]
  }
}

@Suite("Toolbox: delay lines")
struct DelayLineTests {
  static let delays = (0..<4000).map { Double($0) * 0.001_234_5 }

  @Test("A constant passes unchanged at any delay")
  func constant() {
    for delay in Self.delays {
      let w = DelayTap(delay: delay).weights
      #expect(abs(w[0] + w[1] + w[2] + w[3] - 1) < 1e-15)
    }
  }

  @Test("A whole number of samples picks one sample and nothing else")
  func wholeNumbers() {
    let signal = (0..<40).map { sin(Double($0)) }
    for delay in 0..<20 { #expect(delayed(signal, 30, by: Double(delay)) == signal[30 - delay]) }
  }

  @Test("From one sample up a cubic is delayed exactly, below it a straight line")
  func polynomials() {
    func cubic(_ t: Double) -> Double { ((0.3 * t - 0.7) * t + 0.2) * t - 1.1 }
    let curve = (0..<40).map { cubic(Double($0) / 10) }
    let line = (0..<40).map { 3 - 0.25 * Double($0) }
    for delay in Self.delays {
      if delay >= 1 {
        #expect(abs(delayed(curve, 30, by: delay) - cubic((30 - delay) / 10)) < 1e-13)
      }
      #expect(abs(delayed(line, 30, by: delay) - (3 - 0.25 * (30 - delay))) < 1e-13)
    }
  }

  @Test("At one sample, and at every whole number, nothing jumps")
  func continuity() {
    let signal = (0..<40).map { sin(Double($0) * 2.9) }
    for whole in 1..<10 {
      let below = delayed(signal, 30, by: Double(whole) - 1e-9)
      let above = delayed(signal, 30, by: Double(whole) + 1e-9)
      #expect(abs(below - above) < 1e-7)
    }
  }

  @Test("No frequency comes out louder, so that an echo's feedback stays stable")
  func passive() {
    for delay in Self.delays {
      let weights = DelayTap(delay: delay).weights
      for step in 0...64 {
        #expect(response(weights, at: Double(step) / 128).magnitude < 1 + 1e-12)
      }
    }
  }

  @Test("A sine of a twelfth of the sample rate is delayed to 60 dB")
  func sine() {
    let angle = 2 * Double.pi / 12
    let signal = (0..<60).map { sin(angle * Double($0)) }
    for delay in Self.delays where delay >= 1 {
      #expect(abs(delayed(signal, 50, by: delay) - sin(angle * (50 - delay))) < 2.5e-3)
    }
  }

  /// A line for delays up to `longest` with a signal in it.
  private func line(_ signal: [Double], longest: Double) -> DelayLine {
    var line = DelayLine(memory: Buffer(count: DelayLine.memoryLength(longest: longest)))
    for sample in signal { line.push(sample) }
    return line
  }

  @Test("Each way of reading gives the signal of so long ago, wherever the ring begins")
  func reading() {
    func sample(_ time: Double) -> Double { sin(time * 0.05) }
    for count in 60..<120 {
      let line = line((0..<count).map { sample(Double($0)) }, longest: 23.5)
      #expect(line.longest == 24)
      let now = Double(count - 1)
      for age in 0...24 { #expect(line[age] == sample(now - Double(age))) }
      for delay in stride(from: 0.0, through: 24, by: 0.37) {
        let expected = sample(now - delay)
        #expect(abs(line.linear(at: delay) - expected) < 4e-4)
        #expect(abs(line.cubic(at: delay) - expected) < (delay < 1 ? 4e-4 : 1e-6))
        #expect(abs(line.smooth(at: delay) - expected) < (delay < 1 ? 4e-4 : 1e-5))
      }
    }
  }

  @Test("Four frames at once are the four frames one by one", arguments: [0, 1, 2, 3, 5, 20])
  func four(delay: Int) {
    var (one, all) = (line([], longest: 24), line([], longest: 24))
    for block in 0..<40 {
      let samples = Quad(values: SIMD4((0..<4).map { sin(Double(4 * block + $0) * 0.7) }))
      let delays = Quad(values: SIMD4(0.1, 0.9, 1.4, 3.3)) + Quad(Double(delay))
      all.push(samples)
      let (moving, tap) = (all.cubics(at: delays), DelayTap(delay: Double(delay) + 0.3))
      let steady = tap.isCubic ? all.cubics(at: tap) : Quad(0)
      for place in 0..<4 {
        one.push(samples[place])
        #expect(abs(moving[place] - one.cubic(at: delays[place])) < 1e-14)
        if tap.isCubic { #expect(abs(steady[place] - one.cubic(at: tap)) < 1e-14) }
      }
    }
  }

  @Test("A delay is limited to what the line has; NaN is no delay")
  func limits() {
    let line = line([1, 2, 3], longest: 10)
    #expect(line.limited(.nan) == 0 && line.limited(-3) == 0 && line.limited(1e9) == 10)
    #expect(line.limited(4.5) == 4.5)
    var other = line
    other.clear()
    #expect((0...10).allSatisfy { other[$0] == 0 })
  }

  @Test(
    "An allpass tap is flat, and delays low frequencies exactly",
    arguments: [0.6, 1, 7.3, 7.9, 20.45])
  func allpassTap(delay: Double) {
    var line = line([], longest: 24)
    var tap = AllpassTap()
    let impulses = impulseResponse(2000) {
      line.push($0)
      return tap.next(line, at: delay)
    }
    for frequency in [0.001, 0.1, 0.3, 0.45] {
      #expect(abs(response(impulses, at: frequency).magnitude - 1) < 1e-9)
    }
    #expect(abs(-response(impulses, at: 0.001).phase / (2 * Double.pi * 0.001) - delay) < 1e-3)
  }
}
