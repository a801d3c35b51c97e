import OpcodeKit

/// Ladder filters.
package enum LadderLibrary {
  @export(interface)
  package static func registerOpcodes(in registry: inout AnyOpcodeRegistry) {
    registerMoogLadder(in: &registry)
    registerMoogLadderArray(in: &registry)
    registerThreePole(in: &registry)
    registerThreePoleArray(in: &registry)
    registerLinearDiodeLadder(in: &registry)
    registerZeroDelayLadder(in: &registry)
    registerCubicLadder(in: &registry)
  }
}
