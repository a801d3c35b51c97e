import OpcodeKit
import TestOpcodes

/// The opcodes that the kit's tests are about, for Csounds that are not in the tests' own process.
@Plugin
enum Library: OpcodeLibrary {
  static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registerConformanceOpcodes(in: &registry)
    registerTypeOpcodes(in: &registry)
    registerStateOpcodes(in: &registry)
    registerLarge(in: &registry)
    registerStructOpcodes(in: &registry)
  }

  static func registerGenerators(in registry: inout some GeneratorRegistry) {
    registerTypeGenerators(in: &registry)
  }
}
