// aout PVSYNTH fin [, iinit]
//
// Resynthesizes a signal from spectra: the inverse of `PVSANAL`.
//
//     φ[k] = φ[k] + 2 π ioverlap (frequency[k] - sr k / N) / sr
//     x[n] = w[n] / N Σ amplitude[k] exp(i φ[k]) exp(2 π i k n / N),   k from -N/2 to N/2
//
// every ioverlap samples, overlapped and added. w is the window of the analysis, scaled so that its overlapped squares
// add up to 1 (M. Dolson, "The phase vocoder: a tutorial", Computer Music Journal 10(4), 1986). φ is stored in turns,
// modulo 1. Its sine and cosine (`Angles`) and the transform (`RealTransform`) are computed several numbers at a time.
//
// The same as Csound's `pvsynth`, except that
// - the transform size must be a power of two, and sliding signals are init errors;
// - if the window is not an even number of overlaps, `pvsynth` plays the block from before the start of the note four
//   windows later; PVSYNTH is silent there;
// - an infinite or NaN frequency does not stay in the phases.
//
// Category: Spectral Processing:Streaming

import OpcodeKit

@Opcode("PVSYNTH", "Sound of spectra")
struct SpectralSynthesis: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The output signal.
    let output: AudioOutput
    /// The f-signal with amplitudes and frequencies. Its transform size must be a power of two from 64 to 65536, its
    /// window Hamming, Hann or Kaiser. If its size changes during a note, the note ends with an error.
    let input: SpectrumInput
    /// Ignored, as in `pvsynth`.
    @Default(0) let skip: InitInput
  }

  static let bufferCount = 4

  private let transform: RealTransform
  /// The window, the overlap-add buffer, and a block in the order of time.
  private let window, sum, block: Buffer<Double>
  /// The transform's memory, followed by the phases in turns.
  private let memory: Buffer<Pair>
  private let anglesStart: Int
  private let overlap: Int
  /// Index in the overlap-add buffer where the last block begins, and the number of finished samples already played.
  private var start = 0, played = 0
  /// Number of finished samples before that index that are to be played.
  private var ready = 0
  /// Position of the next block's middle, in samples from the first audible one.
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

  /// Computes the next block and adds it to the previous ones.
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

  /// Adds the windowed and wrapped block to the overlap-add buffer.
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

  /// Eight numbers of the spectrum from k on, and their new phases in turns.
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
