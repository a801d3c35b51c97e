import Foundation
import OpcodeKit
import Testing

@Suite("COMPRESSOR in Csound", .serialized)
struct CompressorTests {
  /// Plays lines that make `ain` and put `aout` out, and returns what went in and came out.
  private func play(
    _ source: String, _ arguments: String, seconds: Double = 0.2, ksmps: Int = 64
  ) throws -> (input: [Double], output: [Double]) {
    let performance = try performNote(
      """
      \(source)
      aout COMPRESSOR ain, \(arguments)
      """, heard: "ain, aout", note: "\(seconds)", ksmps: ksmps)
    return (performance[0], performance[1])
  }

  /// Noise whose level rises and falls, with a few lone peaks.
  private let noise = """
    anoise rand 1, 0.3, 1
    ain = anoise * (0.5 - 0.5 * cos(2 * $M_PI * phasor:a(23))) + mpulse:a(0.9, 0.037)
    """

  @Test("A limiter's output never exceeds its threshold", arguments: [0.0, 0.0004, 0.005, 0.1])
  func limit(lookahead: Double) throws {
    let (_, output) = try play(
      "ain rand 8, 0.3, 1", "-9, 0, 0, 0.01, 0, \(lookahead)", seconds: 1)
    let largest = output.map(abs).max()!
    #expect(-1e-3...1e-9 ~= 20 * log10(largest) + 9)
  }

  /// The level in dB of the sound's peak, from sixteen points for each sample and 128 samples for each point.
  private func truePeak(
    _ samples: [Double], at points: some Sequence<Int> = 0..<16
  ) -> Double {
    var largest = 0.0
    for point in points {
      let late = Double(point) / 16
      let taps = (0..<128).map { index -> Double in
        let x = Double(index - 63) - late
        let window = 0.5 + 0.5 * cos(Double.pi * x / 64.5)
        return x == 0 ? 1 : sin(Double.pi * x) / (Double.pi * x) * window
      }
      for start in 0..<samples.count - 128 {
        var sum = 0.0
        for index in 0..<128 { sum += taps[index] * samples[start + index] }
        largest = max(largest, abs(sum))
      }
    }
    return 20 * log10(largest)
  }

  @Test(
    "With true peaks the sound between the samples stays below the threshold, too, within 0.1 dB",
    arguments: [
      "ain oscili 1, sr / 4, -1, 0.125", "ain oscili 1, 14999, -1, 0.2",
      "ain oscili linseg:a(0, 0.2, 1.5), expseg:a(100, 0.2, 20000)",
      "ain butterlp rand:a(2, 0.3, 1), 16000",
    ])
  func betweenSamples(source: String) throws {
    let level = try truePeak(play(source, "-6, 0, 0, 0.05, 0, 0.005, 1").output)
    #expect(-6.2...(-5.9) ~= level)
    // Of this sine the samples tell 3 dB less than there are.
    guard source.contains("sr / 4") else { return }
    let untold = try truePeak(play(source, "-6, 0, 0, 0.05, 0, 0.005").output)
    #expect(-3.1...(-2.9) ~= untold)
  }

  @Test("Clipped noise exceeds the threshold between the samples by the figure of the page")
  func clippedNoise() throws {
    let told = try pageFigures("Levels/Compressor.swift", "between the samples by 2.4 dB")
    let output = try play(
      "ain limit 1e9 * rand:a(1, 0.3, 1), -1, 1", "-6, 0, 0, 0.05, 0, 0.005, 1", seconds: 0.5
    ).output
    let level = truePeak(output, at: [8]) + 6
    #expect(abs(level - told[0]) < 0.2, "\(level) dB")
  }

  @Test("Its eighths between samples are those of the windowed sinc that the page names")
  func taps() throws {
    let told = try pageFigures(
      "Levels/Compressor.swift", "from 16 samples and a windowed sinc (Kaiser's window, β = 5)")
    let (half, beta) = (Int(told[0]) / 2, told[1])
    func bessel(_ x: Double) -> Double {
      var (term, sum) = (1.0, 1.0)
      for order in 1..<40 {
        term *= x * x / Double(4 * order * order)
        sum += term
      }
      return sum
    }
    func tap(_ x: Double) -> Double {
      guard x != 0 else { return 1 }
      return sin(Double.pi * x) / (Double.pi * x)
        * bessel(beta * (1 - x * x / Double(half * half)).squareRoot()) / bessel(beta)
    }
    // Of the limiter at once, with a threshold of -100 dB, the gain is 1e-5 / peak.
    let (input, output) = try play(
      "ain rand 1, 0.3, 1", "-100, 0, 0, 0, 0, 0, 1", seconds: 0.02)
    for frame in 100..<800 {
      func largest(_ sample: Int) -> Double {
        (0..<8).map { eighth in
          abs(
            ((1 - half)...half).reduce(0.0) {
              $0 + tap(Double($1) - Double(eighth) / 8) * input[sample + $1]
            })
        }.max()!
      }
      let peak = max(largest(frame), largest(frame - 1))
      #expect(abs(output[frame + 8] / (input[frame] * 1e-5 / peak) - 1) < 1e-9)
    }
  }

  @Test(
    "A sine's true peak is found within 0.06 dB up to 0.417 sr",
    arguments: [4801, 9607, 14_433, 16_001, 18_007, 19_207, 20_001])
  func sines(hertz: Int) throws {
    // The gain, at once and then nearly still, is -100 dB minus the peak.
    let sine = "ain oscili linseg:a(0, 0.05, 1, 1, 1), \(hertz)"
    let (input, output) = try play(sine, "-100, 0, 0, 100, 0, 0, 1")
    let frame = (9000..<9100).max { abs(input[$0]) < abs(input[$1]) }!
    let peak = -100 - 20 * log10(output[frame + 8] / input[frame])
    #expect(abs(peak) < 0.06, "\(peak) dB")
  }

  @Test("What is below the threshold passes to the last bit, late, also after a peak")
  func transparent() throws {
    for (truePeak, late) in [(0, 240), (1, 248)] {
      let (input, output) = try play(
        "ain = rand:a(0.2, 0.3, 1) + mpulse:a(0.9, 10)",
        "-6, 4, 0.001, 0.001, 0, -1, \(truePeak)")
      #expect(output[late] != input[0])
      #expect(Array(output[4000...]) == Array(input[(4000 - late)..<(input.count - late)]))
    }
  }

  @Test("A sample that is not a number harms no other; odd arguments are bounded")
  func bounds() throws {
    let spoilt = """
      ain rand 1, 0.3, 1
      kbad timeinstk
      if kbad == 20 then
        ain = ain + log(-1)
      endif
      """
    for truePeak in [0, 1] {
      let (_, output) = try play(spoilt, "-20, 4, 0.01, 0.05, 6, 0.005, \(truePeak)")
      #expect(output.allSatisfy { $0.magnitude <= 1 })
      #expect(output.suffix(5000).contains { $0.magnitude > 0.01 })
    }
    for arguments in [
      "log(-1), 4, 0.01, 0.1", "-20, -3, 0.01, 0.1", "-20, log(-1), -1, -1",
      "-1e9, 1e300, log(-1), log(-1)", "1e9, 4, 1e9, 1e-9",
    ] {
      let (_, output) = try play(noise, arguments)
      #expect(output.allSatisfy { $0.magnitude <= 1.5 }, "\(arguments)")
    }
  }
}
