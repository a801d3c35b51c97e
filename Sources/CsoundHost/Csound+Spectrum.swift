import CCsound

extension Csound {
  /// Replaces real samples by their discrete Fourier transform. `buffer` holds a power of two of
  /// them; afterwards it holds the real values at 0 Hz and at half the sample rate, then the real
  /// and the imaginary part of each bin between.
  ///
  /// The corresponding C function is `RealFFT` of the `CSOUND` structure.
  public func transform(_ buffer: UnsafeMutableBufferPointer<Double>) {
    ccs_transform(engine, buffer.baseAddress, CInt(buffer.count))
  }
}
