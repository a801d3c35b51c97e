import CCsound
import CsoundHost
import CsoundLive
import Panels
import Rendering

/// Presses ten keys, one after another, while a piece plays, so that controls that a note reads only at its start have
/// an effect too.
struct TrialKeys {
  enum Target: Equatable {
    /// MIDI notes on a channel from 1 to 16.
    case midi(channel: Int)
    /// Notes of this instrument.
    case instrument(Int)
  }

  static let count = 10
  private static let notes: [UInt8] = [60, 64, 67, 72]
  private static let velocity: UInt8 = 100

  let target: Target
  /// Seconds between two keys.
  let step: Double

  /// Nil if the piece takes no keys: it has no keyboard, does not call `massign` or another opcode of MIDI notes, and
  /// has no option for MIDI input.
  init?(_ csd: String, path: String, _ panel: Panel, duration: Double) {
    let keyboards = (panel.widgets + ChannelImporter.panel(of: csd, title: "", hints: []).widgets)
      .filter { $0.kind == .keyboard }
    let asksForMIDI = Orchestra(path: path).deviceOptions.contains {
      $0.hasPrefix("-M") || $0.hasPrefix("--midi-device")
    }
    let keys = keyboards.first.map { $0.keys ?? PanelKeys() }
    guard keys != nil || asksForMIDI || csd.contains(/\bmassign\b/) else { return nil }
    target = keys?.instrument.map { .instrument($0) } ?? .midi(channel: keys?.channel ?? 1)
    step = duration / Double(Self.count)
  }

  /// Gives an engine MIDI input if the keys are MIDI notes. Call it before anything is compiled.
  func announce(_ engine: UnsafeMutablePointer<CSOUND>) {
    guard case .midi = target else { return }
    MIDIInput.announce(engine)
    csoundSetOption(engine, "-M0")
  }

  /// Presses the key with this number, counted from 0, and releases the one before.
  func press(_ number: Int, _ engine: UnsafeMutablePointer<CSOUND>, _ queue: inout MIDIQueue) {
    if number > 0 { send(number - 1, isPressed: false, engine, &queue) }
    send(number, isPressed: true, engine, &queue)
  }

  private func send(
    _ number: Int, isPressed: Bool, _ engine: UnsafeMutablePointer<CSOUND>, _ queue: inout MIDIQueue
  ) {
    let note = Self.notes[number % Self.notes.count]
    switch target {
    case .midi(let channel):
      let message =
        isPressed
        ? MIDIMessage.noteOn(note, velocity: Self.velocity, channel: channel)
        : .noteOff(note, channel: channel)
      queue.append(message.word, message.count)
    case .instrument(let instrument):
      // As a panel's keys do: the fraction of p1 is the key, and the note is held until its key is released.
      let name = Double(instrument) + Double(note) / 1000
      var fields =
        isPressed
        ? [name, 0, -2, Double(note), Double(Self.velocity)] : [-name, 0, 0, Double(note), 0]
      ccs_play_event(engine, Int32(UInt8(ascii: "i")), &fields, fields.count)
    }
  }
}
