import CommandKit

extension Feature {
  /// The command that makes a folder to distribute.
  package static let packaging = Feature([.package])
}
