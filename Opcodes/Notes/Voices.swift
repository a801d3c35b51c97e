// kcount VOICES Sgroup
//
// How many notes with the same VOICES Sgroup are sounding now, this one included: the instances of a
// group of any instruments, counted from their init pass to their end (release included). So
// `asound / sqrt(kcount)` keeps chords as loud as single notes. A note that calls it twice counts twice;
// a tied note goes on as the note it was.

import OpcodeKit

@Opcode("VOICES", "How many notes of a named group are sounding")
struct Voices: ControlOpcode, DeinitOpcode {
  struct Arguments: BitwiseCopyable {
    /// How many there are, 1 or more; in the init pass of a note, those that have begun before it and
    /// itself.
    let count: ControlOutput
    /// The group's name, up to 230 bytes; longer is an init error.
    let group: StringInput
  }

  private let voices: Shared<Int64>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    voices = try context.shared(Int64.self, named: "OpcodeKit.VOICES.", arguments.group)
    let count = voices.add(1)
    // After a reinit the state from before is still counted; the performance pass shows what is left.
    if !context.isReinit && !context.isTied { arguments.count.value = Double(count) }
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.count.value = Double(voices.current)
  }

  mutating func finish(_ arguments: Arguments, _ context: Context) {
    voices.add(-1)
  }
}
