// How widgets look. Colours are red, green and blue from 0 to 255. Opcodes with a handle change its widget at once.

import OpcodeKit
import Panels

/// A colour; nil if one of the three parts is negative, as it is by default.
private func color(_ red: InitInput, _ green: InitInput, _ blue: InitInput) -> PanelColor? {
  let parts = [red.value, green.value, blue.value]
  guard parts.allSatisfy({ $0 >= 0 }) else { return nil }
  return PanelColor(
    UInt8(whole: parts[0]), UInt8(whole: parts[1]), UInt8(whole: parts[2]))
}

extension WidgetBoard {
  /// Changes the widget with this handle. Does nothing if there is none.
  static func change(
    _ handle: InitInput, _ context: Context, _ body: (inout PanelWidget) -> Void
  ) {
    let board = of(context)
    guard let item = board.item(handle.value) else { return }
    board.change { panel in
      body(&panel.widgets[item.widget])
      panel.widgets[item.widget].keepFinite()
    }
  }
}

@Opcode("FLcolor", "Colours of the widgets that follow")
struct Colors: InitOpcode {
  struct Arguments: BitwiseCopyable {
    @Default(-1) let red: InitInput
    @Default(-1) let green: InitInput
    @Default(-1) let blue: InitInput
    @Default(-1) let red2: InitInput
    @Default(-1) let green2: InitInput
    @Default(-1) let blue2: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let board = WidgetBoard.of(context)
    board.background = color(arguments.red, arguments.green, arguments.blue)
    board.color = color(arguments.red2, arguments.green2, arguments.blue2) ?? board.color
    if board.background == nil { board.color = nil }
  }
}

@Opcode("FLcolor2", "Colour of the moving parts of the widgets that follow")
struct MovingColor: InitOpcode {
  struct Arguments: BitwiseCopyable {
    @Default(-1) let red: InitInput
    @Default(-1) let green: InitInput
    @Default(-1) let blue: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).color = color(arguments.red, arguments.green, arguments.blue)
  }
}

@Opcode("FLlabel", "Texts of the widgets that follow")
struct Labels: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// Pixels; 0: the page's own size.
    @Default(0) let size: InitInput
    /// Not used.
    @Default(-1) let font: InitInput
    @Default(0) let align: InitInput
    @Default(-1) let red: InitInput
    @Default(-1) let green: InitInput
    @Default(-1) let blue: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let board = WidgetBoard.of(context)
    board.fontSize = arguments.size.value > 0 ? arguments.size.value : nil
    board.textColor = color(arguments.red, arguments.green, arguments.blue)
  }
}

@Opcode("FLsetColor", "Colour behind a widget")
struct SetColor: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let red, green, blue, handle: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.change(arguments.handle, context) { widget in
      widget.background = color(arguments.red, arguments.green, arguments.blue)
    }
  }
}

@Opcode("FLsetColor2", "Colour of a widget's moving part")
struct SetMovingColor: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let red, green, blue, handle: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.change(arguments.handle, context) { widget in
      widget.color = color(arguments.red, arguments.green, arguments.blue)
    }
  }
}

@Opcode("FLsetTextColor", "Colour of a widget's text")
struct SetTextColor: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let red, green, blue, handle: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.change(arguments.handle, context) { widget in
      if widget.kind == .text {
        widget.color = color(arguments.red, arguments.green, arguments.blue)
      }
    }
  }
}

@Opcode("FLsetTextSize", "Size of a widget's text")
struct SetTextSize: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let size, handle: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.change(arguments.handle, context) { widget in
      widget.fontSize = arguments.size.value
    }
  }
}

@Opcode("FLsetSize", "Size of a widget")
struct SetSize: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let width, height, handle: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.change(arguments.handle, context) { widget in
      widget.bounds?.width = arguments.width.value
      widget.bounds?.height = arguments.height.value
    }
  }
}

@Opcode("FLsetPosition", "Place of a widget")
struct SetPosition: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let x, y, handle: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.change(arguments.handle, context) { widget in
      widget.bounds?.x = arguments.x.value
      widget.bounds?.y = arguments.y.value
    }
  }
}

@Opcode("FLsetText", "Text of a widget")
struct SetText: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// The text. The number of a string is not looked up and gives an empty text.
    let text: AnyInput
    let handle: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let text = caption(arguments.text.text)
    WidgetBoard.change(arguments.handle, context) { widget in
      if widget.kind == .text { widget.text = text } else { widget.label = text }
    }
  }
}

@Opcode("FLsetFont", "Would change how a widget looks")
struct SetLook: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let look, handle: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).leaveOut(
      "FLsetFont, FLsetTextType, FLsetBox, FLsetAlign", "The page has its own style.")
  }
}

@Opcode("FLhide", "Would hide a widget, or show it")
struct SetVisible: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let handle: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).leaveOut("FLhide, FLshow", "Every widget is shown.")
  }
}
