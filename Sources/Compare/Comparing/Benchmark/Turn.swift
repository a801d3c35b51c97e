import CsoundHost
import HarnessBase

/// The time of some k-cycles of one engine.
package struct Turn: Sendable {
  /// Processor time of this thread, in seconds.
  package var seconds: Double
  /// Whether the score has not ended.
  package var goesOn: Bool
}

extension Csound {
  package func takeTurn(of cycles: Int) -> Turn {
    let start = threadTime()
    let goesOn = performKsmps(count: cycles)
    return Turn(seconds: threadTime() - start, goesOn: goesOn)
  }
}

extension [Csound] {
  /// Times one turn of each engine, in random order on the same thread, so that interference from
  /// other programs affects all alike. The results are in the order of the engines.
  package func takeTurns(
    of cycles: [Int], using generator: inout some RandomNumberGenerator
  ) -> [Turn] {
    var turns = [Turn](repeating: Turn(seconds: 0, goesOn: true), count: count)
    for index in indices.shuffled(using: &generator) {
      turns[index] = self[index].takeTurn(of: cycles[index])
    }
    return turns
  }
}
