import OpcodeKit

/// The recurrence of second-order filters, t[n] = x[n] - a t[n-1] - b t[n-2].
///
/// When a and b are constant for a k-cycle, four frames are computed at once (`SecondOrderLookahead`), so that only one
/// product and two additions lie between the states of every fourth frame.
///
/// When they change at audio rate, each change can add energy to the state t[n-1], t[n-2], more than the filter loses.
/// The state is therefore limited to what constant coefficients could produce from the same input (`SecondOrderReach`),
/// checked every eight frames.
struct SecondOrder: BitwiseCopyable {
  /// t[n-1] and t[n-2].
  private var t1 = 0.0, t2 = 0.0
  private var reach = SecondOrderReach()

  /// Filters frames with constant coefficients.
  @inline(__always)
  mutating func hold<Design: SecondOrderDesign>(
    _ input: AudioInput, _ output: AudioOutput, _ frames: Range<Int>,
    _ c: SecondOrderCoefficients, _ design: Design
  ) {
    var frame = frames.lowerBound
    if frames.count >= 8 {
      let ahead = SecondOrderLookahead(c)
      let levels = Pair(design.level(c))
      // In order of time.
      var last = Pair(t2, t1)
      while frame &+ 4 <= frames.upperBound {
        let (near, far) = ahead.next(
          input.pair(at: frame) * levels, input.pair(at: frame &+ 2) * levels, after: last)
        output.setPair(design.output(c, near, Pair(last[1], near[0]), last), at: frame)
        output.setPair(design.output(c, far, Pair(near[1], far[0]), near), at: frame &+ 2)
        last = far
        frame &+= 4
      }
      (t2, t1) = (last[0], last[1])
    }
    while frame < frames.upperBound {
      output[frame] = next(input[frame], c, design)
      frame &+= 1
    }
  }

  /// Filters frames with at least one a-rate control. Coefficients are computed for eight frames at once.
  ///
  /// The coefficients of the next eight frames are computed before the present eight are filtered, to fill the latency
  /// of the recursion.
  @inline(__always)
  mutating func follow<First: Signal, Second: Signal, Design: SecondOrderDesign>(
    _ input: AudioInput, _ output: AudioOutput, _ frames: Range<Int>, _ first: First,
    _ second: Second, samplePeriod: Double, _ design: Design
  ) {
    var frame = frames.lowerBound
    guard frame < frames.upperBound else { return }
    reach.settle(t1.magnitude + t2.magnitude)
    let controls = SecondOrderControls(first, second, at: frame, samplePeriod: samplePeriod)
    if frame &+ 8 <= frames.upperBound {
      var buffer = SecondOrderBuffer()
      var place = 0
      var step = buffer.set(
        controls.eight(at: frame, design), at: place, input.lanes(at: frame), design)
      while frame &+ 8 <= frames.upperBound {
        let end = frame &+ 8
        let other = SecondOrderBuffer.second &- place
        var nextStep = step
        if end &+ 8 <= frames.upperBound {
          nextStep = buffer.set(
            controls.eight(at: end, design), at: other, input.lanes(at: end), design)
        }
        while frame < end {
          let x = input[frame]
          let c = buffer.frame(at: place)
          output[frame] =
            controls.isOpen(at: frame, design) ? next(x, c, design) : design.held(x)
          frame &+= 1
          place &+= 1
        }
        reach.take(step, frames: 8)
        keepWithinReach()
        (place, step) = (other, nextStep)
      }
    }
    while frame &+ 2 <= frames.upperBound {
      let other = frame &+ 1
      let (x, y) = (input[frame], input[other])
      let both = controls.two(frame, other, design)
      let (isOpen, isOtherOpen) = (
        controls.isOpen(at: frame, design), controls.isOpen(at: other, design)
      )
      output[frame] = isOpen ? next(x, both[0], design) : design.held(x)
      output[other] = isOtherOpen ? next(y, both[1], design) : design.held(y)
      let sum = (x * design.level(both[0])).magnitude + (y * design.level(both[1])).magnitude
      reach.take(.init(sum: sum, stay: max(both[0].stay, both[1].stay)), frames: 2)
      keepWithinReach()
      frame &+= 2
    }
    if frame < frames.upperBound {
      let x = input[frame]
      let vector = controls.two(frame, frame, design)
      output[frame] =
        controls.isOpen(at: frame, design) ? next(x, vector, design) : design.held(x)
      let sum = (x * design.level(vector[0])).magnitude
      reach.take(.init(sum: sum, stay: vector[0].stay), frames: 1)
      keepWithinReach()
    }
  }

  /// Scales the state down when changing coefficients have made it larger than constant ones could.
  @inline(__always)
  private mutating func keepWithinReach() {
    let level = max(t1.magnitude, t2.magnitude)
    guard level > reach.limit else { return }
    let part = reach.limit / level
    (t1, t2) = (t1 * part, t2 * part)
  }

  /// One frame.
  @inline(__always)
  private mutating func next<Design: SecondOrderDesign>(
    _ input: Double, _ c: SecondOrderCoefficients, _ design: Design
  ) -> Double {
    let t = (input * design.level(c) - c.feedback2 * t2) - c.feedback1 * t1
    let y = design.output(c, Pair(t), Pair(t1), Pair(t2))[0]
    (t2, t1) = (t1, t)
    return y
  }

  /// Filters one frame with coefficients that are not yet divided out: only one product and one or two additions wait
  /// for the division or for the turn.
  @inline(__always)
  mutating func next<Design: SecondOrderDesign>(
    _ input: Double, _ vector: SecondOrderVector<Pair>, _ design: Design
  ) -> Double {
    let c = vector[0]
    let early = input * design.level(c) - (vector.near2 * t2 + vector.near1 * t1)
    let (over, turn) = (vector.over[0], vector.turn[0])
    let t = (early - over * (vector.feedback2[0] * t2)) - turn * (over * (vector.feedback1[0] * t1))
    let y = design.output(c, Pair(t), Pair(t1), Pair(t2))[0]
    (t2, t1) = (t1, t)
    return y
  }

  /// Cleans up the state at the beginning of a k-cycle: sets it to 0 when it is below -600 dB, too large, or NaN.
  @inline(__always)
  mutating func settle() {
    let level = t1.magnitude + t2.magnitude
    if !(level >= 1e-30 && level < 1e100) { (t1, t2) = (0, 0) }
  }
}

/// Maps a frequency in units of the sample rate to 0 … 0.5 with the same cosine; NaN becomes 0.5.
@inline(__always) @_semantics("no_performance_analysis")
func folded<V: Vector>(_ cycles: V) -> V {
  let magic = V(0x1.8p52)
  return .minimum((cycles - ((cycles + magic) - magic)).magnitude, V(0.5))
}
