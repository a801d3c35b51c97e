// aout RESONZ ain, xcentre, xbandwidth [, iscale [, iskip]]
//
// A resonator with zeros at 0 Hz and at half the sample rate: two poles with a peak near the centre frequency, and no
// gain at either end.
//
//     y[n] = g (x[n] - x[n-2]) + 2 r cos(2 π centre / sr) y[n-1] - r² y[n-2],   r = exp(-π bandwidth / sr)
//
// The gain g depends on iscale: 1 gives a peak of 1, g = (1 - r²) / 2; 2 its square root; 0 gives g = 1 (J. Smith and
// J. Angell, "A constant-gain digital resonator tuned by a single coefficient", Computer Music Journal 6(4), 1982; K.
// Steiglitz, "A note on constant-gain digital resonators", Computer Music Journal 18(4), 1994).
//
// The same as Csound's `resonz`, with the differences of RESON from `reson`.
//
// Category: Signal Modifiers:Standard Filters:Resonant

import OpcodeKit

@Opcode("RESONZ", "Resonator without gain at 0 Hz and sr/2")
struct ZeroResonator<Centre: Signal, Bandwidth: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Centre frequency in Hz; k-rate or a-rate. Frequencies below 0 or above sr/2 are mirrored into that range.
    let centre: Centre
    /// Bandwidth in Hz between the points of half the power; k-rate or a-rate. Values below 0 and NaN count as 0.
    let bandwidth: Bandwidth
    /// Scaling: 0 for none, 1 for a gain of 1 at the centre, 2 for its square root. Anything else is an init error.
    /// Default 0.
    @Default(0) let scale: InitInput
    /// Nonzero keeps the state of the previous note in the same memory. Default 0.
    @Default(0) let skip: InitInput
  }

  static var bufferCount: Int { 1 }

  private var filter: TunedSecondOrder<Centre, Bandwidth>
  private var scaling: Scaling
  /// x[n-2] and x[n-1].
  private var last = Pair(0)
  /// The input less what the zeros take away, where controls at audio rate may share memory with the output.
  private let differences: Buffer<Double>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    filter = TunedSecondOrder(sampleRate: context.sampleRate)
    scaling = try Scaling(arguments.scale.value)
    let isMoving = Centre.isAudioRate || Bandwidth.isAudioRate
    differences = try context.buffer(count: isMoving ? context.ksmps : 1)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func resume(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    scaling = try Scaling(arguments.scale.value)
    filter.retune()
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let frames = context.frames
    let isMoving = Centre.isAudioRate || Bandwidth.isAudioRate
    let differences = isMoving ? self.differences.frames : arguments.output
    subtract(arguments.input, to: differences, in: frames)
    filter.perform(
      differences.written, arguments.output, arguments.centre, arguments.bandwidth, frames,
      PoleDesign(scaling))
  }

  @inline(__always)
  private mutating func subtract(
    _ input: AudioInput, to output: AudioOutput, in frames: Range<Int>
  ) {
    var (frame, last) = (frames.lowerBound, last)
    if !(last[0].magnitude + last[1].magnitude < 1e100) { last = Pair(0) }
    while frame &+ 2 <= frames.upperBound {
      let now = input.pair(at: frame)
      output.setPair(now - last, at: frame)
      last = now
      frame &+= 2
    }
    if frame < frames.upperBound {
      let now = input[frame]
      output[frame] = now - last[0]
      last = Pair(last[1], now)
    }
    self.last = last
  }
}

/// The poles, for an input from which the zeros have been taken.
struct PoleDesign: SecondOrderDesign {
  private let scaling: Scaling

  @inline(__always)
  init(_ scaling: Scaling) { self.scaling = scaling }

  @inline(__always) @_semantics("no_performance_analysis")
  func coefficients<Numbers: Vector>(
    _ centres: Numbers, _ bandwidths: Numbers
  ) -> SecondOrderVector<Numbers> {
    let turn = HalfTurn.sine(folded(centres))
    let r = (Numbers.maximum(bandwidths, Numbers(0)) * Numbers(-Double.pi)).exp
    let peak = (Numbers(1) - r * r) * Numbers(0.5)
    let gain: Numbers =
      switch scaling {
      case .none: Numbers(1)
      case .peak: peak
      case .noise: peak.squareRoot
      }
    return SecondOrderVector(
      gain: gain, over: Numbers(1), feedback1: Numbers(-2) * r, feedback2: r * r,
      turn: Numbers(1) - Numbers(2) * (turn * turn))
  }

  static var scalesInput: Bool { @inline(__always) get { true } }

  @inline(__always)
  func output(_ c: SecondOrderCoefficients, _ now: Pair, _ before: Pair, _ earlier: Pair) -> Pair {
    now
  }

  @inline(__always)
  func isOpen(_ centre: Double, _ bandwidth: Double) -> Bool { true }

  @inline(__always)
  func held(_ input: Double) -> Double { input }
}
