public import CCsound

/// An input of either rate, `x` in a type string: one overload serves every combination of rates.
///
/// For a very cheap performance pass a generic `Signal` per input is faster, because the compiler
/// then knows which inputs cannot change inside a k-cycle.
@frozen
public struct AnyRateInput: Argument {
  @usableFromInline let values: UnsafePointer<Double>

  public static var typeLetters: StaticString { "x" }

  /// The value of the k-cycle at k-rate, that of its first frame at a-rate.
  @inlinable public var first: Double { @inline(__always) get { values[0] } }

  /// The values of the current k-cycle. The corresponding C macro is `IS_ASIG_ARG`.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func signal(_ context: Context) -> AnyRateSignal {
    AnyRateSignal(values: values, mask: ccs_is_audio(values) != 0 ? -1 : 0)
  }
}

/// The values of an `AnyRateInput` in one k-cycle.
@frozen
public struct AnyRateSignal: BitwiseCopyable {
  @usableFromInline let values: UnsafePointer<Double>
  @usableFromInline let mask: Int

  @inlinable @inline(__always)
  init(values: UnsafePointer<Double>, mask: Int) {
    self.values = values
    self.mask = mask
  }

  /// Whether the value can change inside the k-cycle.
  @inlinable public var isAudioRate: Bool { mask != 0 }

  /// The value at a frame of the k-cycle.
  @inlinable @inline(__always) public subscript(frame: Int) -> Double { values[frame & mask] }
}
