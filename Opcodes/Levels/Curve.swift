import OpcodeKit

/// A waveshaping curve without memory, through the origin.
package protocol Curve: BitwiseCopyable {
  func callAsFunction<V: Vector>(_ input: V) -> V

  /// The same for a single frame.
  func callAsFunction(_ input: Double) -> Double

  /// The magnitude up to which a signal passes unchanged; 0 when none does.
  var straight: Double { get }
}

extension Curve {
  @inline(__always) package func callAsFunction(_ input: Double) -> Double { self(Pair(input))[0] }

  @inline(__always) package var straight: Double { 0 }

  @inline(__always)
  func shape(_ input: AudioInput, to output: AudioOutput, _ context: Context) {
    let frames = context.frames
    var frame = frames.lowerBound
    while frame &+ 8 <= frames.upperBound {
      let x = input.lanes(at: frame)
      output.setLanes(_fastPath(!x.isWithin(straight)) ? self(x) : x, at: frame)
      frame &+= 8
    }
    while frame &+ 2 <= frames.upperBound {
      output.setPair(self(input.pair(at: frame)), at: frame)
      frame &+= 2
    }
    if frame < frames.upperBound {
      let x = input[frame]
      output[frame] = x.magnitude <= straight ? x : self(x)
    }
  }

  /// Throws when another opcode has changed the length of either array since the init pass.
  @inline(__always)
  func shape(
    _ input: ArrayInput<AudioInput>, to output: ArrayOutput<AudioOutput>, _ context: Context
  ) throws(OpcodeError) {
    let count = input.count
    guard output.count == count else {
      throw OpcodeError("the length of its array has changed since the init pass.")
    }
    var channel = 0
    while channel < count {
      shape(input[channel], to: output[channel], context)
      channel &+= 1
    }
  }
}
