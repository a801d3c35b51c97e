// kout, ihandle FLslider Slabel, imin, imax [, iexp, itype, idisp, iwidth, iheight, ix, iy]
// and the other widgets with a value.
//
// The output variable is 0 until the widget is moved or set, as with FLTK.

import OpcodeKit
import Panels

/// A widget with one value.
struct Valuator {
  let label: String
  let kind: WidgetKind
  let range: ValueRange
  var isVertical = false
  var bounds: PanelBounds?
  /// The handle of the box that shows the value; below 0 there is none.
  var display = -1.0

  /// Adds the widget to the board, and returns its handle.
  func add(
    _ context: Context, _ variable: ControlOutput, _ output: InitOutput,
    event: Variadic<ControlInput>? = nil
  ) -> Int {
    let board = WidgetBoard.of(context)
    let (channel, place) = board.makeChannel(label, kind)
    var widget = PanelWidget(
      kind, label: labelWithSymbols(label), channels: [channel], ranges: [range], bounds: bounds)
    widget.isVertical = isVertical
    var cell = Self.cell(board, place, variable, range, display: display)
    cell.event = event
    let handle = board.add(widget, [cell])
    output.value = Double(handle)
    return handle
  }

  static func cell(
    _ board: WidgetBoard, _ place: UnsafeMutablePointer<Double>, _ variable: ControlOutput?,
    _ range: ValueRange, display: Double = -1
  ) -> WidgetCell {
    var cell = WidgetCell(.value, place, variable)
    (cell.low, cell.high) = (min(range.minimum, range.maximum), max(range.minimum, range.maximum))
    cell.display = display >= 0 ? board.cell(display) : nil
    return cell
  }
}

/// The range of a widget, as its opcode's arguments say it.
func valuatorRange(
  _ minimum: InitInput, _ maximum: InitInput, _ exponent: InitInput, _ context: Context
) -> ValueRange {
  WidgetBoard.of(context).range(minimum.value, maximum.value, exponent: exponent.value)
}

/// A label as text: FLTK's codes for symbols, such as `@>` for an arrow, become the symbol.
func labelWithSymbols(_ label: String) -> String {
  let signs = [
    "@>": "▶", "@<": "◀", "@>>": "⏩", "@<<": "⏪", "@>|": "⏭", "@|<": "⏮", "@||": "⏸",
    "@square": "■", "@circle": "●", "@->": "→", "@<-": "←", "@+": "+", "@line": "—", "@2>": "▼",
    "@8>": "▲",
    "@2<-": "↑", "@8->": "↑", "@2->": "↓", "@refresh": "⟳", "@returnarrow": "↵", "@menu": "☰",
  ]
  return signs[label] ?? label
}

@Opcode("FLslider", "A slider of a panel")
struct Slider: WidgetOpcode, InitOpcode, DeinitOpcode {
  struct Arguments: BitwiseCopyable {
    let value: ControlOutput
    let handle: InitOutput
    let label: StringInput
    /// The values at the left or upper end, and at the right or lower one.
    let minimum, maximum: InitInput
    /// 0 linear, -1 exponential.
    @Default(-1) let exponent: InitInput
    /// Odd: horizontal; even: vertical. Plus 20: another look, not used.
    @Default(-1) let type: InitInput
    /// Handle of a box from `FLvalue`; -1 for none.
    @Default(-1) let display: InitInput
    /// Pixels.
    @Default(-1) let width, height, x, y: InitInput
  }

  let handle: Int

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let type = arguments.type.value
    var ends = [arguments.minimum, arguments.maximum]
    let isVertical = type > 0 && Int(whole: type) % 2 == 0
    // A vertical slider has its minimum at the top.
    if isVertical { ends.reverse() }
    handle = Valuator(
      label: arguments.label.text, kind: .slider,
      range: valuatorRange(ends[0], ends[1], arguments.exponent, context), isVertical: isVertical,
      bounds: widgetBounds(arguments.x, arguments.y, arguments.width, arguments.height),
      display: arguments.display.value
    ).add(context, arguments.value, arguments.handle)
  }
}

@Opcode("FLknob", "A knob of a panel")
struct Knob: WidgetOpcode, InitOpcode, DeinitOpcode {
  struct Arguments: BitwiseCopyable {
    let value: ControlOutput
    let handle: InitOutput
    let label: StringInput
    let minimum, maximum: InitInput
    /// 0 linear, -1 exponential.
    @Default(-1) let exponent: InitInput
    /// Not used.
    @Default(-1) let type: InitInput
    /// Handle of a box from `FLvalue`; -1 for none.
    @Default(-1) let display: InitInput
    /// Pixels.
    @Default(-1) let width, x, y: InitInput
    /// Not used.
    @Default(0) let cursorSize: InitInput
  }

  let handle: Int

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    handle = Valuator(
      label: arguments.label.text, kind: .knob,
      range: valuatorRange(arguments.minimum, arguments.maximum, arguments.exponent, context),
      bounds: widgetBounds(arguments.x, arguments.y, arguments.width, arguments.width),
      display: arguments.display.value
    ).add(context, arguments.value, arguments.handle)
  }
}

