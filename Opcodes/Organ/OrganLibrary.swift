import OpcodeKit

/// The opcodes of a tonewheel organ.
package enum OrganLibrary {
  @export(interface)
  package static func registerOpcodes(in registry: inout AnyOpcodeRegistry) {
    registerToneWheels(in: &registry)
    registerScanner(in: &registry)
    registerRotary(in: &registry)
  }
}
