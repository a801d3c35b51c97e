import Synchronization

/// Fills `count` frames, or changes them in place: interleaved, full scale at 1, `channels` in a frame. It must be a C
/// function that the compiler proves, as it does opcodes (`@c @_noLocks @_noAllocation func`). `memory` is its own.
/// [audio thread: no allocation, no locks]
public typealias MixFunction =
  @convention(c) (
    _ memory: UnsafeMutableRawPointer?, _ frames: UnsafeMutablePointer<Double>, _ count: Int,
    _ channels: Int
  ) -> Void

/// A channel or group as the audio thread uses it: its place in the graph, its source and its filters.
struct MixStrip: BitwiseCopyable {
  /// Memory that the channel keeps when the graph is replaced.
  struct Memory: ~Copyable {
    /// One period of samples; all are 0 between periods.
    let frames: UnsafeMutablePointer<Double>
    let gain = Atomic<Double>(1)
    /// From −1, left, to 1, right.
    let pan = Atomic<Double>(0)
    /// The gains of the last frame, from which the next period glides to the new ones.
    var left = 1.0
    var right = 1.0
    /// Nanoseconds spent on computing this strip so far.
    let busy = Atomic<Int>(0)
    /// Periods that the recording lacks, as its ring was full.
    let unrecorded = Atomic<Int>(0)
  }

  static let filterLimit = 8

  let memory: UnsafeMutablePointer<Memory>
  /// The index of the strip it is mixed into, which is lower than its own. The first strip is mixed into the output.
  var parent: Int
  var source: MixFunction?
  var context: UnsafeMutableRawPointer?
  var filterCount = 0
  var filters = InlineArray<8, UnsafeRawPointer?>(repeating: nil)
  var filterContexts = InlineArray<8, UnsafeMutableRawPointer?>(repeating: nil)
  var tape: UnsafeMutablePointer<RingWriter>?
}

/// All strips, parents first. A graph is replaced as a whole, never changed while it plays.
struct MixGraph: BitwiseCopyable {
  let strips: UnsafeMutablePointer<MixStrip>
  let count: Int

  /// Adds a period of the graph to `mix`. Children are computed before their parents.
  @inline(__always) func render(_ mix: UnsafeMutablePointer<Double>, _ count: Int, _ channels: Int)
  {
    var index = self.count
    while index > 0 {
      index &-= 1
      let strip = strips + index
      let begin = Vouched.now()
      let frames = strip.pointee.memory.pointee.frames
      if let source = strip.pointee.source {
        Vouched.mix(source, strip.pointee.context, frames, count, channels)
      }
      for filter in 0..<strip.pointee.filterCount {
        if let function = strip.pointee.filters[filter] {
          Vouched.filter(function, strip.pointee.filterContexts[filter], frames, count, channels)
        }
      }
      Self.applyGain(strip.pointee.memory, count, channels)
      if let tape = strip.pointee.tape {
        if !tape.pointee.write(frames, count &* channels &* MemoryLayout<Double>.stride) {
          strip.pointee.memory.pointee.unrecorded.wrappingAdd(1, ordering: .relaxed)
        }
      }
      let target = index == 0 ? mix : strips[strip.pointee.parent].memory.pointee.frames
      Self.mix(frames, target, count &* channels)
      strip.pointee.memory.pointee.busy.wrappingAdd(Vouched.now() &- begin, ordering: .relaxed)
    }
  }

  /// Applies the volume, and for the first two channels the pan. These two channels glide from the last values to the
  /// new ones in the course of a period; other channels change at once. At pan 0 both sides have full gain; towards one
  /// side the other is attenuated.
  @inline(__always)
  private static func applyGain(
    _ memory: UnsafeMutablePointer<MixStrip.Memory>, _ count: Int, _ channels: Int
  ) {
    let gain = memory.pointee.gain.load(ordering: .relaxed)
    let pan = memory.pointee.pan.load(ordering: .relaxed)
    let (left, right) = (gain * min(1, 1 - pan), gain * min(1, 1 + pan))
    let (oldLeft, oldRight) = (memory.pointee.left, memory.pointee.right)
    memory.pointee.left = left
    memory.pointee.right = right
    if left == 1, right == 1, oldLeft == 1, oldRight == 1 { return }
    let frames = memory.pointee.frames
    let step = 1 / Double(count)
    for frame in 0..<count {
      let part = Double(frame &+ 1) * step
      for channel in 0..<channels {
        let (old, new) =
          channel == 1 ? (oldRight, right) : channel == 0 ? (oldLeft, left) : (gain, gain)
        frames[frame &* channels &+ channel] *= old + part * (new - old)
      }
    }
  }

  /// Mixes by the rule of MIXCLIP: a + b − (a|b| + |a|b) / 2 stays within full scale if a and b do. Samples beyond full
  /// scale are clipped first; only where the target is 0 the source is copied as it is. Sets the source to 0.
  @inline(__always)
  private static func mix(
    _ source: UnsafeMutablePointer<Double>, _ target: UnsafeMutablePointer<Double>, _ count: Int
  ) {
    for index in 0..<count {
      let (a, b) = (target[index], source[index])
      if a == 0 {
        target[index] = b
      } else {
        let (x, y) = (max(-1, min(1, a)), max(-1, min(1, b)))
        target[index] = x + y - (x * abs(y) + abs(x) * y) / 2
      }
      source[index] = 0
    }
  }
}

extension Vouched {
  @inline(__always) @_semantics("no_performance_analysis")
  static func mix(
    _ function: MixFunction, _ memory: UnsafeMutableRawPointer?,
    _ frames: UnsafeMutablePointer<Double>, _ count: Int, _ channels: Int
  ) { function(memory, frames, count, channels) }

  /// Calls a function that is kept as an untyped pointer, as in an array.
  @inline(__always) @_semantics("no_performance_analysis")
  static func filter(
    _ function: UnsafeRawPointer, _ memory: UnsafeMutableRawPointer?,
    _ frames: UnsafeMutablePointer<Double>, _ count: Int, _ channels: Int
  ) { unsafeBitCast(function, to: MixFunction.self)(memory, frames, count, channels) }
}
