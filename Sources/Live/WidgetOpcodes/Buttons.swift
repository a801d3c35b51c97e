// kout, ihandle FLbutton Slabel, ion, ioff, itype, iwidth, iheight, ix, iy, iopcode [, kp1, kp2, …]
// kout, ihandle FLbutBank itype, inumx, inumy, iwidth, iheight, ix, iy, iopcode [, kp1, kp2, …]
//
// A button of type 1 has no memory: its variable is `ioff` until it is pressed and `ion` from then on. The
// p-fields of the note that a press starts are read at the press.

import OpcodeKit
import Panels

@Opcode("FLbutton", "A button of a panel")
struct Button: WidgetOpcode, InitOpcode, DeinitOpcode {
  struct Arguments: VariadicArguments {
    let value: ControlOutput
    let handle: InitOutput
    let label: StringInput
    /// The values when on and when off.
    let on, off: InitInput
    /// 1: no memory; 2, 3, 4: switched on and off. Plus 10: left out of snapshots; plus 20: another look, not used.
    let type: InitInput
    /// Pixels.
    let width, height, x, y: InitInput
    /// `iopcode`, then the p-fields of a note. 0 or 105 (`i`): a press starts the note; -1: it starts none.
    let event: Variadic<ControlInput>
  }

  let handle: Int

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let board = WidgetBoard.of(context)
    let type = Int(whole: arguments.type.value)
    let (on, off) = (arguments.on.value, arguments.off.value)
    let kind: WidgetKind = type % 10 == 1 ? .momentary : .switch
    let label = arguments.label.text
    let (channel, place) = board.makeChannel(label, kind)
    var widget = PanelWidget(
      kind, label: labelWithSymbols(label), channels: [channel],
      bounds: widgetBounds(arguments.x, arguments.y, arguments.width, arguments.height))
    var cell = WidgetCell(kind == .momentary ? .trigger : .toggle, place, arguments.value)
    (cell.on, cell.off) = (on, off)
    cell.event = startedNote(arguments.event)
    cell.skipsSnapshots = kind == .momentary || type % 20 >= 10
    if kind == .switch {
      (widget.on, widget.off) = (on, off)
      widget.ranges = [ValueRange(min(on, off), max(on, off))]
      place.pointee = off
      cell.seen = off
    }
    arguments.value.value = off
    handle = board.add(widget, [cell])
    arguments.handle.value = Double(handle)
  }
}

@Opcode("FLbutBank", "Buttons of a panel of which one is on")
struct ButtonBank: WidgetOpcode, InitOpcode, DeinitOpcode {
  struct Arguments: VariadicArguments {
    /// The number of the button that is on, counted from 0 down the columns.
    let value: ControlOutput
    let handle: InitOutput
    /// 1 to 4, looks that are not used. Plus 10: left out of snapshots.
    let type: InitInput
    /// How many buttons in a row, and in a column.
    let columns, rows: InitInput
    /// Pixels.
    let width, height, x, y: InitInput
    /// `iopcode`, then the p-fields of a note. 0 or 105 (`i`): a press starts the note; -1: it starts none.
    let event: Variadic<ControlInput>
  }

  let handle: Int

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let (columns, rows) = (arguments.columns.value, arguments.rows.value)
    guard columns >= 1, columns <= 256 else {
      throw OpcodeError(argument: "inumx", is: columns, mustBe: "from 1 to 256.")
    }
    guard rows >= 1, rows <= 256 else {
      throw OpcodeError(argument: "inumy", is: rows, mustBe: "from 1 to 256.")
    }
    let board = WidgetBoard.of(context)
    let (channel, place) = board.makeChannel("bank", .radio)
    let count = Int(whole: columns) * Int(whole: rows)
    var widget = PanelWidget(
      .radio, channels: [channel], ranges: [ValueRange(0, Double(count - 1), step: 1)],
      bounds: widgetBounds(arguments.x, arguments.y, arguments.width, arguments.height))
    widget.columns = Int(whole: columns)
    // The page shows the options row by row; the opcode counts the buttons column by column.
    widget.options = (0..<count).map { place in
      let (row, column) = (place / Int(whole: columns), place % Int(whole: columns))
      let number = column * Int(whole: rows) + row
      return PanelOption("\(number)", Double(number))
    }
    var cell = WidgetCell(.choice, place, arguments.value)
    (cell.low, cell.high) = (0, Double(count - 1))
    cell.event = startedNote(arguments.event)
    cell.skipsSnapshots = Int(whole: arguments.type.value) % 20 >= 10
    arguments.value.value = 0
    handle = board.add(widget, [cell])
    arguments.handle.value = Double(handle)
  }
}

@Opcode("FLcloseButton", "A button that would close its window, or run a program")
struct InertButton: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let handle: InitOutput
    let label: StringInput
    let width, height, x, y: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let (board, name) = (WidgetBoard.of(context), context.opcodeName)
    board.leaveOut(
      name,
      name == "FLexecButton" ? "No page runs programs." : "A page in a browser is closed there.")
    arguments.handle.value = Double(board.add(PanelWidget(.text)))
  }
}
