import Foundation
public import HarnessBase

/// Converts between beats, bars and seconds, for a tempo that steps or glides and for changing meters.
///
/// Beats are quarter notes, counted from 0; time is in seconds from beat 0. Between two tempos it glides as the
/// t statement of a score does: the duration of a beat changes linearly with the beat. So time is
/// a quadratic function of the beat, and both conversions have a closed form:
///
///     t(b) = t₀ + s₀ x + (s₁ − s₀) x² / 2n,   x = b − b₀,   s = 60 / tempo
///     b(t) = b₀ + 2 (t − t₀) / (s₀ + √(s₀² + 2 (s₁ − s₀) (t − t₀) / n))
public struct TempoMap: Sendable, Equatable {
  /// A tempo in beats a minute, from a beat on.
  public struct Change: Sendable, Equatable {
    public var beat: Double
    public var tempo: Double
    /// Whether the tempo glides from here to that of the next change; otherwise it stays constant until then.
    public var glides: Bool

    public init(at beat: Double, tempo: Double, glides: Bool = false) {
      (self.beat, self.tempo, self.glides) = (beat, tempo, glides)
    }
  }

  /// A meter from a bar on: `count` parts of a whole note / `unit`. 6, 8 is a bar of three quarter notes.
  public struct Meter: Sendable, Equatable {
    /// The first bar of this meter, counted from 1.
    public var bar: Int
    /// Parts in a bar, 1 to 256.
    public var count: Int
    /// 1, 2, 4, 8, 16, 32 or 64.
    public var unit: Int

    public init(at bar: Int = 1, _ count: Int, _ unit: Int) {
      (self.bar, self.count, self.unit) = (bar, count, unit)
    }

    /// Quarter notes in a bar.
    public var barLength: Double { Double(count) * partLength }
    /// Quarter notes in a part.
    public var partLength: Double { 4 / Double(unit) }
  }

  /// A position as musicians count: bar and part of the bar, both from 1. Halfway to the second part of the first bar
  /// is (1, 1.5).
  public struct Position: Sendable, Equatable {
    public var bar: Int
    public var part: Double

    public init(_ bar: Int, _ part: Double = 1) { (self.bar, self.part) = (bar, part) }
  }

  /// A change and its time in seconds.
  private struct Step: Sendable, Equatable {
    var change: Change
    var time: Double
    /// The duration of a beat in seconds at the change.
    var length: Double
    /// How much that duration grows per beat, in seconds.
    var slope: Double

    func time(at beat: Double) -> Double {
      let x = beat - change.beat
      return time + x * (length + 0.5 * slope * x)
    }

    func beat(at time: Double) -> Double {
      let y = time - self.time
      // This form of the root stays accurate for a slope near 0, where it is y / length.
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

  /// The first change must be at beat 0 and the first meter at bar 1, and each later one must come after the one
  /// before. The last tempo stays constant. Throws for a tempo outside of 0.1 to 10,000 beats a minute, or an invalid
  /// meter.
  public init(_ changes: [Change], meters: [Meter] = [Meter(4, 4)]) throws(Failure) {
    guard changes.first?.beat == 0,
      zip(changes, changes.dropFirst()).allSatisfy({ $0.beat < $1.beat })
    else { throw .usage("The tempos of a map begin at beat 0, and each behind the one before.") }
    for change in changes where !(change.tempo >= 0.1 && change.tempo <= 10_000) {
      throw .usage(
        "The tempo at beat \(change.beat) is \(change.tempo); it must lie between 0.1 and 10000 beats a minute."
      )
    }
    guard meters.first?.bar == 1, zip(meters, meters.dropFirst()).allSatisfy({ $0.bar < $1.bar })
    else { throw .usage("The meters of a map begin at bar 1, and each behind the one before.") }
    for meter in meters
    where !(1...256).contains(meter.count) || ![1, 2, 4, 8, 16, 32, 64].contains(meter.unit) {
      throw .usage(
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

  /// The time of a beat in seconds. Before beat 0 the first tempo applies.
  public func time(atBeat beat: Double) -> Double {
    guard beat >= 0 else { return beat * steps[0].length }
    return steps.last { $0.change.beat <= beat }!.time(at: beat)
  }

  /// The beat at a time in seconds.
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

  /// The beat at a position. Before the first bar the first meter applies.
  public func beat(at position: Position) -> Double {
    let index = meters.lastIndex { $0.bar <= position.bar } ?? 0
    let meter = meters[index]
    return meterBeats[index] + Double(position.bar - meter.bar) * meter.barLength
      + (position.part - 1) * meter.partLength
  }

  /// The position of a beat.
  public func position(atBeat beat: Double) -> Position {
    let index = meterBeats.lastIndex { $0 <= beat } ?? 0
    let (meter, inside) = (meters[index], beat - meterBeats[index])
    let bars = (inside / meter.barLength).rounded(.down)
    return Position(
      meter.bar + Int(bars), 1 + (inside - bars * meter.barLength) / meter.partLength)
  }

  /// The time of a position in seconds.
  public func time(at position: Position) -> Double { time(atBeat: beat(at: position)) }

  /// The position at a time in seconds.
  public func position(atTime time: Double) -> Position { position(atBeat: beat(atTime: time)) }

  /// The frame nearest to a beat, if beat 0 is at frame `start`.
  public func frame(atBeat beat: Double, from start: Int = 0, sampleRate: Double) -> Int {
    start + Int((time(atBeat: beat) * sampleRate).rounded())
  }
}
