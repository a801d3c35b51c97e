import Foundation
public import HarnessBase

/// The file in which a piece's panel keeps its values while the piece plays: `PIECE.values.json` beside `PIECE.csd`.
public struct KeptValues: Sendable {
  private let file: PieceFile<PanelPreset>
  public var path: String { file.path }

  public init(forPiece csd: String) {
    file = PieceFile("values", "file of a panel's values", forPiece: csd)
  }

  /// The values of the last time, with the time as their name; nil if there is no file.
  public func read() throws(Failure) -> PanelPreset? { try file.read() }

  /// Writes the values. An existing file stays as it is until the new one is complete.
  public func write(_ values: PanelPreset) throws(Failure) { try file.write(values) }

  /// Removes the file, if there is one.
  public func remove() throws(Failure) {
    guard unlink(path) != 0, errno != ENOENT else { return }
    throw Failure(
      .unwritableOutput, "'\(path)' cannot be removed: \(String(cString: strerror(errno))).")
  }
}
