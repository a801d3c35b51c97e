// fout PVSANAL ain, ifftsize, ioverlap, iwinsize, iwintype [, iformat [, iinit]]
//
// Streaming spectral analysis of a signal (phase vocoder): amplitudes and frequencies of ifftsize / 2 + 1 bins, every
// ioverlap samples.
//
//     X[k] = Σ w[n] x[n] exp(-2 π i k n / N),   N = ifftsize, n counted from the start of the note
//     amplitude[k] = |X[k]|       frequency[k] = sr k / N + sr Δ / (2 π ioverlap)
//
// Δ is the change of the angle of X[k] since the last spectrum, wrapped to -π to π (J. L. Flanagan and R. M. Golden,
// "Phase vocoder", Bell System Technical Journal 45, 1966; M. Dolson, "The phase vocoder: a tutorial", Computer Music
// Journal 10(4), 1986). The window w has iwinsize samples, whose sum is 2. If iwinsize is larger than N, the window is
// multiplied by sin(π n / N) / (π n / N) and the block is wrapped to N samples. The transform (`RealTransform`) and the
// angles (`Angles`) are computed several numbers at a time.
//
// The same as Csound's `pvsanal`, except that
// - ifftsize must be a power of two, and ioverlap at least ksmps and 11: there is no sliding analysis;
// - windows from tables (negative iwintype) and an iwinsize below ifftsize are init errors.
//
// Category: Spectral Processing:Streaming

import OpcodeKit

