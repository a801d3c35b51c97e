/// Two delay lines of whole-sample lengths, in one ring buffer as long as the longer line. The first
/// number of each pair belongs to the shorter line, the second to the longer line.
///
/// Use it in runs of frames: `untilWrap` says how many frames are left before a read or write position
/// wraps. Take a `window`, read and write its frames in order, then call `advance`. Nothing wraps inside a
/// run. Several `LinePair`s can share a run of the smallest `untilWrap` among them.
@frozen @usableFromInline
package struct LinePair: BitwiseCopyable {
  @usableFromInline let ring: UnsafeMutablePointer<SIMD2<Double>>
  /// Frames in the ring buffer: the longer delay.
  @usableFromInline let length: Int
  /// Write position, which is also the read position of the longer line.
  @usableFromInline var write = 0
  /// Read position of the shorter line.
  @usableFromInline var read: Int

  /// Delay lines of `shorter` and `longer` frames, each at least 1, in zeroed memory of `longer` elements.
  @inlinable
  package init(shorter: Int, longer: Int, in ring: UnsafeMutablePointer<SIMD2<Double>>) {
    self.ring = ring
    length = longer
    read = longer - shorter
  }

  /// The most frames that the next run can have; at least 1.
  @inlinable @inline(__always)
  package var untilWrap: Int { length &- (write > read ? write : read) }

  /// The frames of the next run, from `frame` on.
  @inlinable @inline(__always)
  package func window(from frame: Int = 0) -> Window {
    Window(
      frames: ring + (write &+ frame),
      firsts: UnsafeRawPointer(ring + (read &+ frame)).assumingMemoryBound(to: Double.self))
  }

  /// Ends a run of `run` frames, at most `untilWrap`.
  @inlinable @inline(__always)
  package mutating func advance(by run: Int) {
    write &+= run
    read &+= run
    if write == length { write = 0 }
    if read == length { read = 0 }
  }

  /// The frames of a run, numbered from 0. Not checked.
  @frozen @usableFromInline
  package struct Window: BitwiseCopyable {
    @usableFromInline let frames: UnsafeMutablePointer<SIMD2<Double>>
    @usableFromInline let firsts: UnsafePointer<Double>

    @inlinable @inline(__always)
    init(frames: UnsafeMutablePointer<SIMD2<Double>>, firsts: UnsafePointer<Double>) {
      self.frames = frames
      self.firsts = firsts
    }

    /// Getter: the outputs of both lines at a frame. Setter: their inputs. Read a frame before writing it.
    @inlinable @inline(__always)
    package subscript(frame: Int) -> Pair {
      get {
        let seconds = UnsafeRawPointer(frames).assumingMemoryBound(to: Double.self)
        return Pair(firsts[2 &* frame], seconds[2 &* frame &+ 1])
      }
      nonmutating set { frames[frame] = newValue.values }
    }
  }
}

extension LinePair {
  /// Delay lines in a zeroed buffer from `index` on; it must have `longer` elements from there.
  @inlinable
  package init(shorter: Int, longer: Int, in memory: Buffer<SIMD2<Double>>, at index: Int) {
    self.init(shorter: shorter, longer: longer, in: memory.start + index)
  }
}
