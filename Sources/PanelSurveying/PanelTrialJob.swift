import CCsound
import CLandlock
import CsoundHost
import Foundation
import HarnessBase
public import Panels
import Rendering
import WidgetOpcodes
public import Workers

/// Reads the panel of a piece, plays the piece twice and moves every control in the second half of the second time.
public struct PanelTrialJob: Job {
  var path: String
  /// The only place that may be written: a piece can write files, and must not beside itself.
  var scratch: String
  /// Seconds that are played each time.
  var duration: Double

  public func perform(in worker: WorkerContext) throws(Failure) -> PanelTake {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure(.missingInput, "'\(path)' cannot be read.")
    }
    guard chdir(path.parentPath) == 0 else {
      throw Failure(.missingInput, "The directory of '\(path)' cannot be entered.")
    }
    let csd = String(decoding: data, as: UTF8.self)
    let callsWidgets = OtherWidgets.isNeeded(by: csd)
    let plugins =
      callsWidgets ? try withPlugins { () throws(Failure) in try OtherWidgets.setAside() } : nil
    defer { plugins?.remove() }
    setenv("SFDIR", scratch, 1)
    guard landlock_write_only_below(scratch) == 0 || landlock_is_there() == 0 else {
      throw Failure(
        .unavailable, "A piece cannot be kept from writing elsewhere than to '\(scratch)'.")
    }
    let title = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
    var trial = PanelTrial(
      renderer: worker.renderer, path: path, callsWidgets: callsWidgets, duration: duration,
      panel: try PiecePanel.panel(of: csd, title: title))
    return try trial.run()
  }

  /// Calls `body` while an engine is there, and with it its plugins.
  private func withPlugins<Result>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let engine: Csound
    do throws(CsoundError) {
      engine = try Csound()
    } catch {
      throw Failure(.unavailable, "Csound cannot be used: \(error).")
    }
    return try withExtendedLifetime(engine) { () throws(Failure) in try body() }
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
  /// Seconds it played, at most as many as asked for.
  public var seconds = 0.0
  /// Channels of controls, and of those how many took a value that the panel gave them.
  public var controls = 0
  public var working = 0
  /// Those that did not.
  public var deaf: [String] = []
  /// Whether the sound, or a channel that was not moved, was another when the controls had been moved.
  public var responds = false
}
