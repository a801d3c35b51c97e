public import CCsound
public import CVector

// For opcodes that create f-signals or resynthesize sound from them: the transform size, and access to two or eight
// bins at a time. Not for sliding signals.

extension SpectrumInput {
  /// The transform size in samples: 2 (`binCount` - 1).
  @inlinable public var transformSize: Int { Int(signal.pointee.N) }

  /// The window type, numbered as in Csound's `pvsanal`.
  @inlinable public var windowKind: Int { Int(signal.pointee.wintype) }

  /// Whether the signal has spectra of this transform size and is not sliding.
  @inlinable public func holds(transformSize: Int) -> Bool {
    SpectrumMemory.holds(signal.pointee, transformSize: transformSize)
  }

  /// Eight bins from `bin` on. Not checked; see `holds`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func lanes(at bin: Int) -> (amplitudes: Lanes, frequencies: Lanes) {
    let values = UnsafeRawPointer(signal.pointee.frame.auxp.unsafelyUnwrapped) + 8 &* bin
    return (
      Lanes(values: cv_lanes_load_turns(values, 0)), Lanes(values: cv_lanes_load_turns(values, 1))
    )
  }

  /// Two bins, `bin` and the next one. Not checked; see `holds`.
  @inlinable @inline(__always)
  public func pair(at bin: Int) -> (amplitudes: Pair, frequencies: Pair) {
    let values = signal.pointee.frame.auxp.unsafelyUnwrapped
      .loadUnaligned(fromByteOffset: 8 &* bin, as: SIMD4<Float>.self)
    return (
      Pair(Double(values[0]), Double(values[2])), Pair(Double(values[1]), Double(values[3]))
    )
  }
}

extension SpectrumOutput {
  /// Makes the signal an amplitude-frequency signal of these sizes in samples, and fills it with silence [init pass].
  public func prepare(
    transformSize: Int, overlap: Int, windowSize: Int, windowKind: Int, _ context: Context
  ) {
    var kind = PVSDAT()
    kind.N = Int32(truncatingIfNeeded: transformSize)
    kind.overlap = Int32(truncatingIfNeeded: overlap)
    kind.winsize = Int32(truncatingIfNeeded: windowSize)
    kind.wintype = Int32(truncatingIfNeeded: windowKind)
    kind.format = SpectrumFormat.amplitudeFrequency.rawValue
    ccs_prepare_spectrum(context.csound, signal, &kind, CInt(truncatingIfNeeded: context.ksmps))
  }

  /// Whether the signal has memory for spectra of this transform size and is not sliding [performance pass]. Another
  /// opcode that writes the same variable can change its size in a reinit.
  @inlinable public func holds(transformSize: Int) -> Bool {
    SpectrumMemory.holds(signal.pointee, transformSize: transformSize)
  }

  /// Writes eight bins from `bin` on. Not checked; see `holds`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func setLanes(amplitudes: Lanes, frequencies: Lanes, at bin: Int) {
    cv_lanes_store_turns(
      signal.pointee.frame.auxp.unsafelyUnwrapped + 8 &* bin, amplitudes.values, frequencies.values)
  }

  /// Writes eight bins from `bin` on. Not checked; see `holds`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func setLanes(amplitudes: ShortLanes, frequencies: Lanes, at bin: Int) {
    cv_floats_store_turns(
      signal.pointee.frame.auxp.unsafelyUnwrapped + 8 &* bin, amplitudes.values, frequencies.values)
  }

  /// Writes two bins, `bin` and the next one. Not checked; see `holds`.
  @inlinable @inline(__always)
  public func setPair(amplitudes: Pair, frequencies: Pair, at bin: Int) {
    let values = SIMD4(
      Float(amplitudes[0]), Float(frequencies[0]), Float(amplitudes[1]), Float(frequencies[1]))
    signal.pointee.frame.auxp.unsafelyUnwrapped
      .storeBytes(of: values, toByteOffset: 8 &* bin, as: SIMD4<Float>.self)
  }

  /// Marks the spectrum as new for the opcodes that read this signal.
  @inlinable public func publish() { signal.pointee.framecount &+= 1 }
}

extension SpectrumMemory {
  @inlinable static func holds(_ signal: PVSDAT, transformSize: Int) -> Bool {
    signal.sliding == 0 && Int(signal.N) == transformSize && signal.frame.auxp != nil
      && signal.frame.size >= (transformSize + 2) * MemoryLayout<Float>.size
  }
}
