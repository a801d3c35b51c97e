// A rotor of a Leslie speaker, as ROTARY turns two of them.

import OpcodeKit

/// How fast a rotor turns, and on its way to another speed.
package struct RotorSpeed: BitwiseCopyable {
  /// Turns a second when slow and fast.
  package let slow, fast: Double
  /// Seconds after which it has come 1 - 1/e of the way to a higher and to a lower speed.
  package let rise, fall: Double
  package private(set) var hertz = 0.0

  package static let horn = RotorSpeed(slow: 0.672, fast: 7.056, rise: 0.161, fall: 0.321)
  package static let drum = RotorSpeed(slow: 0.667, fast: 5.955, rise: 4.127, fall: 1.371)

  private init(slow: Double, fast: Double, rise: Double, fall: Double) {
    (self.slow, self.fast, self.rise, self.fall) = (slow, fast, rise, fall)
  }

  /// What it goes to: 0 stops, 1 is slow, 2 fast.
  package func target(_ setting: Int) -> Double { setting == 0 ? 0 : setting == 1 ? slow : fast }

  package mutating func jump(to setting: Int) { hertz = target(setting) }

  /// Goes on by some seconds; how many turns that was.
  package mutating func advance(by seconds: Double, to setting: Int) -> Double {
    let target = target(setting)
    let constant = target > hertz ? rise : fall
    let rest = Math.exp(-seconds / constant)
    let turns = target * seconds + (hertz - target) * constant * (1 - rest)
    hertz = target + (hertz - target) * rest
    return turns
  }
}

/// Where a rotor's mouth is and how it sounds there.
package struct RotorShape: BitwiseCopyable {
  /// From the axis to where the sound leaves it, m.
  package let radius: Double
  /// What is left behind it of the sound below and above `split`, Hz.
  package let behindLow, behindHigh: Double
  package let split: Double

  package static let horn = RotorShape(
    radius: 0.192, behindLow: 0.45, behindHigh: 0.12, split: 2_500)
  package static let drum = RotorShape(radius: 0.22, behindLow: 0.9, behindHigh: 0.4, split: 250)

  private init(radius: Double, behindLow: Double, behindHigh: Double, split: Double) {
    (self.radius, self.behindLow) = (radius, behindLow)
    (self.behindHigh, self.split) = (behindHigh, split)
  }

  /// How it is heard from `distance` m, when it points `turns` to the side of there.
  package func path(turns: Double, distance: Double) -> RotorPath {
    let cosine = Math.cos(2 * Double.pi * turns)
    let way = Math.sqrt(
      max(1e-6, distance * distance + radius * radius - 2 * distance * radius * cosine))
    // From 1 where it points at the ear to 0 where it points away.
    let facing = 0.5 + 0.5 * (distance * cosine - radius) / way
    let near = distance / way
    return RotorPath(
      metres: way, low: near * (behindLow + (1 - behindLow) * facing),
      high: near * (behindHigh + (1 - behindHigh) * facing))
  }
}

/// A way from a rotor to an ear: how long it is, and the gains of lower and higher sound.
package struct RotorPath: BitwiseCopyable {
  package var metres = 0.0
  package var low = 0.0, high = 0.0
}

/// A rotor in its cabinet, heard by two microphones, each also by the wall behind the rotor.
struct Rotor: BitwiseCopyable {
  private let shape: RotorShape
  private var speed: RotorSpeed
  /// 1 and -1 for the directions.
  private let direction: Double
  /// Where it points, in turns from the front to the right.
  private var turns = 0.0
  /// What it plays, in two bands side by side; a power of two.
  private let ring: Buffer<Pair>
  private let paths: Buffer<MovingPath>
  private var write = 0
  private let splitter: Double
  private var lowpass = 0.0
  private let framesPerMetre: Double

  /// A path on its way to where it is when the next segment begins.
  private struct MovingPath: BitwiseCopyable {
    var delay = 0.0, delayStep = 0.0
    var gains = Pair(0), gainsStep = Pair(0)
  }

