extension Sound {
  /// The largest absolute sample; NaN is ignored.
  package var peak: Double { samples.reduce(0) { max($0, abs($1)) } }

  /// The first `frames` frames, or all if there are fewer.
  package func prefix(frames: Int) -> Sound {
    guard frames < frameCount else { return self }
    return Sound(
      sampleRate: sampleRate, channelCount: channelCount,
      samples: Array(samples.prefix(frames * channelCount)))
  }

  /// The samples of one channel, counted from 0.
  package func channel(_ channel: Int) -> [Double] {
    stride(from: channel, to: samples.count, by: channelCount).map { samples[$0] }
  }
}
