import Foundation
import HarnessBase

/// Measures the cost of mixing: the same number of voices as pieces of their own in a mixer, or as notes of one
/// orchestra. Each voice is a sawtooth through a ladder filter, played in real time without a device.
package final class MixTrial {
  package enum Kind: CaseIterable, Sendable {
    /// Each voice is an engine of its own in a mixer.
    case performances
    /// Each voice is a note.
    case orchestra
  }

  /// The results for a number of voices.
  package struct Row: Sendable {
    package var voices: Int
    /// The computing time as a fraction of a period's duration: mean, and worst period.
    package var load, worst: Double
    /// The fraction of periods that took longer to compute than they last.
    package var late: Double
  }

  package static let period = 256
  package static let ksmps = 64

  private let performance: Performance
  private let mixer: Mixer?
  private var voices = 0

  package init(_ kind: Kind) throws(Failure) {
    performance = Performance(
      Self.piece(score: "f 0 86400"), settings: Settings(device: .null, period: Self.period))
    try performance.play()
    mixer = kind == .performances ? try performance.mixer() : nil
  }

  private static func piece(score: String) -> Piece {
    Piece(
      .orchestra(
        """
        sr = 48000
        ksmps = \(ksmps)
        nchnls = 2
        0dbfs = 1
        instr 1
          asaw vco2 0.01, p4
          alow moogladder asaw, 2000, 0.3
          outs alow, alow
        endin
        """, score: score))
  }

  /// Adds voices until there are `wanted`, and measures the mix for this many seconds.
  package func run(voices wanted: Int, seconds: Double) throws(Failure) -> Row {
    while voices < wanted {
      voices += 1
      let pitch = 100 + 7 * Double(voices)
      if let mixer {
        _ = try mixer.add(Self.piece(score: "i 1 0 86400 \(pitch)"))
      } else {
        try performance.send("i", [1, 0, 86_400, pitch])
      }
    }
    // The first cycles of new voices are not typical.
    Thread.sleep(forTimeInterval: 0.1)
    guard let before = performance.status else { throw Session.isOver }
    Thread.sleep(forTimeInterval: seconds)
    guard let after = performance.status else { throw Session.isOver }
    let elapsed = after.seconds - before.seconds
    return Row(
      voices: voices,
      load: (after.meanLoad * after.seconds - before.meanLoad * before.seconds) / elapsed,
      worst: after.load,
      late: Double(after.latePeriods - before.latePeriods) * Double(Self.period) / 48_000 / elapsed)
  }

  package func end() { performance.stop() }
}
