// Opcodes that read the mouse and the keyboard over FLTK's windows. The values of `FLkeyIn` and `FLmouse` stay 0, and
// the panel says so; `FLxyin` becomes a plane of the panel.

import OpcodeKit
import Panels

@Opcode("FLkeyIn", "Would give the key that is pressed")
struct KeyInput: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let key: ControlOutput
    @Default(0) let table: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).leaveOut("FLkeyIn", "Keys are not read; the value stays 0.")
    arguments.key.value = 0
  }
}

@Opcode("FLmouse", "Would give the place of the pointer")
struct PointerInput: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let x, y, left, middle, right: ControlOutput
    @Default(0) let mode: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).leaveOut("FLmouse", "The pointer is not read; the values stay 0.")
    let buttons = [arguments.left, arguments.middle, arguments.right]
    for output in [arguments.x, arguments.y] + buttons { output.value = 0 }
  }
}

@Opcode("FLxyin", "Two values from a plane of a panel")
struct PlaneInput: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let x, y: ControlOutput
    /// Always 1.
    let isInside: ControlOutput
    let minimumX, maximumX, minimumY, maximumY: InitInput
    /// The plane's edges in pixels.
    let left, right, top, bottom: InitInput
    /// 0 linear, -1 exponential.
    @Default(0) let exponentX, exponentY: InitInput
    /// The initial values.
    @Default(0) let startX, startY: InitInput
  }

  private let channelX, channelY: UnsafeMutablePointer<Double>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let board = WidgetBoard.of(context)
    let ranges = [
      valuatorRange(arguments.minimumX, arguments.maximumX, arguments.exponentX, context),
      valuatorRange(arguments.minimumY, arguments.maximumY, arguments.exponentY, context),
    ]
    let (left, top) = (arguments.left.value, arguments.top.value)
    let (nameX, placeX) = board.makeChannel("x", .pad)
    let (nameY, placeY) = board.makeChannel("y", .pad)
    (channelX, channelY) = (placeX, placeY)
    (placeX.pointee, placeY.pointee) = (arguments.startX.value, arguments.startY.value)
    let isPlaced = arguments.right.value > left && arguments.bottom.value > top
    board.add(
      PanelWidget(
        .pad, channels: [nameX, nameY], ranges: ranges,
        bounds: isPlaced
          ? PanelBounds(left, top, arguments.right.value - left, arguments.bottom.value - top) : nil
      ))
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.x.value = channelX.pointee
    arguments.y.value = channelY.pointee
    arguments.isInside.value = 1
  }
}
