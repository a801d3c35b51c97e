import OpcodeKit

/// The opcodes of the EMS VCS3.
package enum VCS3Library {
  @export(interface)
  package static func registerOpcodes(in registry: inout AnyOpcodeRegistry) {
    registerVCS3Filter(in: &registry)
    registerVCS3Envelope(in: &registry)
    registerVCS3Oscillator(in: &registry)
    registerVCS3Ring(in: &registry)
    registerVCS3Noise(in: &registry)
    registerSpring(in: &registry)
    registerPins(in: &registry)
  }
}
