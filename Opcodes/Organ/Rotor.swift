// A rotor of a Leslie speaker; ROTARY has two.

import OpcodeKit

/// The speed of a rotor and its change to another speed.
package struct RotorSpeed: BitwiseCopyable {
  /// Speeds in turns per second.
  package let slow, fast: Double
  /// Time constants in seconds, for a change to a higher and to a lower speed.
  package let rise, fall: Double
  package private(set) var hertz = 0.0

  package static let horn = RotorSpeed(slow: 0.672, fast: 7.056, rise: 0.161, fall: 0.321)
  package static let drum = RotorSpeed(slow: 0.667, fast: 5.955, rise: 4.127, fall: 1.371)

  private init(slow: Double, fast: Double, rise: Double, fall: Double) {
    (self.slow, self.fast, self.rise, self.fall) = (slow, fast, rise, fall)
  }

  /// The target speed: 0 stopped, 1 slow, 2 fast.
  package func target(_ setting: Int) -> Double { setting == 0 ? 0 : setting == 1 ? slow : fast }

  package mutating func jump(to setting: Int) { hertz = target(setting) }

  /// Advances by some seconds; returns the number of turns.
  package mutating func advance(by seconds: Double, to setting: Int) -> Double {
    let target = target(setting)
    let constant = target > hertz ? rise : fall
    let rest = Math.exp(-seconds / constant)
    let turns = target * seconds + (hertz - target) * constant * (1 - rest)
    hertz = target + (hertz - target) * rest
    return turns
  }
}

/// The size and the directivity of a rotor.
package struct RotorShape: BitwiseCopyable {
  /// Distance in m from the axis to the mouth.
  package let radius: Double
  /// Gains behind the rotor for sound below and above the frequency `split`, in Hz.
  package let behindLow, behindHigh: Double
  package let split: Double

  package static let horn = RotorShape(
    radius: 0.192, behindLow: 0.45, behindHigh: 0.12, split: 2_500)
  package static let drum = RotorShape(radius: 0.22, behindLow: 0.9, behindHigh: 0.4, split: 250)

  private init(radius: Double, behindLow: Double, behindHigh: Double, split: Double) {
    (self.radius, self.behindLow) = (radius, behindLow)
    (self.behindHigh, self.split) = (behindHigh, split)
  }

  /// The path to a point `distance` m from the axis, when the mouth points `turns` away from it.
  package func path(turns: Double, distance: Double) -> RotorPath {
    let cosine = Math.cos(2 * Double.pi * turns)
    let way = Math.sqrt(
      max(1e-6, distance * distance + radius * radius - 2 * distance * radius * cosine))
    // 1 where the mouth points at the listener, 0 where it points away.
    let facing = 0.5 + 0.5 * (distance * cosine - radius) / way
    let near = distance / way
    return RotorPath(
      metres: way, low: near * (behindLow + (1 - behindLow) * facing),
      high: near * (behindHigh + (1 - behindHigh) * facing))
  }
}

/// A path from a rotor to a listener: its length, and the gains of low and high frequencies.
package struct RotorPath: BitwiseCopyable {
  package var metres = 0.0
  package var low = 0.0, high = 0.0
}

/// A rotor in its cabinet with two microphones, which also receive its reflection from the wall.
struct Rotor: BitwiseCopyable {
  private let shape: RotorShape
  private var speed: RotorSpeed
  /// The direction of rotation: 1 or -1.
  private let direction: Double
  /// The angle of the mouth, in turns from the front to the right.
  private var turns = 0.0
  /// A ring buffer of the rotor's input in two bands; its size is a power of two.
  private let ring: Buffer<Pair>
  private let paths: Buffer<MovingPath>
  private var write = 0
  private let splitter: Double
  private var lowpass = 0.0
  private let framesPerMetre: Double

  /// A path, interpolated to its values at the beginning of the next segment.
  private struct MovingPath: BitwiseCopyable {
    var delay = 0.0, delayStep = 0.0
    var gains = Pair(0), gainsStep = Pair(0)
  }

  /// Frames in a segment.
  static var segment: Int { 16 }
  private static var soundSpeed: Double { 340 }
  /// Distance in m from the axis to the wall; the wall reflects 0.35 of the amplitude.
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

  /// Starts at a speed, before the first frame.
  mutating func begin(_ setting: Int, _ place: RotorPlace) {
    speed.jump(to: setting)
    for index in 0..<4 {
      let path = path(index, place)
      paths[index].delay = path.metres * framesPerMetre + 1
      paths[index].gains = Pair(path.low, path.high)
    }
  }

  /// Computes the angle at the end of the next segment.
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

  /// Paths 0 and 1 lead to the left and the right microphone, 2 and 3 to their mirror images behind
  /// the wall.
  private func path(_ index: Int, _ place: RotorPlace) -> RotorPath {
    let side = (index & 1 == 0 ? -0.5 : 0.5) * place.angle
    if index < 2 { return shape.path(turns: turns - side, distance: place.distance) }
    var path = shape.path(
      turns: turns - side - 0.5, distance: place.distance + 2 * Self.wall)
    // The level relative to the direct path, which falls with the length of the reflected path.
    let level = 0.35 * place.cabinet * place.distance / (place.distance + 2 * Self.wall)
    (path.low, path.high) = (path.low * level, path.high * level)
    return path
  }

  /// Processes one sample; returns left and right.
  @inline(__always) @_semantics("no_performance_analysis")
  mutating func next(_ input: Double) -> Pair {
    lowpass += splitter * (input - lowpass)
    let mask = ring.count &- 1
    write = (write &+ 1) & mask
    ring[write] = Pair(lowpass, input - lowpass)
    let (left, right) = (read(0) + read(2), read(1) + read(3))
    return .firsts(left, right) + .seconds(left, right)
  }

  /// Reads both bands of a path with cubic interpolation.
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

/// The positions of the microphones: the angle between them in turns, their distance from the axis
/// in m; and the level of the reflection.
struct RotorPlace: BitwiseCopyable {
  var angle, distance, cabinet: Double
}
