import Foundation
public import HarnessBase
import Rendering

/// Finds opcodes of Csound's own in pieces that can be swapped for faster ones, and swaps them.
public struct Acceleration: Sendable {
  public var counterparts: Counterparts
  public var settings: SwapSettings
  /// How often new engines are made for timing, at least.
  public var fewestSets = 10
  /// Seconds of processor time that may be spent on making more. With 0 one k-cycle is timed, which is too little to leave
  /// anything out as slower.
  public var patience = 20.0
  /// Whether user-defined opcodes that can be ported are looked for, which takes two more renders.
  var findsPorts = false

  public init(_ counterparts: Counterparts, _ settings: SwapSettings) {
    self.counterparts = counterparts
    self.settings = settings
  }

  /// Swaps the opcodes whose counterparts sound the same and are not slower, and writes the swapped
  /// piece.
  ///
  /// - Parameters:
  ///   - output: where the piece is written, if anything is swapped; nil writes none.
  ///   - told: is called before each step with its description.
  public func accelerate(
    _ path: String, to output: String? = nil,
    told: @escaping @Sendable (String) -> Void = { _ in }
  ) throws(Failure) -> FasterPiece {
    let path = URL(fileURLWithPath: path).path
    let piece: SwappedPiece
    do throws(Failure) {
      piece = try SwappedPiece(readingFrom: path)
    } catch {
      return FasterPiece(path: path, failing: error.message)
    }
    let calls = piece.calls(among: Set(counterparts.subjects.keys))
    let scratch = try ScratchDirectory("faster")
    defer { scratch.remove() }
    var search = SwapSearch(self, piece, path: path, scratch: scratch.path, told: told)
    try search.run(calls)
    if findsPorts { try search.findPorts() }
    if let output, search.result.outcome == .swapped {
      try search.write(to: URL(fileURLWithPath: output).path)
    }
    return search.result
  }
}
