/// The load of one instrument.
public struct InstrumentLoad: Sendable, Equatable {
  /// The instrument's name, or its number.
  public var name: String
  /// Its computing time as a fraction of a k-cycle's duration.
  public var load: Double

  public init(name: String, load: Double) { (self.name, self.load) = (name, load) }
}
