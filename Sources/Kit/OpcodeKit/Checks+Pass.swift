// What is checked of a pass; see Checks.swift.

internal import CCsound

extension Checks {
  /// Marks the beginning of a pass, so that an error message can name the opcode and the pass.
  @inlinable @inline(__always)
  static func enter(_ block: BlockPointer, _ pass: StaticString) {
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
    static func begin(_ block: BlockPointer, _ pass: StaticString) {
      ccs_enter_pass(block, pass.cString)
    }

    @usableFromInline @inline(never) @_semantics("no_performance_analysis")
    static func end() { ccs_leave_pass() }

    @usableFromInline @inline(never) @_semantics("no_performance_analysis")
    static func checkFrames(_ frame: Int, _ count: Int) {
      let all = ccs_pass_frames()
      if frame < 0 || frame > all - count {
        ccs_stop_at_index(
          ("an audio argument's frames" as StaticString).cString,
          firstOutside(frame, count, below: all), all)
      }
    }
  #endif
}
