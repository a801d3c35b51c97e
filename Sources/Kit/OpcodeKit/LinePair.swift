/// Two delay lines of whole lengths side by side, in one ring as long as the longer: the shorter in the
/// first lane, the longer in the second.
///
/// The ring is written once for both. It is used in runs: ask `untilWrap` how many frames lie before
/// the ring's end, take a `window`, read and write its frames in order, and `advance`. Nothing wraps
/// inside a run. Several lines can share one count of frames and be advanced when the first wraps.
@frozen
public struct LinePair: BitwiseCopyable {
  @usableFromInline let ring: UnsafeMutablePointer<SIMD2<Double>>
  /// Frames in the ring: the longer delay.
  @usableFromInline let length: Int
  /// Where the next frame is written, which is where the longer line is read.
  @usableFromInline var write = 0
  /// Where the shorter line is read.
  @usableFromInline var read: Int

  /// Lines of `shorter` and `longer` frames, 1 or more, in zeroed memory of `longer` elements.
  @inlinable
  public init(shorter: Int, longer: Int, in ring: UnsafeMutablePointer<SIMD2<Double>>) {
    self.ring = ring
    length = longer
    read = longer - shorter
  }

  /// How many frames the next run can have; at least 1.
  @inlinable @inline(__always)
  public var untilWrap: Int { length &- (write > read ? write : read) }

  /// The frames of the next run, from one on.
  @inlinable @inline(__always)
  public func window(from frame: Int = 0) -> Window {
    Window(
      frames: ring + (write &+ frame),
      firsts: UnsafeRawPointer(ring + (read &+ frame)).assumingMemoryBound(to: Double.self))
  }

  /// Ends a run of at most `untilWrap` frames.
  @inlinable @inline(__always)
  public mutating func advance(by run: Int) {
    write &+= run
    read &+= run
    if write == length { write = 0 }
    if read == length { read = 0 }
  }

  /// The frames of a run, numbered from 0. Not checked.
  @frozen
  public struct Window: BitwiseCopyable {
    @usableFromInline let frames: UnsafeMutablePointer<SIMD2<Double>>
    @usableFromInline let firsts: UnsafePointer<Double>

    @inlinable @inline(__always)
    init(frames: UnsafeMutablePointer<SIMD2<Double>>, firsts: UnsafePointer<Double>) {
      self.frames = frames
      self.firsts = firsts
    }

    /// What comes out of the two lines at a frame, to be read before it is written; what goes in.
    @inlinable @inline(__always)
    public subscript(frame: Int) -> Pair {
      get {
        let seconds = UnsafeRawPointer(frames).assumingMemoryBound(to: Double.self)
        return Pair(firsts[2 &* frame], seconds[2 &* frame &+ 1])
      }
      nonmutating set { frames[frame] = newValue.values }
    }
  }
}

extension LinePair {
  /// Lines in a zeroed buffer's elements from an index, which must have `longer` from there.
  @inlinable
  public init(shorter: Int, longer: Int, in memory: Buffer<SIMD2<Double>>, at index: Int) {
    self.init(shorter: shorter, longer: longer, in: memory.start + index)
  }
}
