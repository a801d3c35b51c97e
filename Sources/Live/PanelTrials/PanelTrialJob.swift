import CsoundHost
import Foundation
import HarnessBase
public import Panels
import Pieces
import Rendering
import WidgetOpcodes
public import Workers

/// Reads the panel of a piece, plays the piece twice, presses keys where it takes them, and moves every control in the
/// second half of the second time.
public struct PanelTrialJob: Job {
  var path: String
  var stage: PieceStage
  /// Seconds that are played each time.
  var duration: Double

  public func perform(in worker: WorkerContext) throws(Failure) -> PanelTake {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure(.missingInput, "'\(path)' cannot be read.")
    }
    let csd = String(decoding: data, as: UTF8.self)
    let title = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let panel = try PiecePanel.panel(of: csd, title: title)
    var trial = PanelTrial(
      renderer: worker.renderer, path: try steady(csd, title),
      callsWidgets: OtherWidgets.isNeeded(by: csd), duration: duration, panel: panel,
      keys: TrialKeys(csd, path: path, panel, duration: duration))
    return try trial.run(on: stage)
  }

  /// The path of the piece, or of a copy that begins with the same random numbers each time: a piece that says `seed 0`
  /// takes them from the clock.
  private func steady(_ csd: String, _ title: String) throws(Failure) -> String {
    let copy = csd.replacing(/\bseed(\s+|\s*\(\s*)0(?![\d.])/) { "seed\($0.output.1)1" }
    guard copy != csd else { return path }
    let place = "\(stage.scratch)/\(title).csd"
    guard FileManager.default.createFile(atPath: place, contents: Data(copy.utf8)) else {
      throw Failure(.unwritableOutput, "'\(place)' cannot be written.")
    }
    return place
  }
}

/// What came of it.
public struct PanelTake: Codable, Equatable, Sendable {
  public var source: PanelSource
  /// How many widgets there are of each kind.
  public var widgets: [String: Int] = [:]
  public var leftOut: [LeftOut] = []
  /// Why Csound does not compile the piece; nil when it does.
  public var refusal: String?
  /// Why it was not played: it uses programs or the network, which pieces do not get.
  public var skipped: String?
  /// Seconds it played, at most as many as asked for.
  public var seconds = 0.0
  /// Channels of controls, and of those how many took a value that the panel gave them.
  public var controls = 0
  public var working = 0
  /// Those that did not.
  public var deaf: [String] = []
  /// Whether keys were pressed, and whether anything was heard.
  public var pressesKeys = false
  public var sounds = false
  /// Whether it sounds the same each time, so that a difference is the controls'.
  public var repeats = true
  /// Whether the sound, or a channel that was not moved, was another when the controls had been moved.
  public var responds = false
  /// The panel, for the browser to show; a survey's result does not keep it.
  var panel: Panel?
}
