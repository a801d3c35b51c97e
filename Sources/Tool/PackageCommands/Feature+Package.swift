import CommandKit

extension Feature {
  /// Makes what can be given away.
  package static let packaging = Feature([.package])
}
