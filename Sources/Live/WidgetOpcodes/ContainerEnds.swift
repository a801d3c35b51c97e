// What ends windows, groups and pages, and what a page in a browser has no need of. Each stands for several names.

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
