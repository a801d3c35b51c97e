// fout PVSGATE fin, kthreshold, kdepth
//
// A gate on every bin of a spectral signal:
//
//     amplitude[bin] = amplitude[bin]                  at or above kthreshold
//                      (1 - kdepth) amplitude[bin]     below it
//
// Frequencies are unchanged. For a signal that is not sliding, `pvstencil fin, 1 - kdepth, kthreshold, itable` with a
// table of ones does the same. Differences from `pvstencil`: frequencies of a sliding signal are kept too, a bin
// exactly at the threshold passes unchanged, and a negative threshold or depth counts as 0.
//
// Category: Spectral Processing:Streaming

import OpcodeKit

/// The gain for a bin: 1 when its amplitude is at or above the threshold or NaN, otherwise `closed`.
@inline(__always)
package func gateGain(amplitude: Double, threshold: Double, closed: Double) -> Double {
  amplitude < threshold ? closed : 1
}

/// The gain of a closed bin, 0 to 1, for a depth. NaN counts as a depth of 0.
package func closedGain(depth: Double) -> Double { depth > 0 ? 1 - min(depth, 1) : 1 }

@Opcode("PVSGATE", "Gate on every bin of a spectral signal")
struct SpectralGate: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    /// The gated f-signal, with the format of fin. It may be the same variable as fin.
    let output: SpectrumOutput
    /// The input f-signal, with amplitudes and frequencies or amplitudes and phases; any other format is an init error.
    /// If its size changes during a note, the note ends with an error.
    let input: SpectrumInput
    /// Threshold: linear amplitude, in orchestra units. At 0 or below, all bins pass unchanged.
    let threshold: ControlInput
    /// Attenuation of closed bins: 0 leaves them unchanged, 1 silences them. Limited to 0 to 1.
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
