// Boxes with a text or a value.

import OpcodeKit
import Panels

/// Adds a box with a text; returns its handle.
private func addBox(_ text: String, _ size: InitInput, _ bounds: PanelBounds?, _ context: Context)
  -> Double
{
  var widget = PanelWidget(.text, bounds: bounds)
  widget.text = caption(text)
  widget.fontSize = size.value > 0 ? size.value : nil
  return Double(WidgetBoard.of(context).add(widget))
}

@Opcode("FLbox", "A text of a panel")
struct Box: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let handle: InitOutput
    let text: StringInput
    /// Not used.
    let type, font: InitInput
    /// Of the text, in pixels.
    let size: InitInput
    /// Pixels.
    let width, height, x, y: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.handle.value = addBox(
      arguments.text.text, arguments.size,
      widgetBounds(arguments.x, arguments.y, arguments.width, arguments.height), context)
  }
}

@Opcode("FLbox.number", "A box of a panel, its text a string's number")
struct NumberedBox: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let handle: InitOutput
    let text: InitInput
    let type, font, size, width, height, x, y: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.handle.value = addBox(
      "", arguments.size, widgetBounds(arguments.x, arguments.y, arguments.width, arguments.height),
      context)
  }
}

@Opcode("FLvalue", "A box of a panel that shows a value")
struct ValueBox: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let handle: InitOutput
    let label: StringInput
    /// Pixels.
    @Default(-1) let width: InitInput
    @Default(-1) let height: InitInput
    @Default(-1) let x: InitInput
    @Default(-1) let y: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let board = WidgetBoard.of(context)
    let label = arguments.label.text
    let (channel, place) = board.makeChannel(label, .label)
    arguments.handle.value = Double(
      board.add(
        PanelWidget(
          .label, label: caption(label), channels: [channel],
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
