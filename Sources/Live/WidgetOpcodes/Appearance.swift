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
    @Default(-1) let red, green, blue, red2, green2, blue2: InitInput
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
    @Default(-1) let red, green, blue: InitInput
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
    @Default(-1) let red, green, blue: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let board = WidgetBoard.of(context)
    board.fontSize = arguments.size.value > 0 ? arguments.size.value : nil
    board.textColor = color(arguments.red, arguments.green, arguments.blue)
  }
}

@Opcode("FLsetColor", "Colour behind a widget, of its moving part (2), or of its text")
struct SetColor: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let red, green, blue, handle: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.change(arguments.handle, context) { widget in
      let color = color(arguments.red, arguments.green, arguments.blue)
      switch context.opcodeName {
      case "FLsetColor": widget.background = color
      case "FLsetTextColor" where widget.kind != .text: break
      default: widget.color = color
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

@Opcode("FLsetSize", "Size of a widget, or its place")
struct SetBounds: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let across, down, handle: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let (across, down) = (arguments.across.value, arguments.down.value)
    WidgetBoard.change(arguments.handle, context) { widget in
      widget.bounds = widget.bounds.map {
        context.opcodeName == "FLsetSize"
          ? PanelBounds($0.x, $0.y, across, down) : PanelBounds(across, down, $0.width, $0.height)
      }
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
    let text = labelWithSymbols(arguments.text.text)
    WidgetBoard.change(arguments.handle, context) { widget in
      if widget.kind == .text { widget.text = text } else { widget.label = text }
    }
  }
}