  /// Frames of a segment.
  static var segment: Int { 16 }
  private static var soundSpeed: Double { 340 }
  /// From the axis to the wall behind it, m; the wall returns 0.35 of the sound.
  private static var wall: Double { 0.25 }
  static var longestWay: Double { 3.5 }

  init(
    _ shape: RotorShape, _ speed: RotorSpeed, direction: Double, buffer: Int, _ context: Context
  ) throws(OpcodeError) {
    (self.shape, self.speed, self.direction) = (shape, speed, direction)
    framesPerMetre = context.sampleRate / Self.soundSpeed
    var count = 64
    while Double(count) < Self.longestWay * framesPerMetre + 8 { count *= 2 }
    ring = try context.buffer(buffer, of: Pair.self, count: count)
    paths = try context.buffer(buffer + 1, of: MovingPath.self, count: 4)
    splitter = 1 - Math.exp(-2 * Double.pi * shape.split / context.sampleRate)
  }

  /// Turns at a speed from the first frame on.
  mutating func begin(_ setting: Int, _ place: RotorPlace) {
    speed.jump(to: setting)
    for index in 0..<4 {
      let path = path(index, place)
      paths[index].delay = path.metres * framesPerMetre + 1
      paths[index].gains = Pair(path.low, path.high)
    }
  }

  /// Goes to where it points a segment later.
  mutating func turn(_ setting: Int, _ place: RotorPlace) {
    let frames = Double(Self.segment)
    let seconds = frames / (framesPerMetre * Self.soundSpeed)
    turns = Math.fraction(turns + direction * speed.advance(by: seconds, to: setting))
    for index in 0..<4 {
      let path = path(index, place)
      let now = paths[index]
      paths[index].delayStep = (path.metres * framesPerMetre + 1 - now.delay) / frames
      paths[index].gainsStep = (Pair(path.low, path.high) - now.gains) * Pair(1 / frames)
    }
  }

  /// Left and right microphone, then their mirror images behind the wall.
  private func path(_ index: Int, _ place: RotorPlace) -> RotorPath {
    let side = (index & 1 == 0 ? -0.5 : 0.5) * place.angle
    if index < 2 { return shape.path(turns: turns - side, distance: place.distance) }
    var path = shape.path(
      turns: turns - side - 0.5, distance: place.distance + 2 * Self.wall)
    // As loud as the way is long, beside the microphone in front.
    let level = 0.35 * place.cabinet * place.distance / (place.distance + 2 * Self.wall)
    (path.low, path.high) = (path.low * level, path.high * level)
    return path
  }

  /// One sample in, left and right out.
  @inline(__always) @_semantics("no_performance_analysis")
  mutating func next(_ input: Double) -> Pair {
    lowpass += splitter * (input - lowpass)
    let mask = ring.count &- 1
    write = (write &+ 1) & mask
    ring[write] = Pair(lowpass, input - lowpass)
    let (left, right) = (read(0) + read(2), read(1) + read(3))
    return .firsts(left, right) + .seconds(left, right)
  }

  /// Both bands of a path, on the cubic through four samples.
  @inline(__always) @_semantics("no_performance_analysis")
  private func read(_ index: Int) -> Pair {
    let path = paths[index]
    paths[index].delay = path.delay + path.delayStep
    paths[index].gains = path.gains + path.gainsStep
    let whole = Int(path.delay)
    let t = path.delay - Double(whole)
    let mask = ring.count &- 1
    let first = write &- whole &+ 1
    let (a, b, c) = (t - 1, t - 2, t + 1)
    let y0 = ring[first & mask] * Pair(t * a * b * (-1.0 / 6))
    let y1 = ring[(first &- 1) & mask] * Pair(c * a * b * 0.5)
    let y2 = ring[(first &- 2) & mask] * Pair(c * t * b * -0.5)
    let y3 = ring[(first &- 3) & mask] * Pair(c * t * a * (1.0 / 6))
    return path.gains * ((y0 + y1) + (y2 + y3))
  }

  mutating func settle() { if lowpass.magnitude < 1e-30 { lowpass = 0 } }
}

/// Where the microphones stand: turns between them, m from the axis; how much the cabinet is heard.
struct RotorPlace: BitwiseCopyable {
  var angle, distance, cabinet: Double
}
