import Foundation
import OpcodeKit
import Testing

@Suite("HALL in Csound", .serialized)
struct HallTests {
  /// What an impulse on both channels leaves.
  private func impulse(
    _ arguments: String, seconds: Double, rate: Int = 48_000, ksmps: Int = 64
  ) throws -> Performance {
    try performNote(
      """
      aimpulse mpulse 1, 0
      aleft, aright HALL aimpulse, -aimpulse, \(arguments)
      """, heard: "aleft, aright", note: "\(seconds)", sampleRate: rate, ksmps: ksmps)
  }

  /// The time in which the sound around a frequency falls by 60 dB: a straight line through the levels, from -5 to -35 dB,
  /// of the energy that is still to come (M. R. Schroeder, "New method of measuring reverberation time", JASA 37, 1965),
  /// the mean of several responses, after their first reflections.
  private func decay(of responses: [[Double]], at frequency: Double, rate: Double) -> Double {
    let start = Int(0.15 * rate)
    var energy = [Double](repeating: 0, count: responses[0].count - start)
    for response in responses {
      var band = response
      for _ in 0..<2 {
        var filter = Biquad()
        filter.tune(.bandpass, frequency / rate, q: 2)
        for index in band.indices { band[index] = filter.next(band[index]) }
      }
      for index in energy.indices { energy[index] += band[start + index] * band[start + index] }
    }
    var rest = 0.0
    for index in energy.indices.reversed() {
      rest += energy[index]
      energy[index] = 10 * log10(max(rest, 1e-300))
    }
    let used = energy.indices.filter { (energy[0] - 35...energy[0] - 5).contains(energy[$0]) }
    let count = Double(used.count)
    let x: Double = used.reduce(0) { $0 + Double($1) } / count
    let y: Double = used.reduce(0) { $0 + energy[$1] } / count
    var (both, square) = (0.0, 0.0)
    for index in used {
      both += (Double(index) - x) * (energy[index] - y)
      square += (Double(index) - x) * (Double(index) - x)
    }
    return -60 * square / both / rate
  }

  /// The decay time at a frequency that the page's shelves give.
  private func expected(
    _ frequency: Double, mid: Double, low: Double, high: Double, rate: Double,
    splits: (Double, Double) = (250, 4000)
  ) -> Double {
    func tangent(_ hertz: Double) -> Double { tan(Double.pi * hertz / rate) }
    let seconds = 0.048
    let t = tangent(frequency)
    func root(_ time: Double) -> Double { pow(10, -1.5 * seconds * (1 / time - 1 / mid)) }
    let (g, t1) = (root(low), tangent(splits.0))
    let lowPower = (t * t + g * g * t1 * t1) / (t * t + t1 * t1 / (g * g))
    let (h, t2) = (root(high), tangent(splits.1))
    let highPower = (h * h * h * h * t * t + h * h * t2 * t2) / (t * t + h * h * t2 * t2)
    let decibels = -60 * seconds / mid + 10 * log10(lowPower * highPower)
    return -60 * seconds / decibels
  }

  @Test(
    "Each band decays in its time, within 5 %",
    arguments: [(2.0, 2.0, 2.0), (1, 1.5, 0.5), (2, 4, 1), (0.6, 0.4, 0.8)], [48_000, 44_100])
  func times(_ times: (mid: Double, low: Double, high: Double), rate: Int) throws {
    // Rooms of slightly different sizes, so that no single resonance counts for much.
    let responses = try [0.85, 0.9, 0.95, 1, 1.05, 1.1].flatMap { size -> [[Double]] in
      try impulse(
        "\(times.mid), \(times.low), \(times.high), \(size)",
        seconds: 1.2 * max(times.mid, times.low, times.high), rate: rate
      ).channels
    }
    for frequency in [70, 1000, 12_000.0] {
      let found = decay(of: responses, at: frequency, rate: Double(rate))
      let asked = expected(
        frequency, mid: times.mid, low: times.low, high: times.high, rate: Double(rate))
      #expect(abs(found / asked - 1) < 0.05, "\(frequency) Hz: \(found) s for \(asked) s")
      let named = frequency < 250 ? times.low : frequency > 4000 ? times.high : times.mid
      #expect(abs(asked / named - 1) < 0.07)
    }
  }

  @Test("Whatever its times and its splits, it is refused or no frequency gains in a pass")
  func loopGain() throws {
    let (times, splits) = ([0.01, 0.3, 5, 1000], [1, 250, 1500, 3999.0])
    let all = times.flatMap { a in times.flatMap { b in times.map { (a, b, $0) } } }
    // A decay time below 0, or beyond the longest of the three, means a pass that gains.
    let frequencies = (-40...110).map { 10 * pow(2, Double($0) / 16) }
    for low in splits {
      for high in splits where high >= low {
        for (a, b, c) in all {
          let time = frequencies.map {
            1 / expected($0, mid: a, low: b, high: c, rate: 8000, splits: (low, high))
          }.min()!
          #expect(time > 0.999 / max(a, b, c), "\((a, b, c)) s, splits \((low, high)): \(time)")
        }
      }
    }
    // The same in the opcode, short lines and many passes: all notes but the refused ones.
    let pairs = splits.flatMap { low in splits.map { (low, $0) } }
    let notes = pairs.flatMap { pair in all.map { ($0, pair) } }
    let samples = try perform(
      """
      instr 1
        aimpulse mpulse 1, 0
        aleft, aright HALL aimpulse, -aimpulse, p4, p5, p6, 0.05, 0.5, p7, p8
        outch 1, aleft
      endin
      """,
      score: notes.enumerated().map { index, note in
        let ((a, b, c), (low, high)) = note
        return "i1 \(0.128 * Double(index)) 0.128 \(a) \(b) \(c) \(low) \(high)"
      }.joined(separator: "\n"), sampleRate: 8000)[0]
    for (index, note) in notes.enumerated() {
      let sound = samples[(1024 * index)..<(1024 * (index + 1))]
      #expect(sound.allSatisfy { abs($0) < 2 }, "\(note)")
      #expect(sound.contains { $0 != 0 } == (note.1.0 <= note.1.1), "\(note)")
    }
  }

  private static func energy(_ samples: ArraySlice<Double>) -> Double {
    samples.reduce(0) { $0 + $1 * $1 }
  }

  @Test("With times of 1000 s nothing is lost, however it moves", arguments: [0, 0.5, 1.0])
  func lossless(motion: Double) throws {
    let samples = try impulse("1000, 1000, 1000, 0.5, \(motion)", seconds: 4)
    func energy(_ seconds: Range<Double>) -> Double {
      samples.channels.map { channel in
        Self.energy(
          channel[Int(seconds.lowerBound * 48_000)..<Int(seconds.upperBound * 48_000)])
      }.reduce(0, +)
    }
    let decibels = 10 * log10(energy(3..<4) / energy(0.5..<1.5))
    // 60 dB in 1000 s are 0.15 dB in 2.5 s.
    #expect(-0.4...0.4 ~= decibels + 0.15)
  }
}
