import OpcodeKit

/// The FL opcodes, those of FLTK's widgets, and Cabbage's for its widgets, for panels in a browser. A host registers them with
/// `WidgetBoard.install`, before it compiles a piece.
public enum WidgetLibrary: OpcodeLibrary {
  public static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registerColors(in: &registry)
    registerMovingColor(in: &registry)
    registerLabels(in: &registry)
    registerSetColor(in: &registry)
    registerSetTextSize(in: &registry)
    registerSetBounds(in: &registry)
    registerSetText(in: &registry)
    registerButton(in: &registry)
    registerButtonBank(in: &registry)
    registerInertButton(in: &registry)
    registerContainerEnd(in: &registry)
    registerNothing(in: &registry)
    registerLeftOut(in: &registry)
    registerWindow(in: &registry)
    registerGroup(in: &registry)
    registerTabs(in: &registry)
    registerPack(in: &registry)
    registerBox(in: &registry)
    registerValueBox(in: &registry)
    registerPrintValue(in: &registry)
    registerPrintChange(in: &registry)
    registerKeyboard(in: &registry)
    registerKeyInput(in: &registry)
    registerPointerInput(in: &registry)
    registerPlaneInput(in: &registry)
    registerSetValue(in: &registry)
    registerSetInitValue(in: &registry)
    registerBankHandle(in: &registry)
    registerSetBank(in: &registry)
    registerSetBankControl(in: &registry)
    registerSnapshotPlane(in: &registry)
    registerSliders(Sideways.self, in: &registry)
    registerSliders(Upright.self, in: &registry)
    registerConfiguredSliders(Sideways.self, in: &registry)
    registerConfiguredSliders(Upright.self, in: &registry)
    registerSetSnapshot(in: &registry)
    registerGetSnapshot(in: &registry)
    registerSlider(in: &registry)
    registerKnob(in: &registry)
    registerRoller(in: &registry)
    registerNumberField(in: &registry)
    registerCounter(in: &registry)
    registerJoystick(in: &registry)

    registry.add([
      "FLpanel_end", "FLgroupEnd", "FLgroup_end", "FLtabsEnd", "FLtabs_end", "FLpackEnd",
      "FLpack_end",
    ]) { registerContainerEnd(in: &$0) }
    registry.add(["FLupdate", "FLscrollEnd", "FLscroll_end"]) { registerNothing(in: &$0) }
    registry.add(["FLsetVali"]) { registerSetInitValue(in: &$0) }
    registry.add(["FLexecButton"]) { registerInertButton(in: &$0) }
    registry.add(["FLsetColor2", "FLsetTextColor"]) { registerSetColor(in: &$0) }
    registry.add(["FLsetPosition"]) { registerSetBounds(in: &$0) }
    registry.add([
      "FLshow", "FLscroll", "FLsetFont", "FLsetTextType", "FLsetBox", "FLsetAlign",
      "FLsetSnapGroup", "FLsavesnap", "FLloadsnap", "FLhvsBoxSetValue", "cabbageSet",
      "cabbageCreate", "cabbageProfilerStart", "cabbageProfilerPrint", "cabbageSetStateValue",
      "cabbageWebSend", "cabbageWebSendArray", "cabbageWebSendTable",
    ]) { registerLeftOut(in: &$0) }
    registry.add(["FLslidBnk2Set"]) { registerSetBank(in: &$0) }
    registry.add(["FLslidBnk2Setk"]) { registerSetBankControl(in: &$0) }
    registerCabbage(in: &registry)
  }

  private static func registerCabbage(in registry: inout some OpcodeRegistry) {
    registerInitChannelValue(in: &registry)
    registry.add(["cabbageGetValue", "cabbageGet"]) {
      registerChannelValue(in: &$0)
      registerChannelChange(in: &$0)
      registerChannelText(in: &$0)
      registerChannelTextChange(in: &$0)
    }
    registerInitPropertyNumbers(in: &registry)
    registerPropertyNumbers(in: &registry)
    registerInitPropertyNumber(in: &registry)
    registerPropertyNumber(in: &registry)
    registerPropertyChange(in: &registry)
    registerPropertyText(in: &registry)
    registerPropertyTexts(in: &registry)
    registerWidgetChannels(in: &registry)
    registerProfilerStop(in: &registry)
    registerChangedIndex(in: &registry)
    registerChangedName(in: &registry)
    registry.add([
      "cabbageGetFilename", "cabbageGetFileNoExtension", "cabbageGetFileExtension",
      "cabbageGetFilePath",
    ]) { registerFileNamePart(in: &$0) }
    registerSetInitChannel(in: &registry)
    registerSetChannel(in: &registry)
    registerSetInitChannelText(in: &registry)
    registerSetChannelText(in: &registry)
  }
}

extension OpcodeRegistry {
  /// Registers an opcode under other names, too.
  fileprivate mutating func add(_ names: [StaticString], _ register: (inout Overloads) -> Void) {
    var overloads = Overloads()
    register(&overloads)
    for name in names {
      for overload in overloads.all { add(overload.named(name)) }
    }
  }
}

private struct Overloads: OpcodeRegistry {
  private(set) var all: [Overload] = []

  mutating func add(_ overload: Overload) { all.append(overload) }
}
