// Windows, tabs and boxes of a panel. Each opcode begins one in the init pass; another opcode ends it.

import OpcodeKit
import Panels

@Opcode("FLpanel", "A window of a panel")
struct Window: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let label: StringInput
    /// Pixels.
    @Default(-1) let width, height, x: InitInput
    @Default(0) let y: InitInput
    /// Not used.
    @Default(0) let border, capturesKeys, closes: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let (width, height) = (arguments.width.value, arguments.height.value)
    WidgetBoard.of(context).open(
      .window, arguments.label.text,
      width > 0 && height > 0 ? PanelBounds(0, 0, width, height).finite : nil)
  }
}

@Opcode("FLgroup", "A group of a panel's widgets")
struct Group: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let label: StringInput
    /// Pixels.
    let width, height, x, y: InitInput
    /// Not used.
    @Default(-1) let border: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let board = WidgetBoard.of(context)
    board.open(
      board.isInTabs ? .page : .box, arguments.label.text,
      widgetBounds(arguments.x, arguments.y, arguments.width, arguments.height))
  }
}

@Opcode("FLtabs", "Pages of a panel, one of them shown")
struct Tabs: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// Pixels.
    let width, height, x, y: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).open(
      .tabs, "", widgetBounds(arguments.x, arguments.y, arguments.width, arguments.height))
  }
}

@Opcode("FLpack", "Widgets of a panel in a row or column")
struct Pack: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// Pixels.
    let width, height, x, y: InitInput
    /// Not used: the page lays out the widgets in the box.
    @Default(0) let type, space, border: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).open(
      .box, "", widgetBounds(arguments.x, arguments.y, arguments.width, arguments.height))
  }
}
