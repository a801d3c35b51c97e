import CCsound

extension Csound {
  /// Replaces real samples by their discrete Fourier transform. The length of `buffer` is a power of
  /// two. Afterwards `buffer` holds the real values at 0 Hz and at half the sample rate, then the real
  /// and the imaginary part of each bin between them.
  ///
  /// The corresponding C function is `RealFFT` of the `CSOUND` structure.
  public func transform(_ buffer: UnsafeMutableBufferPointer<Double>) {
    ccs_transform(engine, buffer.baseAddress, CInt(buffer.count))
  }

  /// Makes Csound build its tables for transforms of 4 to 65536 samples now. Otherwise the first
  /// transform of each size builds them during the performance. With `-j2` two threads may do so at the
  /// same time, and one crashes on a table the other has not finished (`fftInit` in OOps/fftlib.c of
  /// 6.18.1).
  func makeTransformTables() {
    let samples = UnsafeMutableBufferPointer<Double>.allocate(capacity: 1 << 16)
    samples.initialize(repeating: 0)
    for order in 2...16 { transform(.init(rebasing: samples[..<(1 << order)])) }
    samples.deallocate()
  }
}
