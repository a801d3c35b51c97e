// FLsetVal ktrig, kvalue, ihandle          FLsetVal_i ivalue, ihandle
//
// Acts as if a user moved the widget: the value is limited to the widget's range, and a note that a press starts is
// started. The handle must be that of a widget with a value; otherwise there is an init error.

import OpcodeKit
import Panels

private func cell(
  _ handle: InitInput, _ context: Context
) throws(OpcodeError) -> UnsafeMutablePointer<WidgetCell> {
  guard let cell = WidgetBoard.of(context).cell(handle.value) else {
    throw OpcodeError(
      argument: "ihandle", is: handle.value, mustBe: "what a widget with a value has given.")
  }
  return cell
}

@Opcode("FLsetVal", "Sets a panel's widget, in performance")
struct SetValue: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// The widget is set in each k-cycle in which this is not 0.
    let trigger: ControlInput
    let value: ControlInput
    let handle: InitInput
  }

  private let widget: UnsafeMutablePointer<WidgetCell>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    widget = try cell(arguments.handle, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    if arguments.trigger.value != 0 { widget.pointee.set(arguments.value.value) }
  }
}

@Opcode("FLsetVal_i", "Sets a panel's widget")
struct SetInitValue: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let value: InitInput
    let handle: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let cell = try cell(arguments.handle, context)
    cell.pointee.set(arguments.value.value)
    WidgetBoard.of(context).begin(arguments.handle.value, with: cell.pointee.seen)
  }
}
