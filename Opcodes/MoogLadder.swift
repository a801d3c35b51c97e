import OpcodeKit

struct MoogLadder<Cutoff: Signal, Resonance: Signal>: Opcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    let cutoff: Cutoff
    let resonance: Resonance
    let skipInit: InitInput
  }
  private var ladder: Ladder
  private var cutoffHz = -1.0
  private var resonance = -1.0
  private let sampleRate: Double
  private var coefficients = LadderCoefficients(cutoffHz: 0, resonance: 0, sampleRate: 1)

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    sampleRate = context.sampleRate
    ladder = Ladder(fullScale: context.fullScale)
  }
  static func skipsInit(_ arguments: Arguments) -> Bool { arguments.skipInit.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    for frame in context.frames {
      if arguments.cutoff[frame] != cutoffHz || arguments.resonance[frame] != resonance {
        cutoffHz = arguments.cutoff[frame]
        resonance = arguments.resonance[frame]
        coefficients = LadderCoefficients(cutoffHz: cutoffHz, resonance: resonance, sampleRate: sampleRate)
      }
      arguments.output[frame] = ladder.next(arguments.input[frame], coefficients)
    }
  }
}
package struct LadderCoefficients: BitwiseCopyable {
  package let tuning: Double, feedback: Double
  package init(cutoffHz: Double, resonance: Double, sampleRate: Double) {
    let fc = cutoffHz / sampleRate
    let fcr = ((1.8730 * fc + 0.4955) * fc - 0.6490) * fc + 0.9988
    tuning = 1 - Math.exp(-Double.pi * fc * fcr)
    feedback = 4 * (resonance < 0 ? 0 : resonance) * ((-3.9364 * fc + 1.8409) * fc + 0.9968)
  }
}
package struct Ladder: BitwiseCopyable {
  let toUnits: Double, fromUnits: Double
  var d0 = 0.0, d1 = 0.0, d2 = 0.0, d3 = 0.0, d4 = 0.0, d5 = 0.0, t0 = 0.0, t1 = 0.0, t2 = 0.0
  package init(fullScale: Double) { fromUnits = 1.22070315 * fullScale; toUnits = 1 / fromUnits }
  @inline(__always) static func tanh(_ v: Double) -> Double {
    let x = v > 9 ? 9 : v < -9 ? -9 : v
    let x2 = x * x
    let a = x * (34459425 + x2 * (4729725 + x2 * (135135 + x2 * (990 + x2)))), b = 34459425 + x2 * (16216200 + x2 * (945945 + x2 * (13860 + x2 * 45)))
    return a / b
  }
  @inline(__always) package mutating func next(_ input: Double, _ c: LadderCoefficients) -> Double {
    let x = input * toUnits
    for _ in 0..<2 {
      d0 += c.tuning * (Self.tanh(x - c.feedback * d5) - t0)
      t0 = Self.tanh(d0)
      d1 += c.tuning * (t0 - t1)
      t1 = Self.tanh(d1)
      d2 += c.tuning * (t1 - t2)
      t2 = Self.tanh(d2)
      d3 += c.tuning * (t2 - Self.tanh(d3))
      d5 = (d3 + d4) * 0.5
      d4 = d3
    }
    return d5 * fromUnits
  }
}
@c func moogladder_kk_init(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<ControlInput, ControlInput>.initialize(csound, block)
}
@c @_noLocks @_noAllocation
func moogladder_kk(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<ControlInput, ControlInput>.perform(csound, block)
}
@c func moogladder_ka_init(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<ControlInput, AudioInput>.initialize(csound, block)
}
@c @_noLocks @_noAllocation
func moogladder_ka(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<ControlInput, AudioInput>.perform(csound, block)
}
@c func moogladder_ak_init(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<AudioInput, ControlInput>.initialize(csound, block)
}
@c @_noLocks @_noAllocation
func moogladder_ak(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<AudioInput, ControlInput>.perform(csound, block)
}
@c func moogladder_aa_init(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<AudioInput, AudioInput>.initialize(csound, block)
}
@c @_noLocks @_noAllocation
func moogladder_aa(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  MoogLadder<AudioInput, AudioInput>.perform(csound, block)
}

func registerMoogLadder(in registry: inout some OpcodeRegistry) {
  let summary: StaticString = "Moog ladder lowpass filter"
  registry.add(
    Overload(
      MoogLadder<ControlInput, ControlInput>.self, "MOOGLADDER.kk", outputs: "a", inputs: "akko",
      summary: summary, initialize: moogladder_kk_init, perform: moogladder_kk))
  registry.add(
    Overload(
      MoogLadder<ControlInput, AudioInput>.self, "MOOGLADDER.ka", outputs: "a", inputs: "akao",
      summary: summary, initialize: moogladder_ka_init, perform: moogladder_ka))
  registry.add(
    Overload(
      MoogLadder<AudioInput, ControlInput>.self, "MOOGLADDER.ak", outputs: "a", inputs: "aako",
      summary: summary, initialize: moogladder_ak_init, perform: moogladder_ak))
  registry.add(
    Overload(
      MoogLadder<AudioInput, AudioInput>.self, "MOOGLADDER.aa", outputs: "a", inputs: "aaao",
      summary: summary, initialize: moogladder_aa_init, perform: moogladder_aa))
}
