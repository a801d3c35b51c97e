import CCsound
import CLandlock
import CsoundHost
import Foundation
import HarnessBase
import Panels
import Rendering
import Statistics

/// Where a piece plays: in its own directory, so that its files are found, and without the right to
/// write elsewhere than to a scratch directory.
package struct PieceStage: Codable, Sendable {
  /// The current directory while it plays.
  package var directory: String
  /// The only place that may be written: a piece can write files, and must not beside itself.
  package var scratch: String

  package init(directory: String, scratch: String) {
    (self.directory, self.scratch) = (directory, scratch)
  }

  /// Goes there, with this process and for the rest of its life.
  package func enter() throws(Failure) {
    guard chdir(directory) == 0 else {
      throw Failure(.missingInput, "The directory '\(directory)' cannot be entered.")
    }
    // Csound's own variable for where sound files are written.
    setenv("SFDIR", scratch, 1)
    guard landlock_write_only_below(scratch) == 0 || !SwapSettings.confinesPieces else {
      throw Failure(
        .unavailable, "A piece cannot be kept from writing elsewhere than to '\(scratch)'.")
    }
  }
}

/// A piece that plays, its widgets as they are at first, noise at -20 dBFS in its inputs.
package struct StagedPiece {
  package let csound: Csound
  private var noise = SeededGenerator(seed: 1)

  /// - Parameters:
  ///   - names: opcodes by further names that they get.
  package init(
    _ orchestra: Orchestra, names: [String: String] = [:], by renderer: Renderer
  ) throws(Failure) {
    let text = (try? String(contentsOfFile: orchestra.path, encoding: .isoLatin1)) ?? ""
    let panel = try CabbageImporter.panel(of: text, title: "")
    csound = try renderer.start(orchestra) { csound in
      for (channel, value) in panel?.initialNumbers ?? [:] {
        csoundSetControlChannel(csound.engine, channel, value)
      }
    } registering: { engine in
      if !names.isEmpty { Csound.add(names: names, to: engine) }
    }
    feed()
  }

  /// Puts more noise into the inputs.
  package mutating func feed() {
    let input = csound.input
    for index in input.indices {
      input[index] = Double.random(in: -0.1...0.1, using: &noise) * csound.fullScale
    }
  }
}
