import OpcodeKit

/// Ramp, rectangle and triangle of an oscillator with corrected jumps and corners.
struct VCS3Lines: BitwiseCopyable {
  private var first, second: MinBLEP
  private let delay: Double
  /// The width of the rectangle, and the one asked for; 0 before the first sample.
  private var width = 0.0, asked = 0.0
  /// The triangle's slopes, up and down, in units per cycle.
  private var rise = 0.0, fall = 0.0
  private var isHigh = false
  /// The way in cycles to the last sample.
  private var lastStep = 0.0

  init(_ first: MinBLEP, _ second: MinBLEP) {
    (self.first, self.second) = (first, second)
    delay = second.delay
  }

  /// 2 `phase` - 1; `step` is the way in cycles from the last sample.
  @inline(__always) @_semantics("no_performance_analysis")
  mutating func ramp(_ phase: Double, _ step: Double) -> Double {
    if step != lastStep { bend(2, to: step) }
    // The first sample has no jump before it.
    if phase < step, width > 0 { second.jump(by: -2, before: phase / step) }
    width = 1
    return (phase + phase - 1) - 2 * step * delay + second.next()
  }

  /// A width from 0.01 to 0.99 for the samples to come.
  @inline(__always)
  mutating func setWidth(_ width: Double) { asked = width }

  /// The rectangle and its triangle; `step` is the way in cycles from the last sample.
  @inline(__always) @_semantics("no_performance_analysis")
  mutating func rectangleAndTriangle(_ phase: Double, _ step: Double) -> (Double, Double) {
    if step != lastStep { bend(isHigh ? rise : -fall, to: step) }
    let last = phase - step
    if _slowPath(last < 0 || last < width && phase >= width) { pass(from: last, to: phase, step) }
    if _slowPath(width != asked) { change(phase, step) }
    let slope = isHigh ? rise : -fall
    let triangle = isHigh ? phase * rise - 1 : 1 - (phase - width) * fall
    return (
      (isHigh ? 1 : -1) + first.next(), (triangle - slope * step * delay) + second.next()
    )
  }

  /// Another frequency from the last sample on: the line, whose slope is in units per cycle, has a corner there.
  @inline(__always) @_semantics("no_performance_analysis")
  private mutating func bend(_ slope: Double, to step: Double) {
    second.bend(by: slope * (step - lastStep))
    lastStep = step
  }

  /// What lies between the last sample and this one, in order of time. `last` is below 0 where the cycle ended.
  @inline(never) @_semantics("no_performance_analysis")
  private mutating func pass(from last: Double, to phase: Double, _ step: Double) {
    // Before the first sample there is nothing.
    guard width > 0, step > 0 else { return }
    if last < 0 {
      if last < width - 1 { turn(up: false, (phase + 1 - width) / step, step) }
      turn(up: true, phase / step, step)
    }
    if last < width, phase >= width { turn(up: false, (phase - width) / step, step) }
  }

  /// The beginning of the rise or of the fall, `fraction` of a sample ago.
  @inline(__always) @_semantics("no_performance_analysis")
  private mutating func turn(up isUp: Bool, _ fraction: Double, _ step: Double) {
    guard isHigh != isUp else { return }
    isHigh = isUp
    first.jump(by: isUp ? 2 : -2, before: fraction)
    let corner = (rise + fall) * step
    second.corner(by: isUp ? corner : -corner, before: fraction)
  }

  /// Another width, from this sample on.
  @inline(never) @_semantics("no_performance_analysis")
  private mutating func change(_ phase: Double, _ step: Double) {
    let (wasHigh, isFirst) = (isHigh, width == 0)
    let triangle = wasHigh ? phase * rise - 1 : 1 - (phase - width) * fall
    let slope = wasHigh ? rise : -fall
    (width, rise, fall) = (asked, 2 / asked, 2 / (1 - asked))
    isHigh = phase < width
    guard !isFirst else { return }
    if isHigh != wasHigh { first.jump(by: isHigh ? 2 : -2, before: 0) }
    second.jump(
      by: (isHigh ? phase * rise - 1 : 1 - (phase - width) * fall) - triangle, before: 0)
    second.corner(by: ((isHigh ? rise : -fall) - slope) * step, before: 0)
  }
}
