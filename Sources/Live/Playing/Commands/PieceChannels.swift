import CsoundLive
import Foundation
import HarnessBase
import Panels

/// The channels of a playing piece: those that its text and its panel name, and those that Csound has.
struct PieceChannels {
  private let csd: String
  private let performance: Performance

  /// `csd` is the path of the piece.
  init(_ csd: String, _ performance: Performance) {
    (self.csd, self.performance) = (csd, performance)
  }

  /// The known names, including channels of notes that have not begun. `typed` is code that was added to the piece
  /// while it plays.
  private func names(_ typed: String) -> Set<String> {
    Self.names(inTextOf: csd, typed).union(performance.channels.map(\.name)).subtracting([""])
  }

  /// The text of a piece; nil if the file cannot be read.
  static func text(of csd: String) -> String? {
    FileManager.default.contents(atPath: csd).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The names that the text of a piece and its panel have. `typed` is more code.
  static func names(inTextOf csd: String, _ typed: String = "") -> Set<String> {
    var names: Set<String> = []
    let code = "<CsInstruments>\n\(typed)\n</CsInstruments>"
    for csd in [text(of: csd) ?? "", code] {
      names.formUnion(
        ChannelImporter.panel(of: csd, title: "", hints: []).widgets.flatMap(\.channels))
    }
    names.formUnion((try? PlayPanel.read(csd))?.widgets.flatMap(\.channels) ?? [])
    return names.subtracting([""])
  }

  /// The message for a name that no channel has; nil if a channel has it.
  func unknown(_ name: String, typed: String) -> String? {
    guard !performance.hasChannel(name) else { return nil }
    let names = names(typed)
    return names.contains(name) ? nil : NearNames.unknown("No channel", name, names)
  }
}
