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
// multiplied by sin(π n / N) / (π n / N) and the block is wrapped to N samples. The transform (`RealTransform`) is
// computed in double precision. The magnitudes and the angles (`OctantLanes`) follow from it in single precision, which
// is what an f-signal has: amplitudes have a relative error below 2.5e-7, angles an error below 6e-8 radians.
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

  static let bufferCount = 5

  private let transform: RealTransform
  /// The window, and the latest input samples.
  private let window, history: Buffer<Double>
  /// The bins, eight at once.
  private let points: Buffer<OctantLanes>
  /// For each eight bins their angles, and those of the previous spectrum.
  private let angles: Buffer<AngleLanes>
  /// Points of the window. For an even size the window has one more point, which is 0 and left out.
  private let windowSize: Int
  private let overlap: Int
  /// Samples of the history that a spectrum covers: the window plus the latency.
  private let sight: Int
  /// Index in the history where these samples begin, and the number of samples received since.
  private var start = 0, arrived = 0
  /// Index in the block of the window's first sample.
  private var rotation: Int
  private let hertzPerUnit, hertzPerBin: Double

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
    self.windowSize = windowSize
    let half = windowSize / 2
    sight = window.count + overlap - 1 - half % overlap
    history = try context.buffer(count: 2 * sight + 4 * overlap)
    let memory = try context.buffer(
      of: Pair.self, count: RealTransform.memoryLength(size: size))
    transform = RealTransform(size: size, memory: memory)
    points = try context.buffer(of: OctantLanes.self, count: size / 16 + 1)
    angles = try context.buffer(of: AngleLanes.self, count: 2 * (size / 16 + 1))
    rotation = (size * 8 * 8 - half / overlap * overlap - half) % size
    let hertzPerRadian = Double(
      Float(Double(Float(context.sampleRate / Double(overlap))) / (2 * Double.pi)))
    hertzPerUnit = hertzPerRadian / AngleLanes.unitsPerRadian
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
    let groups = transform.size &>> 4
    var group = 0
    while group < groups {
      points[group] = OctantLanes(
        transform.quads(at: 8 &* group), transform.quads(at: 8 &* group &+ 4))
      group &+= 1
    }
    let (real, imaginary) = transform[8 &* groups]
    let last = Complex(real: Quad(real[0]), imaginary: Quad(imaginary[0]))
    points[groups] = OctantLanes(last, last)
    group = 0
    while group <= groups {
      angles[2 &* group] = points[group].angles
      group &+= 1
    }
    write(output, groups)
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

  /// Writes the bins' amplitudes and frequencies, and keeps their angles.
  @inline(__always)
  private func write(_ output: SpectrumOutput, _ groups: Int) {
    // The middles of the bins; exact, because the width has 24 bits.
    var middles = Lanes.count(from: 0) * Lanes(hertzPerBin)
    let step = Lanes(8 * hertzPerBin)
    var group = 0
    while group < groups {
      let bins = bins(group, middles)
      output.setLanes(
        amplitudes: bins.amplitudes, frequencies: bins.frequencies, at: 8 &* group)
      middles = middles + step
      group &+= 1
    }
    let bin = bins(groups, middles)
    output[0, 8 &* groups] = Bin(amplitude: bin.amplitudes[0], frequency: bin.frequencies[0])
  }

  /// The amplitudes and frequencies of eight bins.
  @inline(__always)
  private func bins(
    _ group: Int, _ middles: Lanes
  ) -> (amplitudes: ShortLanes, frequencies: Lanes) {
    let (power, before) = (points[group].power, angles[2 &* group &+ 1])
    // An inaudible bin keeps its previous angle, because its own is undefined.
    let change = (angles[2 &* group] - before).kept(where: power, isFrom: ShortLanes(1e-20))
    angles[2 &* group &+ 1] = before + change
    return (power.squareRoot, change.units * Lanes(hertzPerUnit) + middles)
  }

  /// Fills the transform's block with the windowed and wrapped samples.
  @inline(__always)
  private func fillBlock() {
    let (size, block) = (transform.size, transform.samples)
    var (point, place) = (0, rotation)
    while point < windowSize {
      let run = min(size &- place, point < size ? size &- point : windowSize &- point)
      if point < size {
        var index = 0
        while index &+ 4 <= run {
          block.setQuad(product(point &+ index), at: place &+ index)
          index &+= 4
        }
        while index < run {
          block[place &+ index] = window[point &+ index] * history[start &+ point &+ index]
          index &+= 1
        }
      } else {
        var index = 0
        while index &+ 4 <= run {
          block.setQuad(
            block.quad(at: place &+ index) + product(point &+ index), at: place &+ index)
          index &+= 4
        }
        while index < run {
          block[place &+ index] += window[point &+ index] * history[start &+ point &+ index]
          index &+= 1
        }
      }
      point &+= run
      place = (place &+ run) & (size &- 1)
    }
  }

  /// Four windowed samples.
  @inline(__always)
  private func product(_ point: Int) -> Quad {
    window.quad(at: point) * history.quad(at: start &+ point)
  }
}
