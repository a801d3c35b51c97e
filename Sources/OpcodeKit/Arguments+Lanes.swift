// Several frames of an audio argument at once, for opcodes that compute them side by side. An
// argument's memory has the alignment of one sample.

extension AudioInput {
  /// Two frames from `frame` on, both in `context.frames`.
  @inlinable @inline(__always)
  public func pair(at frame: Int) -> SIMD2<Double> {
    UnsafeRawPointer(samples + frame).loadUnaligned(as: SIMD2<Double>.self)
  }
}

extension AudioOutput {
  /// Writes two frames from `frame` on, both in `context.frames`.
  @inlinable @inline(__always)
  public func setPair(_ pair: SIMD2<Double>, at frame: Int) {
    UnsafeMutableRawPointer(samples + frame).storeBytes(of: pair, as: SIMD2<Double>.self)
  }
}

extension Signal {
  /// Two frames from `frame` on, both in `context.frames`.
  @inlinable @inline(__always)
  public func pair(at frame: Int) -> SIMD2<Double> { SIMD2(self[frame], self[frame &+ 1]) }
}
