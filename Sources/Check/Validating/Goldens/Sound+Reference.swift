import Foundation
import HarnessBase

// References are stored with 24 bits. Each channel is divided by a power of two, so that levels
// above full scale are not clipped, a quiet channel keeps its resolution, and the division itself
// rounds nothing. A new render is rounded to the same steps before it is compared, so that the same
// sound is identical to its reference and not only close.
extension Sound {
  /// For each channel, the smallest power of two that all its samples, rounded to 24 bits, are
  /// below; 1 for silence.
  var scales: [Double] {
    (0..<channelCount).map { channel in
      let peak = peak(ofChannel: channel)
      guard peak > 1e-30 else { return 1 }
      let power = Double(sign: .plus, exponent: peak.exponent + 1, significand: 1)
      return (peak / power * Self.steps).rounded() < Self.steps ? power : 2 * power
    }
  }

  /// The number of 24-bit steps from 0 to full scale.
  private static let steps = Double(1 << 23)

  /// The sound rounded to the 24 bits of a reference with these scales, one for each channel.
  func rounded(to scales: [Double]) -> Sound {
    mapped { sample, channel in
      (sample / scales[channel] * Self.steps).rounded(.toNearestOrEven) / Self.steps
        * scales[channel]
    }
  }

  /// The sound with each channel multiplied by its factor.
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