@Opcode("FLroller", "A wheel of a panel")
struct Roller: WidgetOpcode, InitOpcode, DeinitOpcode {
  struct Arguments: BitwiseCopyable {
    let value: ControlOutput
    let handle: InitOutput
    let label: StringInput
    let minimum, maximum: InitInput
    @Default(-1) let step: InitInput
    /// 0 linear, -1 exponential.
    @Default(-1) let exponent: InitInput
    /// 1: horizontal, 2: vertical.
    @Default(-1) let type: InitInput
    /// Handle of a box from `FLvalue`; -1 for none.
    @Default(-1) let display: InitInput
    /// Pixels.
    @Default(-1) let width, height, x, y: InitInput
  }

  let handle: Int

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    var range = valuatorRange(arguments.minimum, arguments.maximum, arguments.exponent, context)
    range.step = max(0, arguments.step.value)
    handle = Valuator(
      label: arguments.label.text, kind: .slider, range: range,
      isVertical: arguments.type.value == 2,
      bounds: widgetBounds(arguments.x, arguments.y, arguments.width, arguments.height),
      display: arguments.display.value
    ).add(context, arguments.value, arguments.handle)
  }
}

@Opcode("FLtext", "A number of a panel that is typed")
struct NumberField: WidgetOpcode, InitOpcode, DeinitOpcode {
  struct Arguments: BitwiseCopyable {
    let value: ControlOutput
    let handle: InitOutput
    let label: StringInput
    let minimum, maximum: InitInput
    @Default(-1) let step: InitInput
    /// Not used. In FLTK, 1: typed and dragged; 2: shown only; 3: dragged.
    @Default(-1) let type: InitInput
    /// Pixels.
    @Default(-1) let width, height, x, y: InitInput
  }

  let handle: Int

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let (minimum, maximum) = (arguments.minimum.value, arguments.maximum.value)
    handle = Valuator(
      label: arguments.label.text, kind: .number,
      range: ValueRange(minimum, maximum, step: max(0, arguments.step.value)),
      bounds: widgetBounds(arguments.x, arguments.y, arguments.width, arguments.height)
    ).add(context, arguments.value, arguments.handle)
  }
}

@Opcode("FLcount", "A counter of a panel")
struct Counter: WidgetOpcode, InitOpcode, DeinitOpcode {
  struct Arguments: VariadicArguments {
    let value: ControlOutput
    let handle: InitOutput
    let label: StringInput
    let minimum, maximum: InitInput
    /// What a click on the inner and on the outer arrows adds; the outer step is not used.
    let step, largeStep: InitInput
    let type: InitInput
    /// Pixels.
    let width, height, x, y: InitInput
    /// `iopcode`, then the p-fields of a note. 0 or 105 (`i`): each change starts the note; -1: it starts none.
    let event: Variadic<ControlInput>
  }

  let handle: Int

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let (minimum, maximum) = (arguments.minimum.value, arguments.maximum.value)
    handle = Valuator(
      label: arguments.label.text, kind: .number,
      range: ValueRange(minimum, maximum, step: max(0, arguments.step.value)),
      bounds: widgetBounds(arguments.x, arguments.y, arguments.width, arguments.height)
    ).add(context, arguments.value, arguments.handle, event: startedNote(arguments.event))
  }
}

@Opcode("FLjoy", "A plane of a panel")
struct Joystick: WidgetOpcode, InitOpcode, DeinitOpcode {
  struct Arguments: BitwiseCopyable {
    let valueX, valueY: ControlOutput
    let handleX, handleY: InitOutput
    let label: StringInput
    let minimumX, maximumX, minimumY, maximumY: InitInput
    /// 0 linear, -1 exponential.
    @Default(-1) let exponentX, exponentY: InitInput
    /// Handles of boxes from `FLvalue`; -1 for none.
    @Default(-1) let displayX, displayY: InitInput
    /// Pixels.
    @Default(-1) let width, height, x, y: InitInput
  }

  let handle: Int

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let board = WidgetBoard.of(context)
    let label = arguments.label.text
    let ranges = [
      valuatorRange(arguments.minimumX, arguments.maximumX, arguments.exponentX, context),
      valuatorRange(arguments.minimumY, arguments.maximumY, arguments.exponentY, context),
    ]
    let (channelX, placeX) = board.makeChannel(label + " x", .pad)
    let (channelY, placeY) = board.makeChannel(label + " y", .pad)
    let cells = [
      Valuator.cell(board, placeX, arguments.valueX, ranges[0], display: arguments.displayX.value),
      Valuator.cell(board, placeY, arguments.valueY, ranges[1], display: arguments.displayY.value),
    ]
    handle = board.add(
      PanelWidget(
        .pad, label: labelWithSymbols(label), channels: [channelX, channelY], ranges: ranges,
        bounds: widgetBounds(arguments.x, arguments.y, arguments.width, arguments.height)),
      cells)
    arguments.handleX.value = Double(handle)
    arguments.handleY.value = Double(handle + 1)
  }

  func finish(_ arguments: Arguments, _ context: Context) {
    WidgetBoard.release(handle, context)
    WidgetBoard.release(handle + 1, context)
  }
}
