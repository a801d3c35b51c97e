import CsoundHost
import Foundation
import HarnessBase
public import Panels
public import Rendering
import WidgetOpcodes

/// Reads the panel of a piece, from its own file if it has one, and plays the piece twice, with keys pressed if it takes
/// keys. The second time it moves every control in the middle of the piece.
public struct PanelTrialJob: Job {
  var path: String
  var stage: PieceStage
  /// Seconds to play each time; a piece that ends earlier is not repeated.
  var duration: Double

  public func perform(in worker: WorkerContext) throws(Failure) -> PanelTake {
    // The trial has the piece's panel itself. Another host would set channels before the piece declares them.
    WidgetHost.current = nil
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure(.missingInput, "'\(path)' cannot be read.")
    }
    let csd = String(decoding: data, as: UTF8.self)
    let title = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    let panel = try PiecePanel.panel(ofPiece: path, text: csd)
    var trial = PanelTrial(
      renderer: worker.renderer, path: try steady(csd, title),
      callsWidgets: OtherWidgets.isNeeded(by: csd), duration: duration, panel: panel,
      keys: TrialKeys(csd, path: path, panel, duration: duration))
    return try trial.run(on: stage)
  }

  /// The path of the piece. If the piece seeds its random numbers from the clock with `seed 0`, the path of a copy with
  /// a fixed seed, so that it gives the same numbers each time.
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

/// The results of a panel's trial.
public struct PanelTake: Codable, Equatable, Sendable {
  public var source: PanelSource
  /// How many widgets there are of each kind.
  public var widgets: [String: Int] = [:]
  public var leftOut: [LeftOut] = []
  /// Why Csound does not compile the piece; nil when it does.
  public var refusal: String?
  /// Why the piece was not played: it uses other programs or the network, which is not allowed here.
  public var skipped: String?
  /// Seconds that the piece played, at most the job's duration.
  public var seconds = 0.0
  /// How many channels the controls set.
  public var controls = 0
  /// How many of these channels took the value that the trial gave them.
  public var working = 0
  /// The channels that did not.
  public var deaf: [String] = []
  /// Whether keys were pressed.
  public var pressesKeys = false
  /// Whether any output sample was not 0.
  public var sounds = false
  /// False if the piece differs even when no control is moved; then `responds` is false too, as nothing can be told.
  public var repeats = true
  /// Whether moving the controls changed the output, or a channel that was not moved.
  public var responds = false
  /// The panel for the test in the browser; removed from a survey's result.
  var panel: Panel?
}