@Opcode("PVSANAL", "Spectra of a signal: amplitudes and frequencies")
struct SpectralAnalysis: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// The f-signal with the spectra.
    let output: SpectrumOutput
    /// The input signal.
    let input: AudioInput
    /// Transform size in samples: a power of two from 64 to 65536.
    let transformSize: InitInput
    /// Samples from one spectrum to the next: at least 11 and ksmps, at most ifftsize / 2.
    let overlap: InitInput
    /// Window size in samples: from ifftsize to 8 ifftsize.
    let windowSize: InitInput
    /// Window type: 0 Hamming, 1 Hann, 2 Kaiser.
    let windowKind: InitInput
    /// Ignored, as in `pvsanal`.
    @Default(0) let format: InitInput
    /// Ignored, as in `pvsanal`.
    @Default(0) let skip: InitInput
  }

  static let bufferCount = 4

  private let transform: RealTransform
  /// The window, the latest input samples, and a block in the order of its transform.
  private let window, history, block: Buffer<Double>
  /// The transform's memory, followed by the angles of the previous spectrum.
  private let angles: Buffer<Pair>
  private let anglesStart: Int
  /// Points of the window. For an even size the window has one more point, which is 0 and left out.
  private let points: Int
  private let overlap: Int
  /// Samples of the history that a spectrum covers: the window plus the latency.
  private let sight: Int
  /// Index in the history where these samples begin, and the number of samples received since.
  private var start = 0, arrived = 0
  /// Index in the block of the window's first sample.
  private var rotation: Int
  private let hertzPerRadian, hertzPerBin: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let size = try Self.transformSize(arguments.transformSize.value)
    overlap = try Self.whole(
      arguments.overlap, "ioverlap", from: max(11, context.ksmps), to: size / 2,
      "from 11 and ksmps to half of ifftsize")
    let windowSize = try Self.whole(
      arguments.windowSize, "iwinsize", from: size, to: 8 * size, "from ifftsize to 8 times that")
    let kind = try Self.whole(arguments.windowKind, "iwintype", from: 0, to: 2, "0, 1 or 2")
    guard let shape = SpectralWindow(rawValue: kind) else {
      throw OpcodeError(argument: "iwintype", is: Double(kind), mustBe: "0, 1 or 2")
    }
    window = try context.buffer(count: SpectralWindow.length(size: windowSize))
    shape.fillAnalysis(window, size: windowSize, transformSize: size)
    points = windowSize
    let half = windowSize / 2
    sight = window.count + overlap - 1 - half % overlap
    history = try context.buffer(count: 2 * sight + 4 * overlap)
    block = try context.buffer(count: size)
    let memoryLength = RealTransform.memoryLength(size: size)
    let memory = try context.buffer(of: Pair.self, count: memoryLength + size / 4 + 1)
    transform = RealTransform(size: size, memory: memory)
    anglesStart = memoryLength
    angles = memory
    rotation = (size * 8 * 8 - half / overlap * overlap - half) % size
    hertzPerRadian = Double(
      Float(Double(Float(context.sampleRate / Double(overlap))) / (2 * Double.pi)))
    hertzPerBin = Double(Float(context.sampleRate / Double(size)))
    arguments.output.prepare(
      transformSize: size, overlap: overlap, windowSize: windowSize, windowKind: kind, context)
  }

  private static func transformSize(_ value: Double) throws(OpcodeError) -> Int {
    let size = Math.whole(value, in: 0...65_537)
    guard size >= 64, size <= 65_536, size & (size - 1) == 0 else {
      throw OpcodeError(
        argument: "ifftsize", is: value, mustBe: "a power of two from 64 to 65536")
    }
    return size
  }

  private static func whole(
    _ argument: InitInput, _ name: StaticString, from low: Int, to high: Int,
    _ allowed: StaticString
  ) throws(OpcodeError) -> Int {
    let value = Math.whole(argument.value, in: -1...1_000_000)
    guard value >= low, value <= high, argument.value >= 0 else {
      throw OpcodeError(argument: name, is: argument.value, mustBe: allowed)
    }
    return value
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let (input, frames) = (arguments.input, context.frames)
    guard arguments.output.holds(transformSize: transform.size) else {
      throw OpcodeError("the f-signal was given another size; give each f-signal one opcode.")
    }
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      if arrived == overlap {
        analyse(arguments.output)
        arrived = 0
      }
      let run = min(overlap &- arrived, frames.upperBound &- frame)
      let target = start &+ sight &+ arrived
      var index = 0
      while index < run {
        history[target &+ index] = input[frame &+ index]
        index &+= 1
      }
      arrived &+= run
      frame &+= run
    }
  }

  /// Computes the next spectrum.
  private mutating func analyse(_ output: SpectrumOutput) {
    start &+= overlap
    fillBlock()
    transform.forward()
    let count = transform.size &>> 1
    var k = 0
    while k < count {
      let place = anglesStart &+ k &>> 1
      let (real, imaginary) = transform.lanes(at: k)
      let bins = bins(k, real, imaginary, angles.lanes(at: place))
      angles.setLanes(bins.angles, at: place)
      output.setLanes(amplitudes: bins.amplitudes, frequencies: bins.frequencies, at: k)
      k &+= 8
    }
    let place = anglesStart &+ count &>> 1
    let (real, imaginary) = transform[count]
    let bin = bins(count, Lanes(real[0]), Lanes(imaginary[0]), Lanes(angles[place][0]))
    angles[place] = Pair(bin.angles[0])
    output[0, count] = Bin(amplitude: bin.amplitudes[0], frequency: bin.frequencies[0])
    output.publish()
    rotation = (rotation &+ overlap) & (transform.size &- 1)
    if start &+ sight &+ overlap &+ overlap > history.count {
      var index = 0
      while index < sight {
        history[index] = history[start &+ index]
        index &+= 1
      }
      start = 0
    }
  }

  /// Fills the transform's block with the windowed and wrapped samples.
  @inline(__always)
  private func fillBlock() {
    let size = transform.size
    var (point, place) = (0, rotation)
    while point < size {
      let run = min(size &- place, size &- point)
      var index = 0
      while index < run {
        block[place &+ index] = window[point &+ index] * history[start &+ point &+ index]
        index &+= 1
      }
      point &+= run
      place = (place &+ run) & (size &- 1)
    }
    while point < points {
      let run = min(size &- place, points &- point)
      var index = 0
      while index < run {
        block[place &+ index] += window[point &+ index] * history[start &+ point &+ index]
        index &+= 1
      }
      point &+= run
      place = (place &+ run) & (size &- 1)
    }
    var n = 0
    while n < size {
      transform.setSamples(
        Pair(block[n], block[n &+ 1]), Pair(block[n &+ 2], block[n &+ 3]), at: n &>> 1)
      n &+= 4
    }
  }

  /// Eight bins from k on, computed from the complex spectrum and the angles of the previous one.
  @inline(__always)
  private func bins(_ k: Int, _ real: Lanes, _ imaginary: Lanes, _ before: Lanes) -> (
    amplitudes: Lanes, frequencies: Lanes, angles: Lanes
  ) {
    let amplitudes = (real * real + imaginary * imaginary).squareRoot
    // An inaudible bin keeps its previous angle, because its own is undefined.
    let change = (Angles.of(imaginary, real) - before).kept(where: amplitudes, isFrom: 1e-10)
    let turns = change * Lanes(1 / (2 * Double.pi))
    let magic = Lanes(0x1.8p52)
    let wrapped = change - ((turns + magic) - magic) * Lanes(2 * Double.pi)
    let indices = Lanes.count(from: Double(k))
    return (
      amplitudes, wrapped * Lanes(hertzPerRadian) + indices * Lanes(hertzPerBin), before + change
    )
  }
}
