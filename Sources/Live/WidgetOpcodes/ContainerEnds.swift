// The opcodes that end windows, groups and pages, and those that do nothing, as a page in a browser does not need
// them, or cannot do it. Each is registered under several names.

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

@Opcode("FLhide", "Nothing: the panel says what is left out, and why")
struct LeftOut: InitOpcode {
  struct Arguments: VariadicArguments {
    @Letter("*") let arguments: Variadic<AnyInput>
  }

  private static func reason(_ name: String) -> String? {
    switch name {
    case "FLhide", "FLshow": "Every widget is shown."
    case "FLsetSnapGroup": "Snapshots keep all widgets."
    case "FLsavesnap", "FLloadsnap": "Snapshots are kept while the piece plays only."
    case "cabbageSet", "cabbageCreate":
      "How a widget looks does not change while the piece plays."
    case "cabbageSetStateValue": "No host keeps the state of the piece."
    case "cabbageWebSend", "cabbageWebSendArray", "cabbageWebSendTable":
      "The piece's own web page is not shown."
    case "cabbageProfilerStart", "cabbageProfilerPrint": "The command profile measures a piece."
    // The page scrolls as a whole, and the plane of snapshots is left out where it is made.
    case "FLscroll", "FLhvsBoxSetValue": nil
    default: "The page has its own style."
    }
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let name = context.opcodeName
    if let reason = Self.reason(name) { WidgetBoard.of(context).leaveOut(name, reason) }
  }
}

@Opcode("cabbageProfilerStop", "0: the panel says that nothing is measured")
struct ProfilerStop: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let time: ControlOutput
    let group, name: StringInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) { arguments.time.value = 0 }
}
