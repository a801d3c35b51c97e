import CCsound
import CsoundHost
import Foundation
import Panels
import Rendering
import TestSupport
import WidgetOpcodes

/// A piece with FL opcodes or Cabbage's, performed k-cycle by k-cycle.
final class WidgetPiece {
  let csound: Csound
  private(set) var board: WidgetBoard!

  init(
    _ header: String, instruments: String = "", score: String = "i1 0 1", cabbage: String = ""
  ) throws {
    var board: WidgetBoard?
    let section = "<Cabbage>\n\(cabbage)\n</Cabbage>"
    csound = try Csound { board = WidgetBoard.install(in: $0, for: section) }
    let path = try temporaryDirectory() + "/widgets.csd"
    try """
    \(header)
    instr 1
    endin
    \(instruments)
    """.csd(score: score, ksmps: 48).save(to: path)
    try csound.compile(path, options: ["-m0"])
    self.board = board
  }

  func run(_ cycles: Int = 1) { for _ in 0..<cycles { _ = csound.performKsmps() } }

  func set(_ channel: String, _ value: Double) {
    csoundSetControlChannel(csound.engine, channel, value)
  }

  func value(_ channel: String) -> Double { csoundGetControlChannel(csound.engine, channel, nil) }

  var panel: Panel { board.panel.panel }

  /// What the orchestra has printed with a mark in front.
  func printed(_ mark: String) -> [String] {
    csound.messages.filter { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
  }
}

/// With FLTK's own plugin a call of an FL opcode would end this process, and where plugins are is one setting for
/// all tests in it.
let hasOtherWidgets =
  (try? Csound()).map { engine in
    withExtendedLifetime(engine) { OtherWidgets.areInstalled }
  } ?? false
