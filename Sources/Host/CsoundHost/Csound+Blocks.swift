/// Loops over samples and k-cycles. They are here, because this module is optimised in debug builds, too.
extension Csound {
  /// Performs up to `count` k-cycles. Returns false if the score ended before.
  public func performKsmps(count: Int) -> Bool {
    for _ in 0..<count where !performKsmps() { return false }
    return true
  }

  /// Appends the output of the last k-cycle to interleaved samples, full scale at 1.
  public func appendOutput(to samples: inout [Double]) {
    let scale = 1 / fullScale
    for sample in output { samples.append(sample * scale) }
  }

  /// Sets the input of the next k-cycle to frames of interleaved samples, from `frame` on; full scale is at 1. Channels
  /// that the samples do not have, and what comes after their end, are silent.
  public func setInput(_ samples: [Double], channelCount: Int, from frame: Int) {
    let (input, channels, scale) = (input, inputChannelCount, fullScale)
    guard channels > 0 else { return }
    for offset in 0..<input.count / channels {
      for channel in 0..<channels {
        let place = (frame + offset) * channelCount + channel
        let isInside = channel < channelCount && place < samples.count
        input[offset * channels + channel] = isInside ? samples[place] * scale : 0
      }
    }
  }

  /// What samples are like.
  public struct Levels: Sendable {
    /// Largest absolute sample of those that are finite, full scale at 1.
    public var peak = 0.0
    /// The number of samples that are NaN or infinite.
    public var notFiniteCount = 0

    public init() {}
  }

  /// Writes the output of the last k-cycle into a block of as many samples, full scale at 1. With `silencing`, samples
  /// that are NaN or infinite become 0.
  public func copyOutput(to block: inout [Double], silencing: Bool, _ levels: inout Levels) {
    let scale = 1 / fullScale
    let output = output
    for index in 0..<min(output.count, block.count) {
      block[index] = output[index] * scale
      if block[index].isFinite {
        levels.peak = max(levels.peak, abs(block[index]))
      } else {
        levels.notFiniteCount += 1
        if silencing { block[index] = 0 }
      }
    }
  }
}
