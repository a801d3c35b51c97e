import OpcodeKit

/// The coefficients of Butterworth filters of second order for and against a band, of two frames.
///
/// With S = sin(π bandwidth / sr), C = cos(π bandwidth / sr) and f = centre / sr both have
/// a = -2 cos(2 π f) C / (C + S) and b = (C - S) / (C + S); the band's gain is S / (C + S) and that of
/// the rest C / (C + S). That is the bilinear transform (C. Dodge and T. A. Jerse, "Computer Music",
/// 2nd ed., 1997), multiplied out by S or C.
package struct BandCoefficients: BitwiseCopyable {
  private let passGain, rejectGain, feedback1, feedback2: Pair

  /// Both in units of the sample rate: `bandwidths` clamped to 0 … 0.49999, NaN counts as 0; `centres`
  /// of any size, by their cosine.
  @inline(__always)
  package init(centres: Pair, bandwidths: Pair) {
    let x = Pair.minimum(.maximum(bandwidths, Pair(0)), Pair(0.49999))
    let (sine, cosine) = (HalfTurn.sine(x), HalfTurn.cosine(x))
    let over = Pair(1) / (cosine + sine)
    let turn = HalfTurn.sine(folded(centres))
    passGain = sine * over
    rejectGain = cosine * over
    feedback1 = (Pair(4) * (turn * turn) - Pair(2)) * rejectGain
    feedback2 = (cosine - sine) * over
  }

  /// Those of the filter that lets the band through, of one frame.
  @inline(__always)
  package func pass(_ place: Int) -> ButterworthCoefficients.Single {
    .init(gain: passGain[place], feedback1: feedback1[place], feedback2: feedback2[place])
  }

  /// Those of the filter that lets all else through, of one frame.
  @inline(__always)
  package func reject(_ place: Int) -> ButterworthCoefficients.Single {
    .init(gain: rejectGain[place], feedback1: feedback1[place], feedback2: feedback2[place])
  }
}

/// The state of either filter: its recurrence and the coefficients of the last k-cycle.
struct ButterworthBand<Centre: Signal, Bandwidth: Signal>: BitwiseCopyable {
  private var filter = SecondOrder()
  private var coefficients = BandCoefficients(centres: Pair(0), bandwidths: Pair(0)).pass(0)
  private var lastCentre = 0.0, lastBandwidth = 0.0
  private let samplePeriod: Double

  init(sampleRate: Double) { samplePeriod = 1 / sampleRate }

  /// Filters the frames of a k-cycle. Where the bandwidth is 0, less or NaN the filter holds its state
  /// and the output is the input times `through`.
  @inline(__always)
  mutating func perform(
    _ input: AudioInput, _ output: AudioOutput, _ centre: Centre, _ bandwidth: Bandwidth,
    _ frames: Range<Int>, through: Double,
    choose: (BandCoefficients, Int) -> ButterworthCoefficients.Single,
    taps: (ButterworthCoefficients.Single, Pair, Pair, Pair) -> Pair
  ) {
    if Centre.isAudioRate || Bandwidth.isAudioRate {
      var frame = frames.lowerBound
      guard frame < frames.upperBound else { return }
      // Loaded once, so that what they alone make is computed once.
      let (constantCentre, constantBandwidth) = (Pair(centre[frame]), Pair(bandwidth[frame]))
      while frame < frames.upperBound {
        let other = frame &+ 1 < frames.upperBound ? frame &+ 1 : frame
        let centres = Centre.isAudioRate ? Pair(centre[frame], centre[other]) : constantCentre
        let bandwidths =
          Bandwidth.isAudioRate ? Pair(bandwidth[frame], bandwidth[other]) : constantBandwidth
        let (x, y) = (input[frame], input[other])
        let both = BandCoefficients(
          centres: centres * Pair(samplePeriod), bandwidths: bandwidths * Pair(samplePeriod))
        let first = choose(both, 0)
        output[frame] =
          bandwidths[0] > 0 ? filter.next(x, first) { taps(first, $0, $1, $2) } : x * through
        if other != frame {
          let second = choose(both, 1)
          output[other] =
            bandwidths[1] > 0 ? filter.next(y, second) { taps(second, $0, $1, $2) } : y * through
        }
        frame &+= 2
      }
    } else {
      let (centre, bandwidth) = (centre[0], bandwidth[0])
      guard bandwidth > 0 else {
        for frame in frames { output[frame] = input[frame] * through }
        return
      }
      if centre != lastCentre || bandwidth != lastBandwidth {
        (lastCentre, lastBandwidth) = (centre, bandwidth)
        coefficients = choose(
          BandCoefficients(
            centres: Pair(centre * samplePeriod), bandwidths: Pair(bandwidth * samplePeriod)), 0)
      }
      let c = coefficients
      filter.hold(input, output, frames, c) { taps(c, $0, $1, $2) }
    }
    filter.settle()
  }
}
