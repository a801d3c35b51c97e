// fout PVSGATE fin, kthreshold, kdepth
//
// A gate on every bin of a spectral signal:
//
//     amplitude[bin] = amplitude[bin]                  at or above kthreshold
//                      (1 - kdepth) amplitude[bin]     below it
//
// Frequencies stay. With a table of ones `pvstencil fin, 1 - kdepth, kthreshold, itable` does the same
// to a signal that is not sliding. Differs from it: a sliding signal keeps its frequencies too, a bin
// exactly at the threshold is open, and a negative threshold or depth is 0.

import OpcodeKit

/// What a gate multiplies a bin's amplitude with: 1 at or above the threshold, and for NaN.
@inline(__always)
package func gateGain(amplitude: Double, threshold: Double, closed: Double) -> Double {
  amplitude < threshold ? closed : 1
}

/// The gain of a closed bin, 0 to 1, from a depth; NaN is no depth.
package func closedGain(depth: Double) -> Double { depth > 0 ? 1 - min(depth, 1) : 1 }

@Opcode("PVSGATE", "Gate on every bin of a spectral signal")
struct SpectralGate: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// The gated signal, of the same kind as the input; it can be the input itself.
    let output: SpectrumOutput
    /// The signal, with amplitudes and frequencies, or amplitudes and phases; any other is an init
    /// error. Another size during the note ends it.
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

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let (input, output) = (arguments.input, arguments.output)
    guard output.holdsSpectra(of: input, context) else {
      throw OpcodeError("the f-signal was given another size; reinit this opcode with it.")
    }
    let (threshold, closed) = (arguments.threshold.value, closedGain(depth: arguments.depth.value))
    for spectrum in reader.newSpectra(input, context) {
      output.write(spectrum, from: input) { bin in
        let gain = gateGain(amplitude: bin.amplitude, threshold: threshold, closed: closed)
        return Bin(amplitude: gain * bin.amplitude, frequency: bin.frequency)
      }
      output.publish(asNewAs: input)
    }
  }
}
