public import CCsound

/// One bin of an f-signal.
@frozen
public struct Bin: BitwiseCopyable {
  /// Linear amplitude, in orchestra units.
  public var amplitude: Double
  /// Frequency in Hz, or phase in radians, depending on the signal's `format`.
  public var frequency: Double

  @inlinable public init(amplitude: Double, frequency: Double) {
    self.amplitude = amplitude
    self.frequency = frequency
  }
}

/// What the values of an f-signal mean.
public enum SpectrumFormat: Int32, Sendable {
  case amplitudeFrequency = 0
  case amplitudePhase = 1
  case complex = 2
  case tracks = 3
}

/// An f-signal that the opcode reads: the frames of a streaming spectral analysis.
///
/// Most signals have a new spectrum every `overlap` samples. A sliding analysis (a very small overlap) has one for
/// every sample. `SpectrumReader` handles both.
@frozen
public struct SpectrumInput: Argument {
  @usableFromInline let signal: UnsafePointer<PVSDAT>

  public static var typeLetters: StaticString { "f" }

  /// Bins in a spectrum: half the transform size plus one.
  @inlinable public var binCount: Int { SpectrumMemory.binCount(signal.pointee) }
  /// Samples from one spectrum to the next.
  @inlinable public var overlap: Int { Int(signal.pointee.overlap) }
  /// Length of the analysis window in samples.
  @inlinable public var windowSize: Int { Int(signal.pointee.winsize) }
  /// The signal's format; nil for a number that Csound 6.18 does not define.
  @inlinable public var format: SpectrumFormat? { SpectrumFormat(rawValue: signal.pointee.format) }
  /// Whether the analysis is sliding: every sample has its own spectrum.
  @inlinable public var isSliding: Bool { signal.pointee.sliding != 0 }

  /// One bin of a spectrum. Debug builds check `bin`, but not `spectrum`.
  ///
  /// - Parameters:
  ///   - spectrum: an index from the range that `SpectrumReader.newSpectra` returned in this pass.
  ///   - bin: 0 to `binCount - 1`.
  @inlinable @inline(__always) public subscript(spectrum: Int, bin: Int) -> Bin {
    Checks.index(bin, below: binCount, "a spectrum's bins")
    return SpectrumMemory.read(signal.pointee, spectrum, bin)
  }
}

/// An f-signal that the opcode writes. Call `prepare` in the init pass; in the performance pass, write the spectra and
/// then call `publish`.
@frozen
public struct SpectrumOutput: Argument {
  @usableFromInline let signal: UnsafeMutablePointer<PVSDAT>

  public static var typeLetters: StaticString { "f" }
  public static var variadicLetters: StaticString { "F" }
  public static var isOutput: Bool { true }

  /// Gives the signal the same format and size as `input`, and fills it with silence [init pass].
  ///
  /// Throws when `input` has not been initialized.
  public func prepare(like input: SpectrumInput, _ context: Context) throws(OpcodeError) {
    guard input.signal.pointee.N > 0, input.signal.pointee.frame.auxp != nil else {
      throw OpcodeError("the f-signal is not set up; make it in the lines above.")
    }
    // In `f1 OP f1`, input and output are the same variable.
    guard UnsafeRawPointer(signal) != UnsafeRawPointer(input.signal) else { return }
    ccs_prepare_spectrum(context.csound, signal, input.signal, CInt(context.ksmps))
  }

  /// Bins in a spectrum.
  @inlinable public var binCount: Int { SpectrumMemory.binCount(signal.pointee) }

  /// One bin of a spectrum. Debug builds check `bin`, but not `spectrum`.
  @inlinable @inline(__always) public subscript(spectrum: Int, bin: Int) -> Bin {
    get {
      Checks.index(bin, below: binCount, "a spectrum's bins")
      return SpectrumMemory.read(signal.pointee, spectrum, bin)
    }
    nonmutating set {
      Checks.index(bin, below: binCount, "a spectrum's bins")
      SpectrumMemory.write(newValue, signal.pointee, spectrum, bin)
    }
  }

