// The opcodes that set a bank of sliders to the values of a table, and those of the plane of snapshots.

import OpcodeKit
import Panels

/// Sets sliders of a bank to values of a table.
private func set(
  _ handle: InitInput, _ table: InitInput, _ startIndex: InitInput, _ startSlider: InitInput,
  _ count: InitInput, _ context: Context
) {
  let board = WidgetBoard.of(context)
  guard let bank = Int(exactly: handle.value), board.banks.indices.contains(bank) else { return }
  let sliders = board.banks[bank].dropFirst(max(0, Int(whole: startSlider.value)))
  let number = count.value > 0 ? Int(whole: count.value) : sliders.count
  for (place, slider) in sliders.prefix(number).enumerated() {
    let index = Int(whole: startIndex.value) + place
    guard let value = tableValue(table, index, context) else { return }
    board.items[slider].cell?.pointee.set(value)
  }
}

@Opcode("FLslidBnkGetHandle", "The number of the last bank of sliders")
struct BankHandle: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let handle: InitOutput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.handle.value = Double(WidgetBoard.of(context).banks.count - 1)
  }
}

@Opcode("FLslidBnkSet", "Sets sliders of a bank to values of a table")
struct SetBank: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let handle, table: InitInput
    /// The index of the first value in the table, the first slider, and how many sliders; 0: all.
    @Default(0) let startIndex, startSlider, count: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    set(
      arguments.handle, arguments.table, arguments.startIndex, arguments.startSlider,
      arguments.count, context)
  }
}

@Opcode("FLslidBnkSetk", "Would set sliders of a bank to values of a table, in performance")
struct SetBankControl: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let trigger: ControlInput
    let handle, table: InitInput
    /// The index of the first value in the table, the first slider, and how many sliders; 0: all.
    @Default(0) let startIndex, startSlider, count: InitInput
  }

  // Sets the sliders once, to what the table holds in the init pass.
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).leaveOut(
      "FLslidBnkSetk, FLslidBnk2Setk", "It sets the sliders in the init pass only.")
    set(
      arguments.handle, arguments.table, arguments.startIndex, arguments.startSlider,
      arguments.count, context)
  }
}

@Opcode("FLhvsBox", "Would show a plane of snapshots")
struct SnapshotPlane: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let handle: InitOutput
    let columns, rows, width, height, x, y: InitInput
    @Default(0) let image: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let board = WidgetBoard.of(context)
    board.leaveOut("FLhvsBox", "The plane of snapshots is not drawn.")
    arguments.handle.value = Double(board.add(PanelWidget(.panel)))
  }
}
