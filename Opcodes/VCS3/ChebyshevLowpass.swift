// An anti-aliasing lowpass, for use before downsampling and after upsampling.

import OpcodeKit

/// An eighth-order Chebyshev lowpass of the first kind in four sections: 0.5 dB of ripple above its gain of 1 at 0 Hz,
/// -52 dB at 1.5 times the edge frequency.
///
///     y = g x + s1     s1 <- 2 g x - a1 y + s2     s2 <- g x - a2 y
struct ChebyshevLowpass: BitwiseCopyable {
  struct Section: BitwiseCopyable {
    let gain, a1, a2: Double
    var s1 = 0.0, s2 = 0.0
  }

  private let sections: Buffer<Section>

  /// `edge` is the edge frequency in Hz, `buffer` the number of the opcode's buffer that it uses.
  init(edge: Double, buffer: Int, _ context: Context) throws(OpcodeError) {
    sections = try context.buffer(buffer, of: Section.self, count: 4)
    // asinh(1 / ε) / 8, and its hyperbolic sine and cosine.
    let epsilon = Math.sqrt(Math.pow(10, 0.05) - 1)
    let root = Math.exp(
      0.125 * 0.693_147_180_559_945_3
        * Math.log2(1 / epsilon + Math.sqrt(1 / (epsilon * epsilon) + 1)))
    let (sine, cosine) = (0.5 * (root - 1 / root), 0.5 * (root + 1 / root))
    let half = Double.pi * edge / context.sampleRate
    let omega = Math.sin(half) / Math.cos(half)
    for index in 0..<4 {
      let angle = Double.pi * Double(2 * index + 1) / 16
      let damping = omega * sine * Math.sin(angle)
      let height = omega * cosine * Math.cos(angle)
      let square = damping * damping + height * height
      let over = 1 / (1 + 2 * damping + square)
      sections[index] = Section(
        gain: square * over, a1: 2 * (square - 1) * over,
        a2: (1 - 2 * damping + square) * over)
    }
  }

  @inline(__always)
  func next(_ input: Double) -> Double {
    var signal = input
    for index in 0..<4 {
      var section = sections[index]
      let scaled = section.gain * signal
      signal = scaled + section.s1
      section.s1 = 2 * scaled - section.a1 * signal + section.s2
      section.s2 = scaled - section.a2 * signal
      sections[index] = section
    }
    return signal
  }

  /// Resets the state to 0 when it is below -600 dB.
  @inline(__always)
  func settle() {
    var level = 0.0
    for index in 0..<4 { level += sections[index].s1.magnitude + sections[index].s2.magnitude }
    guard level > 0, level < 1e-30 else { return }
    for index in 0..<4 { (sections[index].s1, sections[index].s2) = (0, 0) }
  }
}
