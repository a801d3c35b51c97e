// Several frames of an audio argument at once, for opcodes that compute them side by side. An
// argument's memory has the alignment of one sample.

extension AudioInput {
  /// Two frames from `frame` on, both in `context.frames`.
  @inlinable @inline(__always)
  public func pair(at frame: Int) -> Pair {
    Pair(values: UnsafeRawPointer(samples + frame).loadUnaligned(as: SIMD2<Double>.self))
  }
}

extension AudioOutput {
  /// Writes two frames from `frame` on, both in `context.frames`.
  @inlinable @inline(__always)
  public func setPair(_ pair: Pair, at frame: Int) {
    UnsafeMutableRawPointer(samples + frame).storeBytes(of: pair.values, as: SIMD2<Double>.self)
  }
}

extension Signal {
  /// Two frames from `frame` on, both in `context.frames`.
  @inlinable @inline(__always)
  public func pair(at frame: Int) -> Pair { Pair(self[frame], self[frame &+ 1]) }
}
