// inumsnap, inumval FLsetsnap index [, ifn, igroup]        inumel FLgetsnap index [, igroup]
//
// Groups of snapshots and files with snapshots are not supported.

import OpcodeKit
import Panels

extension WidgetBoard {
  /// The cells that snapshots keep, in the order their widgets were made.
  fileprivate var kept: [UnsafeMutablePointer<WidgetCell>] {
    items.compactMap(\.cell).filter { !$0.pointee.skipsSnapshots && $0.pointee.kind != .display }
  }
}

@Opcode("FLsetsnap", "Keeps the values of a panel's widgets")
struct SetSnapshot: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// How many snapshots there are, and how many values in this one.
    let snapshots, values: InitOutput
    /// The number of the snapshot, 0 or more.
    let index: InitInput
    /// Not used.
    @Default(0) let table, group: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard let index = Int(exactly: arguments.index.value.rounded()), index >= 0 else {
      throw OpcodeError(argument: "index", is: arguments.index.value, mustBe: "0 or more.")
    }
    let board = WidgetBoard.of(context)
    board.snapshots[index] = board.kept.map(\.pointee.channel.pointee)
    arguments.snapshots.value = Double(board.snapshots.count)
    arguments.values.value = Double(board.kept.count)
  }
}

@Opcode("FLgetsnap", "Sets a panel's widgets to a snapshot")
struct GetSnapshot: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// How many values were set.
    let values: InitOutput
    /// The number of the snapshot; one that was never taken sets nothing.
    let index: InitInput
    /// Not used.
    @Default(0) let group: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let board = WidgetBoard.of(context)
    let values = Int(exactly: arguments.index.value.rounded()).flatMap { board.snapshots[$0] } ?? []
    for (cell, value) in zip(board.kept, values) { cell.pointee.set(value) }
    arguments.values.value = Double(values.count)
  }
}
