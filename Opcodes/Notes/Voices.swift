// kcount VOICES Sgroup
//
// Returns how many notes of a named group are sounding, this one included. Every note that calls VOICES with the same
// Sgroup belongs to the group, whatever its instrument. It counts from its init pass to its end, release included.
// `asound / sqrt(kcount)`, for example, keeps chords as loud as single notes.
//
// A note that calls VOICES twice counts twice. A tied note continues to count as one note.
//
// Category: Instrument Control:Realtime Performance Control

import OpcodeKit

@Opcode("VOICES", "How many notes of a named group are sounding")
struct Voices: ControlOpcode, DeinitOpcode {
  struct Arguments: BitwiseCopyable {
    /// Number of sounding notes, 1 or more. In the init pass of a note, it is the number of notes begun so far, this
    /// one included.
    let count: ControlOutput
    /// The group's name, at most 230 bytes; a longer name is an init error.
    let group: StringInput
  }

  private let voices: Shared<Int64>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    voices = try context.shared(Int64.self, named: "OpcodeKit.VOICES.", arguments.group)
    let count = voices.add(1)
    // In a reinit or tied note the previous state is still counted; the performance pass writes the count.
    if !context.isReinit && !context.isTied { arguments.count.value = Double(count) }
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    arguments.count.value = Double(voices.current)
  }

  mutating func finish(_ arguments: Arguments, _ context: Context) {
    voices.add(-1)
  }
}
