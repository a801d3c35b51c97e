public import CVector

/// Eight angles in units of 2^-32 turns. Sums and differences wrap, so that a difference is from -1/2 turn to 1/2 turn.
@frozen
public struct AngleLanes: BitwiseCopyable {
  public var values: SIMD8<UInt32>

  @inlinable @inline(__always)
  public init(values: SIMD8<UInt32>) { self.values = values }

  /// Numbers of units without their fractions. They must be below 2^31 in magnitude, which is not checked.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  init(truncating units: ShortLanes) { values = cv_turns_of(units.values) }

  /// 2^32 / (2 π).
  @inlinable public static var unitsPerRadian: Double { 683565275.5764316 }

  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func + (_ a: AngleLanes, _ b: AngleLanes) -> AngleLanes {
    AngleLanes(values: cv_turns_add(a.values, b.values))
  }
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public static func - (_ a: AngleLanes, _ b: AngleLanes) -> AngleLanes {
    AngleLanes(values: cv_turns_subtract(a.values, b.values))
  }

  /// The angles as numbers of units, from -2^31 to 2^31 - 1.
  @inlinable public var units: Lanes {
    @inline(__always) @_semantics("no_performance_analysis") get {
      Lanes(values: cv_turns_lanes(values))
    }
  }

  /// Each angle whose `size` is at least `low`; 0 in the other places.
  @inlinable @inline(__always) @_semantics("no_performance_analysis")
  public func kept(where size: ShortLanes, isFrom low: ShortLanes) -> AngleLanes {
    AngleLanes(values: cv_turns_kept(values, size.values, low.values))
  }
}
