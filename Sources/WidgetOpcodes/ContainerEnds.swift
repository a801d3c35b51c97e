// The ends of windows, groups and pages, each under its two names, and what runs a panel.

import OpcodeKit

@Opcode("FLpanelEnd", "The end of a panel's window")
struct WindowEnd: InitOpcode {
  struct Arguments: BitwiseCopyable {}
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).close()
  }
}

@Opcode("FLpanel_end", "The end of a panel's window")
struct WindowEndOld: InitOpcode {
  struct Arguments: BitwiseCopyable {}
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).close()
  }
}

@Opcode("FLgroupEnd", "The end of a panel's group")
struct GroupEnd: InitOpcode {
  struct Arguments: BitwiseCopyable {}
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).close()
  }
}

@Opcode("FLgroup_end", "The end of a panel's group")
struct GroupEndOld: InitOpcode {
  struct Arguments: BitwiseCopyable {}
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).close()
  }
}

@Opcode("FLtabsEnd", "The end of a panel's pages")
struct TabsEnd: InitOpcode {
  struct Arguments: BitwiseCopyable {}
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).close()
  }
}

@Opcode("FLtabs_end", "The end of a panel's pages")
struct TabsEndOld: InitOpcode {
  struct Arguments: BitwiseCopyable {}
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).close()
  }
}

@Opcode("FLpackEnd", "The end of a panel's row or column")
struct PackEnd: InitOpcode {
  struct Arguments: BitwiseCopyable {}
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).close()
  }
}

@Opcode("FLpack_end", "The end of a panel's row or column")
struct PackEndOld: InitOpcode {
  struct Arguments: BitwiseCopyable {}
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    WidgetBoard.of(context).close()
  }
}

@Opcode("FLscrollEnd", "The end of a panel's area with scroll bars")
struct ScrollEnd: InitOpcode {
  struct Arguments: BitwiseCopyable {}
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
}

@Opcode("FLscroll_end", "The end of a panel's area with scroll bars")
struct ScrollEndOld: InitOpcode {
  struct Arguments: BitwiseCopyable {}
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
}

@Opcode("FLrun", "Shows the panel")
struct Run: InitOpcode {
  struct Arguments: BitwiseCopyable {}
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
}

@Opcode("FLupdate", "Shows the panel")
struct Update: InitOpcode {
  struct Arguments: BitwiseCopyable {}
  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {}
}
