import Foundation
import OpcodeKit
import TestSupport
import Testing

@Suite("Toolbox: antialiasing")
struct AntialiasingTests {
  @Test(
    "An oversampler without a function is flat to 0.45 of the sample rate", arguments: [2, 4, 8])
  func flat(times: Int) {
    var oversampler = Oversampler(times: times)
    let impulses = impulseResponse(4000) { oversampler.next($0) { $0 } }
    for frequency in stride(from: 0, through: 0.45, by: 0.01) {
      #expect(abs(decibels(response(impulses, at: frequency).magnitude)) < 1e-8)
    }
    let delay = -response(impulses, at: 0.001).phase / (2 * Double.pi * 0.001)
    let stated = [2: 3.24, 4: 4.33, 8: 4.87][times]!
    #expect(abs(delay - stated) < 0.06, "\(delay)")
  }

  @Test(
    "A linear-phase oversampler is flat, and delays all frequencies alike", arguments: [2, 4, 8])
  func linearPhase(times: Int) throws {
    var oversampler = LinearPhaseOversampler(
      times: times, memory: Buffer(count: LinearPhaseOversampler.memoryLength))
    var inner = [Double]()
    let impulses = impulseResponse(400) { sample in
      oversampler.next(sample) {
        inner += [$0[0], $0[1]]
        return $0
      }
    }
    let delay = try #require([2: 63.0, 4: 70.5, 8: 73.25][times])
    for frequency in stride(from: 0.001, through: 0.45, by: 0.0107) {
      let (magnitude, phase) = response(impulses, at: frequency)
      #expect(abs(decibels(magnitude)) < 3e-4, "\(frequency)")
      let turns = phase / (2 * Double.pi) + frequency * delay
      #expect(abs(turns - turns.rounded()) < 1e-6, "\(frequency)")
    }
    // Images of a signal below 0.45 of the sample rate.
    for image in stride(from: 1.0, through: Double(times) / 2, by: 1) {
      for frequency in [image - 0.45, image - 0.2, image, image + 0.3, image + 0.45]
      where frequency <= Double(times) / 2 {
        let found = response(inner, at: frequency / Double(times)).magnitude / Double(times)
        #expect(decibels(found) < -98, "\(frequency) \(decibels(found))")
      }
    }
    #expect(inner.count == 400 * times)
  }

  @Test("The higher rates see no image above -104 dB", arguments: [2, 4, 8])
  func images(times: Int) {
    var oversampler = Oversampler(times: times)
    var inner = [Double]()
    for frame in 0..<12_000 {
      _ = oversampler.next(cos(2 * Double.pi * 0.41 * Double(frame))) {
        inner += [$0[0], $0[1]]
        return $0
      }
    }
    #expect(inner.count == 12_000 * times)
    // 100 cycles of 0.01 in the last 100 · times samples of each hundred.
    let last = inner.suffix(10_000 * times)
    let rate = Double(times)
    let signal = part(of: last, at: 0.41 / rate)
    #expect(abs(hypot(signal.real, signal.imaginary) - 1) < 1e-6)
    for image in stride(from: 1.0, to: rate, by: 1) {
      for frequency in [(image - 0.41) / rate, (image + 0.41) / rate] where frequency < 0.5 {
        let found = part(of: last, at: frequency)
        #expect(decibels(hypot(found.real, found.imaginary)) < -104, "\(frequency)")
      }
    }
  }

  @Test(
    "Clipping: the second antiderivative has fewer aliases than the first, and that fewer than none"
  )
  func clipping() {
    func ratio(_ next: (Double) -> Double) -> Double {
      signalToAliases(cycles: 171, amplitude: 5, next)
    }
    let plain = ratio { max(-1, min(1, $0)) }
    var first = Antiderivative(HardClip())
    var second = SecondAntiderivative(HardClip())
    let one = ratio { first.next($0) }
    let two = ratio { second.next($0) }
    #expect(plain < one - 10 && one < two - 5, "\(plain) \(one) \(two)")
  }

  @Test(
    "A slow signal comes out as the curve has it, and a constant too", arguments: [0, 0.3, -0.9, 4])
  func slow(level: Double) {
    var first = Antiderivative(TanhSaturation())
    var clip = Antiderivative(HardClip(limit: 0.8))
    var second = SecondAntiderivative(HardClip(limit: 0.8))
    for frame in 0..<2000 {
      let x = level + 1e-5 * sin(Double(frame) * 0.01)
      let (a, b, c) = (first.next(x), clip.next(x), second.next(x))
      guard frame > 2 else { continue }
      let clipped = max(-0.8, min(0.8, x))
      #expect(abs(a - tanh(x)) < 2e-7 && abs(b - clipped) < 2e-7 && abs(c - clipped) < 4e-7)
    }
    _ = (first.next(.nan), second.next(.infinity))
    #expect(first.next(0).isFinite && second.next(0).isFinite)
  }

  @Test("The integrals' derivatives are the curves")
  func derivatives() {
    for x in stride(from: -3.0, through: 3, by: 0.037) {
      let h = 1e-5
      let (tanhs, clips) = (TanhSaturation(), HardClip(limit: 0.7))
      #expect(abs((tanhs.integral(x + h) - tanhs.integral(x - h)) / (2 * h) - tanh(x)) < 1e-9)
      #expect(
        abs((clips.integral(x + h) - clips.integral(x - h)) / (2 * h) - clips.value(x)) < 1e-5)
      #expect(
        abs(
          (clips.secondIntegral(x + h) - clips.secondIntegral(x - h)) / (2 * h) - clips.integral(x))
          < 1e-9)
    }
  }

  /// The table of the page: signal to aliases of tanh at 1, 2 and 5 kHz, in dB.
  private func measuredTable() -> [String] {
    func row(_ name: String, _ make: () -> (Double) -> Double) -> String {
      // Numbers of cycles in 8192 samples that have no common factor with it: 1002, 2004 and 4998 Hz.
      let ratios = [171, 342 + 1, 853].map { signalToAliases(cycles: $0, amplitude: 5, make()) }
      return "| \(name) | " + ratios.map { String(format: "%.0f", $0) }.joined(separator: " | ")
        + " |"
    }
    func oversampled(_ times: Int) -> (Double) -> Double {
      var oversampler = Oversampler(times: times)
      return { oversampler.next($0) { $0.tanh } }
    }
    return [
      row("no antialiasing") { { tanh($0) } },
      row("`Antiderivative`") {
        var shaper = Antiderivative(TanhSaturation())
        return { shaper.next($0) }
      },
      row("`Oversampler(times: 2)`") { oversampled(2) },
      row("`Oversampler(times: 4)`") { oversampled(4) },
      row("`Oversampler(times: 8)`") { oversampled(8) },
      row("`Antiderivative` in `Oversampler(times: 2)`") {
        var (oversampler, shaper) = (Oversampler(times: 2), Antiderivative(TanhSaturation()))
        return { oversampler.next($0) { Pair(shaper.next($0[0]), shaper.next($0[1])) } }
      },
    ]
  }

  @Test("The page's table of antialiasing is what is measured here")
  func table() throws {
    let page = try String(file: root + "/Sources/Kit/OpcodeKit/OpcodeKit.docc/Toolbox.md")
    for row in measuredTable() { #expect(page.contains(row), "\(row)") }
  }
}
