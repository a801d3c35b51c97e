// aout PVSYNTH fin [, iinit]
//
// The sound of spectra: what `PVSANAL` takes apart, put together again.
//
//     φ[k] = φ[k] + 2 π ioverlap (frequency[k] - sr k / N) / sr
//     x[n] = w[n] / N Σ amplitude[k] exp(i φ[k]) exp(2 π i k n / N),   k from -N/2 to N/2
//
// every ioverlap samples, one over the other; w is the analysis's window, scaled so that all of them
// squared are 1 together (M. Dolson, "The phase vocoder: a tutorial", Computer Music Journal 10(4),
// 1986). φ is kept in turns, modulo 1; its sine and cosine (`Angles`) and the transform
// (`RealTransform`) are computed several numbers at a time.
//
// The same as Csound's `pvsynth` except that
//  - the transform must be a power of two and sliding signals are refused;
//  - where the window is not an even number of overlaps, `pvsynth` plays what lies before the note's
//    start four windows later; here it is silent;
//  - infinite and undefined frequencies do not stay.

import OpcodeKit

@Opcode("PVSYNTH", "Sound of spectra")
struct SpectralSynthesis: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The sound.
    let output: AudioOutput
    /// The spectra, amplitudes and frequencies; its transform a power of two from 64 to 65536, its window
    /// Hamming's, Hann's or Kaiser's. Another size during the note ends it.
    let input: SpectrumInput
    /// Not used, as in `pvsynth`.
    @Default(0) let skip: InitInput
  }

  static let bufferCount = 4

  private let transform: RealTransform
  /// The window, the sum of the blocks, and a block in the order of time.
  private let window, sum, block: Buffer<Double>
  /// The transform's memory and behind it the angles, in turns.
  private let memory: Buffer<Pair>
  private let anglesStart: Int
  private let overlap: Int
  /// Where in the sum the last block begins, and the samples played of what is done before it.
  private var start = 0, played = 0
  /// Samples before it that are played.
  private var ready = 0
  /// When the next block's middle is, in samples from the first that is heard.
  private var time: Int
  private var rotation: Int
  private let turnsPerHertz, hertzPerBin: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let input = arguments.input
    let (size, windowSize, overlap) = (input.transformSize, input.windowSize, input.overlap)
    guard input.holds(transformSize: size) else {
      throw OpcodeError(
        "the f-signal is not set up or slides; make it with PVSANAL in the lines above.")
    }
    guard size >= 64, size <= 65_536, size & (size - 1) == 0 else {
      throw OpcodeError(
        argument: "fin's transform", is: Double(size), mustBe: "a power of two from 64 to 65536")
    }
    guard let shape = SpectralWindow(rawValue: input.windowKind) else {
      throw OpcodeError(argument: "fin's window", is: Double(input.windowKind), mustBe: "0, 1 or 2")
    }
    guard windowSize > 1, windowSize <= 8 * size, overlap > 0, overlap <= windowSize else {
      throw OpcodeError(
        argument: "fin's window size", is: Double(windowSize),
        mustBe: "at least its overlap and at most 8 times its transform")
    }
    window = try context.buffer(count: SpectralWindow.length(size: windowSize))
    shape.fillSynthesis(window, size: windowSize, transformSize: size, overlap: overlap)
    sum = try context.buffer(count: 2 * window.count + 4 * overlap)
    block = try context.buffer(count: size)
    anglesStart = RealTransform.memoryLength(size: size)
    memory = try context.buffer(of: Pair.self, count: anglesStart + size / 4 + 1)
    transform = RealTransform(size: size, memory: memory)
    self.overlap = overlap
    let half = windowSize / 2
    time = -(half / overlap * overlap)
    rotation = (size * 8 * 8 + time - half) % size
    turnsPerHertz = Double(overlap) / context.sampleRate
    hertzPerBin = context.sampleRate / Double(size)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let (output, frames) = (arguments.output, context.frames)
    guard arguments.input.holds(transformSize: transform.size) else {
      throw OpcodeError("the f-signal was given another size; reinit this opcode with it.")
    }
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      if played == overlap {
        synthesize(arguments.input)
        played = 0
      }
      let run = min(overlap &- played, frames.upperBound &- frame)
      let source = start &- ready &+ played
      let heard = max(0, min(run, ready &- played))
      var index = 0
      while index < heard {
        output[frame &+ index] = sum[source &+ index]
        index &+= 1
      }
      while index < run {
        output[frame &+ index] = 0
        index &+= 1
      }
      played &+= run
      frame &+= run
    }
  }

  /// The next block, added to those before.
  private mutating func synthesize(_ input: SpectrumInput) {
    let count = transform.size &>> 1
    var k = 0
    while k < count {
      let place = anglesStart &+ k &>> 1
      let (amplitudes, frequencies) = input.lanes(at: k)
      let numbers = numbers(k, amplitudes, frequencies, memory.lanes(at: place))
      memory.setLanes(numbers.turns, at: place)
      transform.setLanes(numbers.real, numbers.imaginary, at: k)
      k &+= 8
    }
    let (last, place) = (input[0, count], anglesStart &+ count &>> 1)
    let end = numbers(
      count, Lanes(last.amplitude), Lanes(last.frequency), Lanes(memory[place][0]))
    memory[place] = Pair(end.turns[0])
    transform[count] = (Pair(end.real[0]), Pair(end.imaginary[0]))
    let result = transform.backward(level: 1)
    var n = 0
    while n < transform.size {
      let (near, far) = transform.samples(result, at: n &>> 1)
      (block[n], block[n &+ 1], block[n &+ 2], block[n &+ 3]) = (near[0], near[1], far[0], far[1])
      n &+= 4
    }
    addBlock()
    ready = max(0, min(overlap, time &- window.count &>> 1))
    time &+= overlap
    rotation = (rotation &+ overlap) & (transform.size &- 1)
  }

  /// Adds the block, wrapped round and windowed, to the sum.
  @inline(__always)
  private mutating func addBlock() {
    let (size, points) = (transform.size, window.count)
    if start &+ overlap &+ points > sum.count {
      var index = 0
      while index < points {
        sum[index] = sum[start &+ index]
        index &+= 1
      }
      start = 0
    }
    start &+= overlap
    var point = max(0, points &- overlap)
    while point < points {
      sum[start &+ point] = 0
      point &+= 1
    }
    point = 0
    var place = rotation
    while point < points {
      let run = min(size &- place, points &- point)
      var index = 0
      while index < run {
        sum[start &+ point &+ index] += window[point &+ index] * block[place &+ index]
        index &+= 1
      }
      point &+= run
      place = (place &+ run) & (size &- 1)
    }
  }

  /// Numbers of the spectrum from k on, and how far their angles have gone, in turns.
  @inline(__always)
  private func numbers(_ k: Int, _ amplitudes: Lanes, _ frequencies: Lanes, _ before: Lanes) -> (
    real: Lanes, imaginary: Lanes, turns: Lanes
  ) {
    let magic = Lanes(0x1.8p52)
    let bins = Lanes.count(from: Double(k)) * Lanes(hertzPerBin)
    let sum = before + (frequencies - bins) * Lanes(turnsPerHertz)
    let turns = Lanes.minimum(.maximum(sum - ((sum + magic) - magic), Lanes(-0.5)), Lanes(0.5))
    let (cosine, sine) = Angles.point(turns: turns)
    return (amplitudes * cosine, amplitudes * sine, turns)
  }
}
