// Checks of what an author's code asks for: in debug builds of the kit only, where the manifest defines
// OPCODEKIT_CHECKED. A release has neither the comparison nor the call.
//
// The condition is the kit's own: code the compiler copies into an author's module is checked when the
// kit was built to check.

internal import CCsound

@usableFromInline
enum Checks {
  /// The pass begins; what goes wrong in it is the opcode's.
  @inlinable @inline(__always)
  static func enter(_ block: BlockPointer, _ pass: StaticString) {
    #if OPCODEKIT_CHECKED
      begin(block, pass)
    #endif
  }

  /// The pass is over.
  @inlinable @inline(__always)
  static func leave() {
    #if OPCODEKIT_CHECKED
      end()
    #endif
  }

  /// Stops with a sentence about opcode and index unless the index is from 0 to `count - 1`; `what`
  /// stands behind "outside", such as "a Buffer's elements".
  @inlinable @inline(__always)
  static func index(_ index: Int, below count: Int, _ what: StaticString) {
    #if OPCODEKIT_CHECKED
      if index < 0 || index >= count { stop(index, count, what) }
    #endif
  }

  /// The same for `width` indices from `index` on; 0 of them may begin at `count`.
  @inlinable @inline(__always)
  static func indices(_ index: Int, _ width: Int, below count: Int, _ what: StaticString) {
    #if OPCODEKIT_CHECKED
      // In this order nothing can overflow.
      if index < 0 || width < 0 || index > count || width > count &- index {
        stop(firstOutside(index, width, below: count), count, what)
      }
    #endif
  }

  /// The same for frames of an audio argument, `count` from `frame` on.
  @inlinable @inline(__always)
  static func frames(_ frame: Int, _ count: Int = 1) {
    #if OPCODEKIT_CHECKED
      checkFrames(frame, count)
    #endif
  }

  #if OPCODEKIT_CHECKED
    // Never inlined: the pass a thread is in is a variable of this file's.

    @usableFromInline @inline(never) @_semantics("no_performance_analysis")
    static func begin(_ block: BlockPointer, _ pass: StaticString) {
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

    /// Of indices some of which are outside, the first that is outside; a negative width itself.
    @usableFromInline
    static func firstOutside(_ index: Int, _ width: Int, below count: Int) -> Int {
      min(index, width) < 0 ? min(index, width) : max(index, count)
    }
  #endif
}
