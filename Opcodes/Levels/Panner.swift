// aleft, aright PAN2 ain, xposition [, imode]
//
// Places a signal between two channels by one of four laws. With p = xposition, left and right get the signal times
//
//     imode 0, 3     cos(π p / 2)     sin(π p / 2)
//     imode 1        √(1 - p)         √p
//     imode 2        1 - p            p
//
// Modes 0, 1 and 3 keep the power of both channels together at 1. The signal is all left at 0 and all right at 1.
//
// Differs from Csound's `pan2`:
// - mode 3 of Csound 6.18 has the signal all left at 0.5 and all right at -0.5, against its manual; that of Csound 7.0 is
//   the same as mode 0, as here;
// - in mode 1 a position is limited to 0 … 1; `pan2` puts out NaN beyond;
// - the right output can be the input's variable; the left one of `pan2` is wrong then;
// - a NaN counts as position 0, except in mode 2.
//
// Four frames are computed at once, sine and cosine with polynomials (`HalfTurn`). A k-rate position is constant for the
// whole k-cycle; take an a-rate one where it moves.
//
// Category: Signal Modifiers:Panning and Spatialization

import OpcodeKit

@Opcode("PAN2", "Places a signal between two channels")
struct Panner<Position: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The left and the right channel.
    let left, right: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// The position, from 0 (left) to 1 (right); k-rate or a-rate. Beyond, modes 0 and 3 go round a circle, mode 2 goes on
    /// along its lines, and mode 1 stays.
    let position: Position
    /// Law: 0 to 3 (see the description), rounded; anything else is an init error. Default 0.
    @Default(0) let mode: InitInput
  }

  private let law: PanLaw
  /// The gains for a k-rate position.
  private var gains: (left: Double, right: Double)
  private var last = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let mode = arguments.mode.value
    let number = Math.whole(Math.nearestWhole(mode), in: -1...4)
    guard let law = PanLaw(rawValue: number == 3 ? 0 : number) else {
      throw OpcodeError(argument: "imode", is: mode, mustBe: "0, 1, 2 or 3")
    }
    self.law = law
    gains = law.gains(0)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    guard Position.isAudioRate else { return place(arguments, context.frames) }
    switch law {
    case .circle: place(arguments, context.frames, CirclePan.self)
    case .root: place(arguments, context.frames, RootPan.self)
    case .line: place(arguments, context.frames, LinePan.self)
    }
  }

  private mutating func place(_ arguments: Arguments, _ frames: Range<Int>) {
    var (frame, end) = (frames.lowerBound, frames.upperBound)
    guard frame < end else { return }
    let position = arguments.position[frame]
    if position != last { (gains, last) = (law.gains(position), position) }
    let (left, right) = gains
    while frame &+ 4 <= end {
      let input = arguments.input.quad(at: frame)
      arguments.left.setQuad(input * Quad(left), at: frame)
      arguments.right.setQuad(input * Quad(right), at: frame)
      frame &+= 4
    }
    while frame < end {
      let input = arguments.input[frame]
      (arguments.left[frame], arguments.right[frame]) = (input * left, input * right)
      frame &+= 1
    }
  }

  @inline(__always)
  private func place<Gains: PanGains>(
    _ arguments: Arguments, _ frames: Range<Int>, _ law: Gains.Type
  ) {
    var (frame, end) = (frames.lowerBound, frames.upperBound)
    while frame &+ 4 <= end {
      let input = arguments.input.quad(at: frame)
      let (left, right) = Gains.gains(arguments.position.quad(at: frame))
      arguments.left.setQuad(input * left, at: frame)
      arguments.right.setQuad(input * right, at: frame)
      frame &+= 4
    }
    while frame < end {
      let input = arguments.input[frame]
      let (left, right) = Gains.gains(Pair(arguments.position[frame]))
      (arguments.left[frame], arguments.right[frame]) = (input * left[0], input * right[0])
      frame &+= 1
    }
  }
}

private enum PanLaw: Int, BitwiseCopyable {
  case circle, root, line

  func gains(_ position: Double) -> (left: Double, right: Double) {
    let both: (left: Pair, right: Pair) =
      switch self {
      case .circle: CirclePan.gains(Pair(position))
      case .root: RootPan.gains(Pair(position))
      case .line: LinePan.gains(Pair(position))
      }
    return (both.left[0], both.right[0])
  }
}

/// The gains of the left and the right channel by the position.
private protocol PanGains {
  static func gains<V: Vector>(_ position: V) -> (left: V, right: V)
}

private enum CirclePan: PanGains {
  /// Half turns are cut off, whose number gives the sign.
  @inline(__always) @_semantics("no_performance_analysis")
  static func gains<V: Vector>(_ position: V) -> (left: V, right: V) {
    // A NaN becomes -2^30, which is as 0.
    let turns = V(0.5) * .minimum(.maximum(position, V(-0x1p30)), V(0x1p30))
    let magic = V(0x1.8p52)
    let whole = (turns + magic) - magic
    let rest = turns - whole
    // 0, or for odd ones half a turn forwards or back.
    let half = V(0.5) * whole
    let odd = half - ((half + magic) - magic)
    let sign = V(1) - V(4) * odd.magnitude
    return (sign * HalfTurn.cosine(rest), sign * HalfTurn.sine(rest))
  }
}

private enum RootPan: PanGains {
  @inline(__always) @_semantics("no_performance_analysis")
  static func gains<V: Vector>(_ position: V) -> (left: V, right: V) {
    let within = V.minimum(.maximum(position, V(0)), V(1))
    return ((V(1) - within).squareRoot, within.squareRoot)
  }
}

private enum LinePan: PanGains {
  @inline(__always) @_semantics("no_performance_analysis")
  static func gains<V: Vector>(_ position: V) -> (left: V, right: V) {
    (V(1) - position, position)
  }
}
