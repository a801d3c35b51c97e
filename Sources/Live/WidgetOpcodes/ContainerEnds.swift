// The opcodes that end windows, groups and pages, and those that do nothing, as a page in a browser does not need
// them. Each is registered under several names.

import OpcodeKit

@Opcode("FLpanelEnd", "The end of a panel's window, group, pages or row")
struct ContainerEnd: InitOpcode {
  struct Arguments: BitwiseCopyable {}

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).close()
  }
}

@Opcode("FLrun", "Nothing: the panel is shown by itself, and scrolls as a whole")
struct Nothing: InitOpcode {
  struct Arguments: BitwiseCopyable {}

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
}
