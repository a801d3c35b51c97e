import CCsound
import CLandlock
public import CsoundHost
import Foundation
public import HarnessBase
import Panels
public import Rendering
import Statistics

/// Where a piece plays: in its own directory, so that its files are found, and without the right to
/// write elsewhere than to a scratch directory. Its widgets are as they are at first, and its inputs
/// hear noise at -20 dBFS.
public struct PieceStage: Codable, Sendable {
  /// The current directory while it plays.
  public var directory: String
  /// The only place that may be written: a piece can write files, and must not beside itself.
  public var scratch: String

  public init(directory: String, scratch: String) {
    (self.directory, self.scratch) = (directory, scratch)
  }

  /// Whether pieces are kept from writing files beside themselves: Linux's Landlock does it.
  public static var confinesPieces: Bool { landlock_is_there() != 0 }

  /// Goes there, with this process and for the rest of its life.
  public func enter() throws(Failure) {
    guard chdir(directory) == 0 else {
      throw Failure(.missingInput, "The directory '\(directory)' cannot be entered.")
    }
    // Csound's own variable for where sound files are written.
    setenv("SFDIR", scratch, 1)
    guard landlock_write_only_below(scratch) == 0 || !Self.confinesPieces else {
      throw Failure(
        .unavailable, "A piece cannot be kept from writing elsewhere than to '\(scratch)'.")
    }
  }

  /// The channels that a CSD's widgets have at first, by name.
  public static func channels(of csd: String) throws(Failure) -> [String: Double] {
    let text = (try? String(contentsOfFile: csd, encoding: .isoLatin1)) ?? ""
    return try CabbageImporter.panel(of: text, title: "")?.initialNumbers ?? [:]
  }
}

/// A piece that plays on its stage.
public struct StagedPiece {
  public let csound: Csound
  private var noise = SeededGenerator(seed: 1)

  /// - Parameters:
  ///   - names: opcodes by further names that they get.
  ///   - beforeStart: is called when it is compiled and nothing of it has run.
  public init(
    _ orchestra: Orchestra, names: [String: String] = [:], by renderer: Renderer,
    beforeStart: (Csound) throws(CsoundError) -> Void = { _ in }
  ) throws(Failure) {
    let channels = try PieceStage.channels(of: orchestra.path)
    csound = try renderer.start(orchestra) { csound throws(CsoundError) in
      for (channel, value) in channels { csoundSetControlChannel(csound.engine, channel, value) }
      try beforeStart(csound)
    } registering: { engine in
      if !names.isEmpty { Csound.add(names: names, to: engine) }
    }
    feed()
  }

  /// Puts more noise into the inputs.
  public mutating func feed() {
    let input = csound.input
    for index in input.indices {
      input[index] = Double.random(in: -0.1...0.1, using: &noise) * csound.fullScale
    }
  }
}
