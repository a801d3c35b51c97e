import Foundation
import Sounds

// References are kept in 24 bits. Each channel is divided by a power of two, so that levels above
// full scale are not clipped, a quiet channel keeps its detail beside a loud one, and samples that
// are whole multiples of a bit stay so. A new render is rounded to the same bits before it is
// compared, so that the same sound is identical to its reference and not only close.
extension Sound {
  /// For each channel the smallest power of two that its 24-bit samples stay below; 1 for silence.
  var scales: [Double] {
    (0..<channelCount).map { channel in
      let peak = peak(ofChannel: channel)
      guard peak > 1e-30 else { return 1 }
      let power = Double(sign: .plus, exponent: peak.exponent + 1, significand: 1)
      return (peak / power * Self.steps).rounded() < Self.steps ? power : 2 * power
    }
  }

  /// How many steps of 24 bits there are up to full scale.
  private static let steps = Double(1 << 23)

  /// Rounded to the 24 bits of a reference with these scales, one for each channel.
  func rounded(to scales: [Double]) -> Sound {
    mapped { sample, channel in
      (sample / scales[channel] * Self.steps).rounded(.toNearestOrEven) / Self.steps
        * scales[channel]
    }
  }

  /// Each channel multiplied by its factor.
  func multiplied(by factors: [Double]) -> Sound { mapped { $0 * factors[$1] } }

  private func mapped(_ transform: (_ sample: Double, _ channel: Int) -> Double) -> Sound {
    var copy = self
    for index in samples.indices {
      copy.samples[index] = transform(samples[index], index % channelCount)
    }
    return copy
  }

  private func peak(ofChannel channel: Int) -> Double {
    stride(from: channel, to: samples.count, by: channelCount).reduce(0) {
      max($0, abs(samples[$1]))
    }
  }
}
