@_exported import DelayOpcodes
@_exported import FilterOpcodes
@_exported import LadderOpcodes
@_exported import LevelOpcodes
@_exported import NoteOpcodes
import OpcodeKit
@_exported import OrganOpcodes
@_exported import OscillatorOpcodes
@_exported import SpectrumOpcodes
@_exported import VCS3Opcodes

// A host that links this library registers it by itself and must not look like a plugin.
#if hasFeature(Embedded)
  @Plugin
#endif
public enum Library: OpcodeLibrary {
  public static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registry.add(LadderLibrary.registerOpcodes)
    registry.add(FilterLibrary.registerOpcodes)
    registry.add(OscillatorLibrary.registerOpcodes)
    registry.add(DelayLibrary.registerOpcodes)
    registry.add(LevelLibrary.registerOpcodes)
    registry.add(SpectrumLibrary.registerOpcodes)
    registry.add(NoteLibrary.registerOpcodes)
    registry.add(OrganLibrary.registerOpcodes)
    registry.add(VCS3Library.registerOpcodes)
  }

  public static func registerGenerators(in registry: inout some GeneratorRegistry) {
    OscillatorLibrary.registerGenerators(in: &registry)
  }
}
