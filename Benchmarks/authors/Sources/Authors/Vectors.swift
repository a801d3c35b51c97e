// aout DRIVEV ain, kdrive
//
// DRIVE with one body for eight frames at a time.
//
// Category: Signal Modifiers:Waveshaping

import OpcodeKit

@Opcode("DRIVEV", "Saturation by tanh, in vectors")
struct DriveV: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The sound.
    let output: AudioOutput
    /// A signal.
    let input: AudioInput
    /// How much louder it gets before.
    let drive: ControlInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let drive = Lanes(arguments.drive.value)
    arguments.output.write(context.frames, from: arguments.input) { (drive * $0).tanh }
  }
}
