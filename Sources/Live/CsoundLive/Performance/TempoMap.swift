import Foundation
public import HarnessBase

/// When beats happen: a tempo that steps and glides, and bars of changing lengths.
///
/// Beats are quarters and count from 0, seconds from the same moment. Between two tempos it glides as the
/// t statement of a score does: the length of a beat goes along a straight line over the beats. So time is
/// a quadratic of the beat, and both ways are in closed form:
///
///     t(b) = t₀ + s₀ x + (s₁ − s₀) x² / 2n,   x = b − b₀,   s = 60 / tempo
///     b(t) = b₀ + 2 (t − t₀) / (s₀ + √(s₀² + 2 (s₁ − s₀) (t − t₀) / n))
public struct TempoMap: Sendable, Equatable {
  /// From a beat on, so many beats a minute.
  public struct Change: Sendable, Equatable {
    public var beat: Double
    public var tempo: Double
    /// Whether the tempo glides from here to that of the next change; else it stays until there.
    public var glides: Bool

    public init(at beat: Double, tempo: Double, glides: Bool = false) {
      (self.beat, self.tempo, self.glides) = (beat, tempo, glides)
    }
  }

  /// From a bar on, bars of so many parts of a whole note: 6, 8 is a bar of three quarters.
  public struct Meter: Sendable, Equatable {
    /// Counted from 1.
    public var bar: Int
    public var count: Int
    /// 1, 2, 4, 8 …
    public var unit: Int

    public init(at bar: Int = 1, _ count: Int, _ unit: Int) {
      (self.bar, self.count, self.unit) = (bar, count, unit)
    }

    /// Quarters in a bar, and in each of the parts it is counted in.
    public var barLength: Double { Double(count) * partLength }
    public var partLength: Double { 4 / Double(unit) }
  }

  /// A place as musicians name it: bar and part of the bar, both counted from 1; half way to the second part of the
  /// first bar is (1, 1.5).
  public struct Position: Sendable, Equatable {
    public var bar: Int
    public var part: Double

    public init(_ bar: Int, _ part: Double = 1) { (self.bar, self.part) = (bar, part) }
  }

  /// A change and the second at which it happens.
  private struct Step: Sendable, Equatable {
    var change: Change
    var time: Double
    /// Seconds of a beat at its beginning; how much longer a beat is for each beat from there.
    var length: Double
    var slope: Double

    func time(at beat: Double) -> Double {
      let x = beat - change.beat
      return time + x * (length + 0.5 * slope * x)
    }

    func beat(at time: Double) -> Double {
      let y = time - self.time
      // The root that is near y / length however small the slope.
      return change.beat + 2 * y / (length + (length * length + 2 * slope * y).squareRoot())
    }
  }

  public let changes: [Change]
  public let meters: [Meter]
  private let steps: [Step]
  /// The beat at which each meter begins.
  private let meterBeats: [Double]

  /// A tempo that never changes.
  public init(tempo: Double, meter: Meter = Meter(4, 4)) throws(Failure) {
    try self.init([Change(at: 0, tempo: tempo)], meters: [meter])
  }

  /// The first change must be at beat 0, the first meter at bar 1, and each behind the one before. The last tempo
  /// stays.
  public init(_ changes: [Change], meters: [Meter] = [Meter(4, 4)]) throws(Failure) {
    guard changes.first?.beat == 0,
      zip(changes, changes.dropFirst()).allSatisfy({ $0.beat < $1.beat })
    else {
      throw Failure(.usage, "The tempos of a map begin at beat 0, and each behind the one before.")
    }
    for change in changes where !(change.tempo >= 0.1 && change.tempo <= 10_000) {
      throw Failure(
        .usage,
        "The tempo at beat \(change.beat) is \(change.tempo); it must lie between 0.1 and 10000 beats a minute."
      )
    }
    guard meters.first?.bar == 1, zip(meters, meters.dropFirst()).allSatisfy({ $0.bar < $1.bar })
    else {
      throw Failure(.usage, "The meters of a map begin at bar 1, and each behind the one before.")
    }
    for meter in meters
    where !(1...256).contains(meter.count) || ![1, 2, 4, 8, 16, 32, 64].contains(meter.unit) {
      throw Failure(
        .usage,
        "The meter at bar \(meter.bar) is \(meter.count)/\(meter.unit); it must be 1 to 256 parts of 1, 2, 4, 8, 16,"
          + " 32 or 64.")
    }
    (self.changes, self.meters) = (changes, meters)
    steps = Self.steps(changes)
    var beats = [0.0]
    for (meter, next) in zip(meters, meters.dropFirst()) {
      beats.append(beats.last! + Double(next.bar - meter.bar) * meter.barLength)
    }
    meterBeats = beats
  }

  private static func steps(_ changes: [Change]) -> [Step] {
    var steps: [Step] = []
    for (index, change) in changes.enumerated() {
      let time = steps.last?.time(at: change.beat) ?? 0
      var step = Step(change: change, time: time, length: 60 / change.tempo, slope: 0)
      if change.glides, index + 1 < changes.count {
        let next = changes[index + 1]
        step.slope = (60 / next.tempo - step.length) / (next.beat - change.beat)
      }
      steps.append(step)
    }
    return steps
  }

  // MARK: Beats and seconds

  /// The second of a beat. Before the first beat the first tempo holds.
  public func time(atBeat beat: Double) -> Double {
    guard beat >= 0 else { return beat * steps[0].length }
    return steps.last { $0.change.beat <= beat }!.time(at: beat)
  }

  /// The beat of a second.
  public func beat(atTime time: Double) -> Double {
    guard time >= 0 else { return time / steps[0].length }
    return steps.last { $0.time <= time }!.beat(at: time)
  }

  /// The tempo at a beat, in beats a minute.
  public func tempo(atBeat beat: Double) -> Double {
    let step = steps.last { $0.change.beat <= beat } ?? steps[0]
    return 60 / (step.length + step.slope * max(0, beat - step.change.beat))
  }

  // MARK: Bars

  /// The beat of a place; one before the first bar is in bars of the first meter.
  public func beat(at position: Position) -> Double {
    let index = meters.lastIndex { $0.bar <= position.bar } ?? 0
    let meter = meters[index]
    return meterBeats[index] + Double(position.bar - meter.bar) * meter.barLength
      + (position.part - 1) * meter.partLength
  }

  /// The place of a beat.
  public func position(atBeat beat: Double) -> Position {
    let index = meterBeats.lastIndex { $0 <= beat } ?? 0
    let (meter, inside) = (meters[index], beat - meterBeats[index])
    let bars = (inside / meter.barLength).rounded(.down)
    return Position(
      meter.bar + Int(bars), 1 + (inside - bars * meter.barLength) / meter.partLength)
  }

  /// The second of a place.
  public func time(at position: Position) -> Double { time(atBeat: beat(at: position)) }

  /// The place of a second.
  public func position(atTime time: Double) -> Position { position(atBeat: beat(atTime: time)) }

  /// The frame of a beat, to the nearest, where beat 0 is at `start`.
  public func frame(atBeat beat: Double, from start: Int = 0, sampleRate: Double) -> Int {
    start + Int((time(atBeat: beat) * sampleRate).rounded())
  }
}
