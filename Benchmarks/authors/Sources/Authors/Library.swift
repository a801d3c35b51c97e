// The opcodes of Benchmarks/authors: eight as a newcomer writes them, six of them again with hoisting by hand, one again
// in vectors.

import OpcodeKit

@Plugin
enum Library: OpcodeLibrary {
  static func registerOpcodes(in registry: inout some OpcodeRegistry) {
    registerResfilt(in: &registry)
    registerTabosc(in: &registry)
    registerSatdelay(in: &registry)
    registerChgain(in: &registry)
    registerMixall(in: &registry)
    registerPanner(in: &registry)
    registerNormin(in: &registry)
    registerDrive(in: &registry)
    registerResfiltH(in: &registry)
    registerTaboscH(in: &registry)
    registerChgainH(in: &registry)
    registerMixallH(in: &registry)
    registerSatdelayH(in: &registry)
    registerPannerH(in: &registry)
  }
}