  /// Writes every bin of a spectrum by applying `change` to the same bin of `input`. Faster than a loop over the
  /// subscripts, because both signals are looked up once. `input` may be the same variable as this output.
  ///
  /// Not checked; see `holdsSpectra`.
  @inlinable @inline(__always)
  public func write(_ spectrum: Int, from input: SpectrumInput, _ change: (Bin) -> Bin) {
    let (own, other, count) = (signal.pointee, input.signal.pointee, binCount)
    let (to, from) = (own.frame.auxp.unsafelyUnwrapped, other.frame.auxp.unsafelyUnwrapped)
    if own.sliding != 0 {
      let start = 2 * spectrum * Int(own.NB)
      let target = to.assumingMemoryBound(to: Double.self) + start
      let source = from.assumingMemoryBound(to: Double.self) + start
      for index in 0..<count {
        let bin = change(Bin(amplitude: source[2 * index], frequency: source[2 * index + 1]))
        (target[2 * index], target[2 * index + 1]) = (bin.amplitude, bin.frequency)
      }
    } else {
      let target = to.assumingMemoryBound(to: Float.self)
      let source = from.assumingMemoryBound(to: Float.self)
      for index in 0..<count {
        let bin = change(
          Bin(amplitude: Double(source[2 * index]), frequency: Double(source[2 * index + 1])))
        (target[2 * index], target[2 * index + 1]) = (Float(bin.amplitude), Float(bin.frequency))
      }
    }
  }

  /// Whether the memory that `prepare` reserved still has the size of `input`'s spectra [performance pass]. The size of
  /// `input` can change when the opcode that writes it is reinitialized.
  @inlinable public func holdsSpectra(of input: SpectrumInput, _ context: Context) -> Bool {
    let (own, other) = (signal.pointee, input.signal.pointee)
    guard own.sliding == other.sliding, binCount == input.binCount else { return false }
    let valueSize =
      own.sliding != 0
      ? context.ksmps * MemoryLayout<Double>.size : MemoryLayout<Float>.size
    let size = 2 * binCount * valueSize
    return own.frame.auxp != nil && own.frame.size >= size
      && other.frame.auxp != nil && other.frame.size >= size
  }

  /// Marks the spectra as new for the opcodes that read this signal, with the frame count of `input`.
  @inlinable public func publish(asNewAs input: SpectrumInput) {
    signal.pointee.framecount = input.signal.pointee.framecount
  }
}

/// Remembers which spectra of an f-signal an opcode has already read; part of the opcode's state.
@frozen
public struct SpectrumReader: BitwiseCopyable {
  @usableFromInline var lastFrame: UInt32 = 0

  @inlinable public init() {}

  /// The spectra that are new in this k-cycle, as indices for the signal's subscript: an empty range or `0..<1`; for a
  /// sliding analysis one index for each of the note's samples.
  @inlinable
  public mutating func newSpectra(_ input: SpectrumInput, _ context: Context) -> Range<Int> {
    if input.isSliding { return context.frames }
    guard input.signal.pointee.framecount > lastFrame else { return 0..<0 }
    lastFrame = input.signal.pointee.framecount
    return 0..<1
  }
}

@usableFromInline
enum SpectrumMemory {
  @inlinable static func binCount(_ signal: PVSDAT) -> Int {
    signal.sliding != 0 ? Int(signal.NB) : Int(signal.N) / 2 + 1
  }

  @inlinable @inline(__always)
  static func read(_ signal: PVSDAT, _ spectrum: Int, _ bin: Int) -> Bin {
    let start = signal.frame.auxp.unsafelyUnwrapped
    if signal.sliding != 0 {
      let values = start.assumingMemoryBound(to: Double.self)
      let index = 2 * (spectrum * Int(signal.NB) + bin)
      return Bin(amplitude: values[index], frequency: values[index + 1])
    }
    let values = start.assumingMemoryBound(to: Float.self)
    return Bin(amplitude: Double(values[2 * bin]), frequency: Double(values[2 * bin + 1]))
  }

  @inlinable @inline(__always)
  static func write(_ value: Bin, _ signal: PVSDAT, _ spectrum: Int, _ bin: Int) {
    let start = signal.frame.auxp.unsafelyUnwrapped
    if signal.sliding != 0 {
      let values = start.assumingMemoryBound(to: Double.self)
      let index = 2 * (spectrum * Int(signal.NB) + bin)
      values[index] = value.amplitude
      values[index + 1] = value.frequency
    } else {
      let values = start.assumingMemoryBound(to: Float.self)
      values[2 * bin] = Float(value.amplitude)
      values[2 * bin + 1] = Float(value.frequency)
    }
  }
}
