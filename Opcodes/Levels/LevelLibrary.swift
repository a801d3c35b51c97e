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
    registerExciter(in: &registry)
    registerPanner(in: &registry)
    registerCompressor(in: &registry)
    registerStereoCompressor(in: &registry)
    registerRootMeanSquare(in: &registry)
    registerGain(in: &registry)
    registerBalance(LineGain.self, in: &registry)
    registerBalance(FrameGain.self, in: &registry)
    registerSegments(StraightSegments.self, in: &registry)
    registerSegments(StraightRelease.self, in: &registry)
    registerEndlessSegment(StraightCurve.self, in: &registry)
    registerSegments(ExponentialSegments.self, in: &registry)
    registerSegments(ExponentialRelease.self, in: &registry)
    registerEndlessSegment(ExponentialCurve.self, in: &registry)
    registerSegments(BentSegments.self, in: &registry)
  }
}
