// Boxes with a text or a value.

import OpcodeKit
import Panels

@Opcode("FLbox", "A text of a panel")
struct Box: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let handle: InitOutput
    /// The text. The number of a string is not looked up and gives an empty text.
    let text: AnyInput
    /// Not used.
    let type, font: InitInput
    /// The text's size in pixels; 0: the page's own.
    let size: InitInput
    /// Pixels.
    let width, height, x, y: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    var widget = PanelWidget(
      .text, bounds: widgetBounds(arguments.x, arguments.y, arguments.width, arguments.height))
    widget.text = labelWithSymbols(arguments.text.text)
    widget.fontSize = arguments.size.value > 0 ? arguments.size.value : nil
    arguments.handle.value = Double(WidgetBoard.of(context).add(widget))
  }
}

@Opcode("FLvalue", "A box of a panel that shows a value")
struct ValueBox: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let handle: InitOutput
    let label: StringInput
    /// Pixels.
    @Default(-1) let width, height, x, y: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let board = WidgetBoard.of(context)
    let label = arguments.label.text
    let (channel, place) = board.makeChannel(label, .label)
    arguments.handle.value = Double(
      board.add(
        PanelWidget(
          .label, label: labelWithSymbols(label), channels: [channel],
          bounds: widgetBounds(arguments.x, arguments.y, arguments.width, arguments.height)),
        [WidgetCell(.display, place)]))
  }
}

@Opcode("FLprintk", "Shows a value in a panel from time to time")
struct PrintValue: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// Seconds between two values.
    let time: InitInput
    let value: ControlInput
    /// Handle of a box from `FLvalue`.
    let display: InitInput
  }

  private let cell: UnsafeMutablePointer<WidgetCell>?
  private let period: Double
  private var elapsed = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    cell = WidgetBoard.of(context).cell(arguments.display.value)
    period = arguments.time.value * context.controlRate
    elapsed = period
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    elapsed += 1
    guard elapsed >= period else { return }
    elapsed = 0
    cell?.pointee.set(arguments.value.value)
  }
}

@Opcode("FLprintk2", "Shows a value in a panel when it changes")
struct PrintChange: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let value: ControlInput
    /// Handle of a box from `FLvalue`.
    let display: InitInput
  }

  private let cell: UnsafeMutablePointer<WidgetCell>?
  private var last = Double.nan

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    cell = WidgetBoard.of(context).cell(arguments.display.value)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let value = arguments.value.value
    guard value != last else { return }
    last = value
    cell?.pointee.set(value)
  }
}

@Opcode("FLvkeybd", "A keyboard of a panel that plays MIDI notes")
struct Keyboard: InitOpcode {
  struct Arguments: BitwiseCopyable {
    /// A file with the names of programs; not used.
    let map: StringInput
    /// Pixels.
    let width, height, x, y: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    var widget = PanelWidget(
      .keyboard, bounds: widgetBounds(arguments.x, arguments.y, arguments.width, arguments.height))
    widget.keys = PanelKeys(low: 36, count: 61)
    WidgetBoard.of(context).add(widget)
  }
}
