// fout PVSANAL ain, ifftsize, ioverlap, iwinsize, iwintype [, iformat [, iinit]]
//
// The spectra of a signal: amplitudes and frequencies of ifftsize / 2 + 1 bins, every ioverlap samples.
//
//     X[k] = Σ w[n] x[n] exp(-2 π i k n / N),   N = ifftsize, n counted from the note's start
//     amplitude[k] = |X[k]|       frequency[k] = sr k / N + sr Δ / (2 π ioverlap)
//
// Δ is how far the angle of X[k] has gone since the last spectrum, from -π to π (J. L. Flanagan and
// R. M. Golden, "Phase vocoder", Bell System Technical Journal 45, 1966; M. Dolson, "The phase vocoder:
// a tutorial", Computer Music Journal 10(4), 1986). w has iwinsize samples and a sum of 2; where that is
// more than N it is multiplied by sin(π n / N) / (π n / N) and the block wrapped round. The transform
// (`RealTransform`) and the angles (`Angles`) are computed several numbers at a time.
//
// The same as Csound's `pvsanal` except that
//  - ifftsize must be a power of two and ioverlap at least ksmps and 11: there is no sliding analysis;
//  - windows from tables, negative iwintype, are refused, and so are iwinsize below ifftsize.

import OpcodeKit

@Opcode("PVSANAL", "Spectra of a signal: amplitudes and frequencies")
struct SpectralAnalysis: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// The spectra.
    let output: SpectrumOutput
    /// The signal.
    let input: AudioInput
    /// Samples in the transform, a power of two from 64 to 65536.
    let transformSize: InitInput
    /// Samples between two spectra: at least 11 and ksmps, at most half of ifftsize.
    let overlap: InitInput
    /// Samples of the window, at least ifftsize, at most 8 times that.
    let windowSize: InitInput
    /// 0 for Hamming's window, 1 for Hann's, 2 for Kaiser's.
    let windowKind: InitInput
    /// Not used, as in `pvsanal`.
    @Default(0) let format: InitInput
    /// Not used, as in `pvsanal`.
    @Default(0) let skip: InitInput
  }

  static let bufferCount = 4

  private let transform: RealTransform
  /// The window, the samples that wait for one, and a block in the order of its transform.
  private let window, history, block: Buffer<Double>
  /// The transform's memory and behind it the angles of the spectrum before.
  private let angles: Buffer<Pair>
  private let anglesStart: Int
  /// Points of the window; the last of one of even size is 0 and left out.
  private let points: Int
  private let overlap: Int
  /// Samples of the history a spectrum sees, the window's and those it is late.
  private let sight: Int
  /// Where in the history they begin, and how many have come in since.
  private var start = 0, arrived = 0
  /// Where the window's first sample goes in the block.
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

  /// The next spectrum.
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

  /// The samples, windowed and wrapped round, in the transform's block.
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

  /// Bins from k on, by their numbers in the spectrum and the angles in the one before.
  @inline(__always)
  private func bins(_ k: Int, _ real: Lanes, _ imaginary: Lanes, _ before: Lanes) -> (
    amplitudes: Lanes, frequencies: Lanes, angles: Lanes
  ) {
    let amplitudes = (real * real + imaginary * imaginary).squareRoot
    // What cannot be heard has no angle: it stays where it was.
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
