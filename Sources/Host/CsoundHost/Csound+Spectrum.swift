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

  /// Has Csound make its tables for transforms of 4 to 65536 samples. Else the first transform of a size
  /// makes them while it performs, two at the same time with `-j2`: one finds what the other has half
  /// made, and crashes (`fftInit` in OOps/fftlib.c of 6.18.1).
  func makeTransformTables() {
    let samples = UnsafeMutableBufferPointer<Double>.allocate(capacity: 1 << 16)
    samples.initialize(repeating: 0)
    for order in 2...16 { transform(.init(rebasing: samples[..<(1 << order)])) }
    samples.deallocate()
  }
}
