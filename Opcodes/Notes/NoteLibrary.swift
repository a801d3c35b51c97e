import OpcodeKit

/// Note names, note numbers and the number of sounding notes.
package enum NoteLibrary {
  @export(interface)
  package static func registerOpcodes(in registry: inout AnyOpcodeRegistry) {
    registerFrequencyToMidi(in: &registry)
    registerFrequencyToMidiControl(in: &registry)
    registerFrequenciesToMidi(in: &registry)
    registerFrequenciesToMidiControl(in: &registry)
    registerNoteNumber(in: &registry)
    registerNoteNumberControl(in: &registry)
    registerNoteNameInit(in: &registry)
    registerNoteNameControl(in: &registry)
    registerVoices(in: &registry)
  }
}
