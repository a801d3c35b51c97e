import CCsound
import CLandlock
public import CsoundHost
import Foundation
public import HarnessBase
import Panels
public import Rendering
import Statistics
import WidgetOpcodes

/// Where a piece plays: in its own directory, so that its files are found, and without the right to
/// write elsewhere than to a scratch directory. Its widgets, FLTK's included, are as they are at first,
/// and its inputs hear noise at -20 dBFS.
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

  /// Goes there to play a CSD, with this process and for the rest of its life.
  public func enter(toPlay csd: String) throws(Failure) {
    if Self.callsWidgets(csd) { try withEngine { () throws(Failure) in try setWidgetsAside() } }
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

  /// What is left aside goes with the scratch directory.
  private func setWidgetsAside() throws(Failure) {
    let directory = scratch + "/plugins"
    guard mkdir(directory, 0o777) == 0 || errno == EEXIST else {
      throw Failure(.unwritableOutput, "The directory '\(directory)' cannot be made.")
    }
    try OtherWidgets.setAside(in: directory)
  }

  /// Calls `body` while an engine is there, and with it its plugins.
  private func withEngine(_ body: () throws(Failure) -> Void) throws(Failure) {
    let engine: Csound
    do throws(CsoundError) {
      engine = try Csound()
    } catch {
      throw Failure(.unavailable, "Csound cannot be used: \(error).")
    }
    try withExtendedLifetime(engine) { () throws(Failure) in try body() }
  }

  fileprivate static func callsWidgets(_ csd: String) -> Bool {
    OtherWidgets.isNeeded(by: (try? String(contentsOfFile: csd, encoding: .isoLatin1)) ?? "")
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
    let callsWidgets = PieceStage.callsWidgets(orchestra.path)
    csound = try renderer.start(orchestra) { csound throws(CsoundError) in
      for (channel, value) in channels { csoundSetControlChannel(csound.engine, channel, value) }
      try beforeStart(csound)
    } registering: { engine in
      if callsWidgets { _ = WidgetBoard.install(in: engine) }
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
