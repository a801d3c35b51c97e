// fout PVSGATE fin, kthreshold, kdepth
//
// A gate on every bin of a spectral signal:
//
//     amplitude[bin] = amplitude[bin]                  at or above kthreshold
//                      (1 - kdepth) amplitude[bin]     below it
//
// Frequencies stay. With a table of ones `pvstencil fin, 1 - kdepth, kthreshold, itable` does the same
// to a signal that is not sliding. Differs from it: a sliding signal keeps its frequencies too, and a
// bin exactly at the threshold is open.

import OpcodeKit

struct SpectralGate: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// The gated signal, of the same kind as the input.
    let output: SpectrumOutput
    /// The signal, with amplitudes and frequencies, or amplitudes and phases; any other is an init
    /// error.
    let input: SpectrumInput
    /// Linear amplitude, in orchestra units; 0 or less changes nothing.
    let threshold: ControlInput
    /// How far a closed bin is lowered: 0 not at all, 1 to silence. Beyond is the nearer end.
    let depth: ControlInput
  }

  private var reader = SpectrumReader()

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    switch arguments.input.format {
    case .amplitudeFrequency, .amplitudePhase: break
    default: throw OpcodeError("the f-signal must have amplitudes, as pvsanal makes them.")
    }
    try arguments.output.prepare(like: arguments.input, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (input, output) = (arguments.input, arguments.output)
    let threshold = arguments.threshold.value
    let gain = 1 - min(max(arguments.depth.value, 0), 1)
    for spectrum in reader.newSpectra(input, context) {
      for index in 0..<input.binCount {
        var bin = input[spectrum, index]
        if bin.amplitude < threshold { bin.amplitude *= gain }
        output[spectrum, index] = bin
      }
      output.publish(asNewAs: input)
    }
  }
}

@c @_noLocks @_noAllocation
func pvsgate(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  SpectralGate.perform(csound, block)
}

func registerSpectralGate(in registry: inout some OpcodeRegistry) {
  registry.add(
    Overload(
      SpectralGate.self, "PVSGATE", outputs: "f", inputs: "fkk",
      summary: "Gate on every bin of a spectral signal",
      initialize: { SpectralGate.initialize($0, $1) }, perform: pvsgate))
}
