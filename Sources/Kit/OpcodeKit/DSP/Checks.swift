// Range checks on indices that opcode code passes to the kit. They exist only in debug builds of the kit, where the
// manifest defines OPCODEKIT_CHECKED; release builds contain neither the comparison nor the call.
//
// The condition is evaluated when the kit itself is built: inlined kit code in an opcode author's module is checked if
// the kit was built with checks.

internal import CCsound

@usableFromInline
enum Checks {
  /// Marks the beginning of a pass, so that an error message can name the opcode and the pass.
  @inlinable @inline(__always)
  static func enter(_ block: UnsafeMutableRawPointer, _ pass: StaticString) {
    #if OPCODEKIT_CHECKED
      begin(block, pass)
    #endif
  }

  /// Marks the end of a pass.
  @inlinable @inline(__always)
  static func leave() {
    #if OPCODEKIT_CHECKED
      end()
    #endif
  }

  /// Aborts with a message unless the index is from 0 to `count - 1`; only debug builds compute the count. `what`
  /// completes "index 8 is outside …", for example "a Buffer's elements".
  @inlinable @inline(__always)
  static func index(_ index: Int, below count: @autoclosure () -> Int, _ what: StaticString) {
    #if OPCODEKIT_CHECKED
      let count = count()
      if index < 0 || index >= count { stop(index, count, what) }
    #endif
  }

  /// The same for `width` indices from `index` on; an empty range may begin at `count`.
  @inlinable @inline(__always)
  static func indices(
    _ index: Int, _ width: Int, below count: @autoclosure () -> Int, _ what: StaticString
  ) {
    #if OPCODEKIT_CHECKED
      let count = count()
      // In this order no subtraction can overflow.
      if index < 0 || width < 0 || index > count || width > count &- index {
        stop(firstOutside(index, width, below: count), count, what)
      }
    #endif
  }

  /// The same for `count` frames of an audio argument from `frame` on.
  @inlinable @inline(__always)
  static func frames(_ frame: Int, _ count: Int = 1) {
    #if OPCODEKIT_CHECKED
      checkFrames(frame, count)
    #endif
  }

  #if OPCODEKIT_CHECKED
    // Never inlined: the current pass is stored in a thread-local variable in this module's C code.

    @usableFromInline @inline(never) @_semantics("no_performance_analysis")
    static func begin(_ block: UnsafeMutableRawPointer, _ pass: StaticString) {
      ccs_enter_pass(block, pass.cString)
    }

    @usableFromInline @inline(never) @_semantics("no_performance_analysis")
    static func end() { ccs_leave_pass() }

    @usableFromInline @inline(never) @_semantics("no_performance_analysis")
    static func stop(_ index: Int, _ count: Int, _ what: StaticString) {
      ccs_stop_at_index(what.cString, index, count)
    }

    @usableFromInline @inline(never) @_semantics("no_performance_analysis")
    static func checkFrames(_ frame: Int, _ count: Int) {
      let all = ccs_pass_frames()
      if frame < 0 || frame > all - count {
        ccs_stop_at_index(
          ("an audio argument's frames" as StaticString).cString,
          firstOutside(frame, count, below: all), all)
      }
    }

    /// The first index of the range that is out of bounds; a negative `width` is returned itself.
    @usableFromInline
    static func firstOutside(_ index: Int, _ width: Int, below count: Int) -> Int {
      min(index, width) < 0 ? min(index, width) : max(index, count)
    }
  #endif
}
