public import CsoundHost
import Foundation
public import HarnessBase

/// The surroundings in which a piece plays that may be another person's: its own directory, so that its
/// files are found, and a confinement. Its widgets, FLTK's included, keep their initial values, and its
/// inputs get noise that peaks at -20 dBFS.
public struct PieceStage: Codable, Sendable {
  /// The current directory while it plays.
  public var directory: String
  /// The only directory that may be written: a piece may write files, but not beside itself.
  public var scratch: String
  /// Directories that may be read in addition to the current one: those that the user named.
  public var folders: [String]
  /// Directories that are taken out of the variables in which Csound looks for files: those that a command has put there for
  /// the place of an orchestra file, when the piece plays in another one.
  private var hidden: [String] = []

  public init(directory: String, scratch: String, folders: [String] = []) {
    (self.directory, self.scratch, self.folders) = (directory, scratch, folders)
  }

  /// Plays the piece in another directory, without what a command has found beside its orchestra file.
  package mutating func move(_ piece: String, to directory: String) {
    self.directory = directory
    if OrchestraAndScore.source(of: piece) != nil {
      hidden = OrchestraAndScore.folders(of: piece)
    }
  }

  /// Changes to the directory and confines this process, for the rest of its life, to play an orchestra.
  ///
  /// Throws `skipped` if the piece makes its score with a program, as no program is started.
  public func enter(toPlay orchestra: Orchestra) throws(Failure) {
    try OutsideUse.requireNone(inScoreOf: orchestra.path)
    let texts = OrchestraFile.all(from: orchestra.path).map {
      String(decoding: $0.bytes, as: UTF8.self)
    }
    if texts.contains(where: OtherWidgets.isNeeded) {
      // Csound's plugins are loaded while an engine exists.
      try withExtendedLifetime(Csound.usable()) { () throws(Failure) in
        try OtherWidgets.setAside(in: scratch + "/plugins")
      }
    }
    makeVariablesAbsolute()
    guard chdir(directory) == 0 else {
      throw .missingInput("The directory '\(directory)' cannot be entered.")
    }
    writeSoundsToScratch()
    let confinement = Confinement(
      scratch: scratch,
      readable: [orchestra.path] + (orchestra.plugin.map { [$0] } ?? [])
        + PieceFolder.readable(directory) + folders.flatMap(PieceFolder.readable))
    try confinement.enter()
  }

  /// The folders that the user's variables name are those of the user's directory.
  private func makeVariablesAbsolute() {
    for name in SystemFiles.variables {
      guard let value = ProcessInfo.processInfo.environment[name] else { continue }
      let absolute = value.replacing(/[^:;]+/) { URL(fileURLWithPath: String($0.0)).path }
      var folders = absolute.components(separatedBy: ":")
      // The command's own are the last ones.
      for folder in hidden { folders.lastIndex(of: folder).map { _ = folders.remove(at: $0) } }
      let rest = folders.joined(separator: ":")
      if rest.isEmpty { unsetenv(name) } else { setenv(name, rest, 1) }
    }
  }

  /// Makes Csound write sounds to `scratch` (variable `SFDIR`), and still look for sounds in the
  /// directories of both `SFDIR` and `SSDIR` (variable `SSDIR`).
  private func writeSoundsToScratch() {
    let environment = ProcessInfo.processInfo.environment
    let sounds = [environment["SFDIR"], environment["SSDIR"]].compactMap { $0 }
    if !sounds.isEmpty { setenv("SSDIR", sounds.joined(separator: ":"), 1) }
    setenv("SFDIR", scratch, 1)
  }
}

/// A piece that plays on its stage.
public struct StagedPiece {
  public let csound: Csound
  private var noise = SeededGenerator(seed: 1)

  /// - Parameters:
  ///   - names: additional names for opcodes: the opcode by each name.
  ///   - beforeStart: is called after the piece is compiled, before anything of it has run.
  public init(
    _ orchestra: Orchestra, names: [String: String] = [:], by renderer: Renderer,
    beforeStart: (Csound) throws(CsoundError) -> Void = { _ in }
  ) throws(Failure) {
    csound = try renderer.startPiece(orchestra, beforeStart: beforeStart) { engine in
      if !names.isEmpty { Csound.add(names: names, to: engine) }
    }
    feed()
  }

  /// Fills the inputs with noise for the next k-cycle.
  public mutating func feed() {
    let input = csound.input
    for index in input.indices {
      input[index] = Double.random(in: -0.1...0.1, using: &noise) * csound.fullScale
    }
  }
}
