/// What an opcode does with the time it may take: the setting of an optional last argument `iquality`.
///
/// ```swift
/// /// 0 …, 1 …, 2 …. Default 0.
/// @Default(0) let quality: InitInput
/// …
/// quality = try Quality(arguments.quality.value)
/// ```
@frozen
public enum Quality: BitwiseCopyable {
  /// 0: the sound of the opcode that this one replaces.
  case original
  /// 1: exact tuning, and antialiasing that costs little.
  case exact
  /// 2: the best sound that is worth its time, by oversampling.
  case best

  /// `iquality` is 0, 1 or 2; anything else is an init error that says so.
  @inlinable @_semantics("no_performance_analysis")
  public init(_ iquality: Double) throws(OpcodeError) {
    switch iquality {
    case 0: self = .original
    case 1: self = .exact
    case 2: self = .best
    default: throw OpcodeError(argument: "iquality", is: iquality, mustBe: "0, 1 or 2")
    }
  }
}
