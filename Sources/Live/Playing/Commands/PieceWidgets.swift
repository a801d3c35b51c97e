import CCsound
import CsoundHost
import CsoundLive
import Foundation
import HarnessBase
import Panels
import Rendering
import Synchronization

/// Registers the FL opcodes with an engine. They write to what is returned.
package typealias WidgetInstaller =
  @Sendable (UnsafeMutablePointer<CSOUND>) -> any WidgetMaker

/// The widgets of a piece that makes them itself with FL opcodes. Our FL opcodes are registered if the piece needs
/// them.
final class PieceWidgets: Sendable {
  private let csd: String
  private let install: WidgetInstaller?
  private let maker = Mutex<(any WidgetMaker)?>(nil)
  private let plugins: ScratchDirectory?

  /// `install` is nil in a program without FL opcodes.
  init(_ csd: String, _ install: WidgetInstaller?) throws(Failure) {
    (self.csd, self.install) = (csd, install)
    guard Self.isNeeded(by: csd) else {
      plugins = nil
      return
    }
    let engine: Csound
    do {
      engine = try Csound()
    } catch {
      throw .unavailable("Csound cannot be used: \(error).")
    }
    // The engine's plugins exist only as long as the engine.
    plugins = try withExtendedLifetime(engine) { () throws(Failure) in
      try OtherWidgets.setAside()
    }
  }

  deinit { plugins?.remove() }

  static func isNeeded(by csd: String) -> Bool {
    FileManager.default.contents(atPath: csd).map {
      OtherWidgets.isNeeded(by: String(decoding: $0, as: UTF8.self))
    } ?? false
  }

  /// The piece, which now registers FL opcodes in every engine that plays it.
  func begin(_ piece: Piece) -> Piece {
    var piece = piece
    let register = piece.register
    piece.register = { [self] engine in
      register(engine)
      let new = Self.isNeeded(by: csd) ? install?(engine) : nil
      maker.withLock { $0 = new }
    }
    return piece
  }

  /// The panel that the last compiled version of the piece has made, and a number that grows with every change; nil if
  /// it has made none.
  var panel: (panel: Panel, revision: Int)? {
    guard let made = maker.withLock({ $0 })?.panel, !made.panel.widgets.isEmpty else { return nil }
    return made
  }
}
