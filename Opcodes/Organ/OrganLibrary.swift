import OpcodeKit

/// The organ's parts.
package enum OrganLibrary {
  @export(interface)
  package static func registerOpcodes(in registry: inout AnyOpcodeRegistry) {
    registerToneWheels(in: &registry)
    registerScanner(in: &registry)
    registerRotary(in: &registry)
  }
}
