// The real Fourier transform and its inverse, to be compared and timed with FFTW's.

import OpcodeKit

@Opcode("TOOLFFT", "Blocks, transformed and transformed back")
struct TransformPart: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The input, a block later.
    let output: AudioOutput
    let input: AudioInput
    /// Samples in a block: a power of two, at least 16.
    let size: InitInput
  }

  static var bufferCount: Int { 2 }

  private let transform: RealTransform
  /// The block that is being collected, and the one that is being played.
  private let samples: Buffer<Double>
  private var place = 0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let size = Int(max(16, min(arguments.size.value, 0x1p20)))
    guard Double(size) == arguments.size.value, size & (size - 1) == 0 else {
      throw OpcodeError(
        argument: "isize", is: arguments.size.value, mustBe: "a power of two from 16 to 1048576")
    }
    let memory = try context.buffer(of: Pair.self, count: RealTransform.memoryLength(size: size))
    transform = RealTransform(size: size, memory: memory)
    samples = try context.buffer(of: Double.self, count: 2 * size)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let size = transform.size
    for frame in context.frames {
      samples[place] = arguments.input[frame]
      arguments.output[frame] = samples[size &+ place]
      place &+= 1
      if place == size {
        place = 0
        turn(size)
      }
    }
  }

  private func turn(_ size: Int) {
    var index = 0
    while index < size {
      transform.setSamples(
        Pair(samples[index], samples[index &+ 1]), Pair(samples[index &+ 2], samples[index &+ 3]),
        at: index &>> 1)
      index &+= 4
    }
    transform.forward()
    let result = transform.backward(level: 1)
    index = 0
    while index < size {
      let (near, far) = transform.samples(result, at: index &>> 1)
      let place = size &+ index
      (samples[place], samples[place &+ 1]) = (near[0], near[1])
      (samples[place &+ 2], samples[place &+ 3]) = (far[0], far[1])
      index &+= 4
    }
  }
}
