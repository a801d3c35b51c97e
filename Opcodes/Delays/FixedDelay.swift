// aout DELAY ain, idelay [, iskip]
//
// Delays a signal by a constant time, rounded to whole samples.
//
// The same as Csound's `delay`. Four frames are moved at once.
//
// Category: Signal Modifiers:Delay

import OpcodeKit

@Opcode("DELAY", "Delay by a constant time")
struct FixedDelay: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The delayed signal.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Delay in seconds, at least half a sample and at most one hour; anything else is an init error.
    let delay: InitInput
    /// Nonzero keeps the delay line of the previous note in the same memory, as long as it was. Default 0.
    @Default(0) let skip: InitInput
  }

  static var bufferCount: Int { 1 }

  private let samples: Buffer<Double>
  /// Where the oldest sample is.
  private var place = 0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let delay = arguments.delay.value
    let count = (delay * context.sampleRate).rounded(.toNearestOrEven)
    guard count >= 1, delay <= 3600 else {
      throw OpcodeError(argument: "idelay", is: delay, mustBe: "from one sample to 3600 s")
    }
    samples = try context.buffer(count: Int(count))
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    var (frame, end) = (context.frames.lowerBound, context.frames.upperBound)
    while frame < end {
      // As far as the end of the ring.
      let last = min(end, frame &+ (samples.count &- place))
      while frame &+ 4 <= last {
        let (old, new) = (samples.quad(at: place), arguments.input.quad(at: frame))
        samples.setQuad(new, at: place)
        arguments.output.setQuad(old, at: frame)
        (frame, place) = (frame &+ 4, place &+ 4)
      }
      while frame < last {
        let (old, new) = (samples[place], arguments.input[frame])
        samples[place] = new
        arguments.output[frame] = old
        (frame, place) = (frame &+ 1, place &+ 1)
      }
      if place == samples.count { place = 0 }
    }
  }
}
