import CCsound
import CsoundHost
import CsoundLive
import HarnessBase
import Panels
import Rendering
import Synchronization

/// Registers the FL opcodes with an engine, for the text of the CSD that it is going to compile. They write to what is
/// returned.
package typealias WidgetInstaller =
  @Sendable (UnsafeMutablePointer<CSOUND>, _ csd: String) -> any WidgetMaker

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
    guard Self.text(of: csd) != nil else {
      plugins = nil
      return
    }
    // The engine's plugins exist only as long as the engine.
    plugins = try withExtendedLifetime(Csound.usable()) { () throws(Failure) in
      try OtherWidgets.setAside()
    }
  }

  deinit { plugins?.remove() }

  /// The text of a CSD that needs the opcodes; nil for others.
  static func text(of csd: String) -> String? {
    PieceChannels.text(of: csd).flatMap { OtherWidgets.isNeeded(by: $0) ? $0 : nil }
  }

  /// The piece, which now registers FL opcodes in every engine that plays it.
  func begin(_ piece: Piece) -> Piece {
    var piece = piece
    let register = piece.register
    piece.register = { [self] engine in
      register(engine)
      let new = Self.text(of: csd).flatMap { install?(engine, $0) }
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
