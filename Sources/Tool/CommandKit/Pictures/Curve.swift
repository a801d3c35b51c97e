import Foundation

/// A line of a chart: points from left to right.
public struct Curve: Codable, Equatable, Sendable {
  public var name: String
  public var x: [Double]
  public var y: [Double]

  public init(_ name: String, x: [Double], y: [Double]) {
    (self.name, self.x, self.y) = (name, x, y)
  }

  /// A waveform over seconds. A long one is reduced to the least and the greatest sample of each of
  /// `columns` columns, in their order, which looks the same.
  package init(_ name: String, waveform samples: [Double], sampleRate: Double, columns: Int = 600) {
    var places = Array(samples.indices)
    if samples.count > 2 * columns {
      places = (0..<columns).flatMap { column in
        let part = samples.indices[
          column * samples.count / columns..<(column + 1) * samples.count / columns]
        let ends = [
          part.min { samples[$0] < samples[$1] }!, part.max { samples[$0] < samples[$1] }!,
        ]
        return ends[0] == ends[1] ? [ends[0]] : ends.sorted()
      }
    }
    self.init(name, x: places.map { Double($0) / sampleRate }, y: places.map { samples[$0] })
  }

  /// How the bins at one point of a spectrum are combined.
  package enum Pooling {
    /// Their mean power; for noise and responses.
    case mean
    /// The greatest sum of three neighbouring bins, divided by 1.5; for sounds made of sines. Under
    /// a Hann window this sum is 1.5 times a sine's power, wherever the sine lies between the bins.
    case greatest
  }

  /// Levels in dB over frequency in Hz, 48 points to an octave; 0 dB is the power `full`. Where
  /// bins are further apart than points, the power is interpolated linearly.
  package init(
    _ name: String, powers: [Double], sampleRate: Double, from lowest: Double = 20, full: Double,
    _ pooling: Pooling
  ) {
    let binsPerHertz = Double(2 * (powers.count - 1)) / sampleRate
    let step = pow(2, 1 / 48.0)
    var frequency = max(lowest, 1 / binsPerHertz)
    let levels =
      pooling == .mean
      ? powers
      : powers.indices.map { bin in
        powers[max(0, bin - 1)...min(bin + 1, powers.count - 1)].reduce(0, +) / 1.5
      }
    self.init(name, x: [], y: [])
    while frequency < sampleRate / 2 {
      let low = Int((frequency / step.squareRoot() * binsPerHertz).rounded(.up))
      let high = min(Int(frequency * step.squareRoot() * binsPerHertz), powers.count - 1)
      var power: Double
      if low < high {
        let pool = levels[low...high]
        power = pooling == .mean ? pool.reduce(0, +) / Double(pool.count) : pool.max()!
      } else {
        let place = frequency * binsPerHertz
        let bin = min(Int(place), levels.count - 2)
        power = levels[bin] + (place - Double(bin)) * (levels[bin + 1] - levels[bin])
      }
      power /= full
      x.append(frequency)
      y.append(power > 0 ? 10 * log10(power) : -.infinity)
      frequency *= step
    }
  }

  /// The value at the position `place` on the x axis, interpolated linearly; nil outside of the
  /// points.
  public func value(at place: Double) -> Double? {
    guard let next = x.firstIndex(where: { $0 >= place }) else { return nil }
    guard next > 0 else { return x[0] == place ? y[0] : nil }
    let part = (place - x[next - 1]) / (x[next] - x[next - 1])
    return y[next - 1] + part * (y[next] - y[next - 1])
  }
}
