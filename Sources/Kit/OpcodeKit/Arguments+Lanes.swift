public import CVector

// Reading and writing several frames of an audio argument at once. An argument's memory is aligned
// for one sample only, so the vectors are loaded and stored unaligned.

extension AudioInput {
  /// Two frames from `frame` on; both must lie in the range `context.frames`.
  @inlinable @inline(__always)
  public func pair(at frame: Int) -> Pair {
    Checks.frames(frame, 2)
    return Pair(values: UnsafeRawPointer(samples + frame).loadUnaligned(as: SIMD2<Double>.self))
  }
}

extension AudioInput {
  /// Four frames from `frame` on; all four must lie in the range `context.frames`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func quad(at frame: Int) -> Quad {
    Checks.frames(frame, 4)
    return Quad(values: cv_quad_load(samples + frame))
  }
}

extension AudioInput {
  /// Eight frames from `frame` on; all eight must lie in the range `context.frames`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func lanes(at frame: Int) -> Lanes {
    Checks.frames(frame, 8)
    return Lanes(values: cv_lanes_load(samples + frame))
  }
}

extension AudioInput {
  /// Whether every frame of a range is below 1e-30 (-600 dB), so that a filter at rest can be
  /// skipped.
  @inlinable @inline(__always)
  public func isSilent(in frames: Range<Int>) -> Bool {
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      if !(samples[frame].magnitude < 1e-30) { return false }
      frame &+= 1
    }
    return true
  }
}

extension AudioOutput {
  /// Writes 0 to every frame of a range.
  @inlinable @inline(__always)
  public func silence(_ frames: Range<Int>) {
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      samples[frame] = 0
      frame &+= 1
    }
  }
}

extension AudioOutput {
  /// The same memory as an input, for a further pass over frames that have been written.
  @inlinable @inline(__always)
  public var written: AudioInput { AudioInput(samples: UnsafePointer(samples)) }
}

extension Buffer<Double> {
  /// The elements as the frames of a k-cycle, for what lies between two passes over them. The buffer must have `ksmps`
  /// elements.
  @inlinable @inline(__always)
  public var frames: AudioOutput { AudioOutput(samples: start) }
}

extension AudioOutput {
  /// Eight frames from `frame` on; all eight must lie in the range `context.frames`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func lanes(at frame: Int) -> Lanes {
    Checks.frames(frame, 8)
    return Lanes(values: cv_lanes_load(samples + frame))
  }

  /// Writes eight frames from `frame` on; all eight must lie in the range `context.frames`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func setLanes(_ lanes: Lanes, at frame: Int) {
    Checks.frames(frame, 8)
    cv_lanes_store(samples + frame, lanes.values)
  }
}

extension AudioOutput {
  /// Writes two frames from `frame` on; both must lie in the range `context.frames`.
  @inlinable @inline(__always)
  public func setPair(_ pair: Pair, at frame: Int) {
    Checks.frames(frame, 2)
    UnsafeMutableRawPointer(samples + frame).storeBytes(of: pair.values, as: SIMD2<Double>.self)
  }
}

extension AudioOutput {
  /// Writes four frames from `frame` on; all four must lie in the range `context.frames`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func setQuad(_ quad: Quad, at frame: Int) {
    Checks.frames(frame, 4)
    cv_quad_store(samples + frame, quad.values)
  }
}

extension AudioOutput {
  /// Writes to each frame of a range what `body` makes of that frame of a signal. `body` has no memory: it gets eight
  /// frames at once, and computes each from itself alone. Where fewer than eight are left, it gets the last one several
  /// times.
  ///
  /// ```swift
  /// arguments.output.write(context.frames, from: arguments.input) { ($0 * drive).tanh }
  /// ```
  @inlinable @inline(__always)
  public func write(_ frames: Range<Int>, from input: AudioInput, _ body: (Lanes) -> Lanes) {
    var frame = frames.lowerBound
    while frame &+ 8 <= frames.upperBound {
      setLanes(body(input.lanes(at: frame)), at: frame)
      frame &+= 8
    }
    guard frame < frames.upperBound else { return }
    let rest = body(input.lanes(from: frame, before: frames.upperBound))
    var place = 0
    while frame &+ place < frames.upperBound {
      self[frame &+ place] = rest[place]
      place &+= 1
    }
  }
}

extension Signal {
  /// Two frames from `frame` on; both must lie in the range `context.frames`.
  @inlinable @inline(__always)
  public func pair(at frame: Int) -> Pair { Pair(self[frame], self[frame &+ 1]) }

  /// Four frames from `frame` on; all four must lie in the range `context.frames`.
  @inlinable @inline(__always)
  public func quad(at frame: Int) -> Quad {
    Quad(
      values: SIMD4(self[frame], self[frame &+ 1], self[frame &+ 2], self[frame &+ 3]))
  }

  /// Eight frames from `frame` on; all eight must lie in the range `context.frames`.
  @inlinable @inline(__always)
  public func lanes(at frame: Int) -> Lanes {
    Lanes(
      values: SIMD8(
        self[frame], self[frame &+ 1], self[frame &+ 2], self[frame &+ 3], self[frame &+ 4],
        self[frame &+ 5], self[frame &+ 6], self[frame &+ 7]))
  }

  /// The eight frames from `frame` on, of which those from `end` on repeat the last before it; `frame` up to `end` - 1
  /// must lie in the range `context.frames`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func lanes(from frame: Int, before end: Int) -> Lanes {
    if frame &+ 8 <= end { return lanes(at: frame) }
    let last = end &- 1
    return Lanes(
      values: SIMD8(
        self[min(frame, last)], self[min(frame &+ 1, last)], self[min(frame &+ 2, last)],
        self[min(frame &+ 3, last)], self[min(frame &+ 4, last)], self[min(frame &+ 5, last)],
        self[min(frame &+ 6, last)], self[min(frame &+ 7, last)]))
  }
}
