import OpcodeKit

/// Levels and distortion.
package enum LevelLibrary {
  @export(interface)
  package static func registerOpcodes(in registry: inout AnyOpcodeRegistry) {
    registerSaturatorInit(in: &registry)
    registerSaturatorControl(in: &registry)
    registerSaturator(in: &registry)
    registerSaturatorInitArray(in: &registry)
    registerSaturatorControlArray(in: &registry)
    registerSaturatorArray(in: &registry)
    registerDistortion(in: &registry)
    registerDistortionArray(in: &registry)
    registerMixClip(in: &registry)
    registerMixClipArray(in: &registry)
    registerClip(in: &registry)
    registerPanner(in: &registry)
    registerCompressor(in: &registry)
    registerStereoCompressor(in: &registry)
  }
}
