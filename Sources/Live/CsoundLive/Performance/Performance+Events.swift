import CCsound
import CsoundHost
import Foundation
public import HarnessBase

extension Performance {
  /// Sends a score event: its letter, such as `i`, and its p-fields from p1 on. p2 counts in seconds from `frame`, a
  /// frame of the piece, or from now if it is nil.
  ///
  /// To end a note whose p1 has a fraction, send a note with the same p1, negated.
  public func send(_ letter: Character, _ fields: [Double], at frame: Int? = nil) throws(Failure) {
    try live().send(LiveEvent(score: letter, fields, at: frame))
  }

  /// Sends a score event for a beat of a tempo map whose beat 0 is at `start`, a frame of the piece.
  public func send(
    _ letter: Character, _ fields: [Double], atBeat beat: Double, of map: TempoMap,
    from start: Int = 0
  ) throws(Failure) {
    let rate = try live().format.sampleRate
    try send(letter, fields, at: map.frame(atBeat: beat, from: start, sampleRate: rate))
  }

  /// Sends a line of the score, which is played in the k-cycle that has this frame of the piece, or at once. Csound
  /// parses it on the audio thread.
  public func send(line: String, at frame: Int? = nil) throws(Failure) {
    let session = try live()
    var event = LiveEvent(kind: .line)
    event.frame = frame ?? Int.min
    event.memory = UnsafeMutableRawPointer(strdup(line + "\n"))
    try session.send(event)
  }

  /// Sends a whole MIDI message to Csound's own MIDI opcodes, at a frame of the piece or at once.
  ///
  /// "All sound off" (controller 120) ends notes as "all notes off" (123) does: in Csound those of all MIDI channels.
  public func send(midi message: MIDIMessage, at frame: Int? = nil) throws(Failure) {
    guard settings.midi else {
      throw .usage("This performance has no MIDI; set 'midi' in its settings.")
    }
    guard message.status < 0xF0 else { return }
    var event = LiveEvent(kind: .midi)
    event.frame = frame ?? Int.min
    event.word = message.word
    event.count = UInt16(message.count)
    try live().send(event)
    // Csound does nothing for "all sound off", and ends notes for "all notes off".
    if let channel = message.channel, message.status & 0xF0 == 0xB0, message.first == 120 {
      try send(midi: .controller(123, 0, channel: channel), at: frame)
    }
  }

  /// Ends what was played from outside the score: the notes of all instruments that events and lines have started so
  /// far, and those of MIDI. Notes with a release end with it. Notes that the score has started go on, unless their
  /// instrument was also played from outside.
  public func endNotes() throws(Failure) {
    let session = try live()
    for instrument in session.playedInstruments {
      var event = LiveEvent(kind: .kill)
      switch instrument {
      case .number(let number): event.fields[0] = Double(number)
      case .name(let name): event.memory = UnsafeMutableRawPointer(strdup(name))
      }
      try session.send(event)
    }
    guard settings.midi else { return }
    for channel in 1...16 {
      try send(midi: .controller(64, 0, channel: channel))
      try send(midi: .controller(123, 0, channel: channel))
    }
  }

  /// Adds orchestra code, or replaces instruments of the same names, while it plays.
  ///
  /// Csound compiles on the calling thread. While it adds the compiled code it holds its own lock, and the audio thread
  /// waits: for a few instruments this is inaudible, for hundreds it is not.
  public func compile(_ orchestra: String) throws(Failure) {
    try live().withEngine { engine throws(Failure) in
      let status = Csound.inside("it compiled") {
        ccs_compile_orchestra(engine.csound.engine, orchestra)
      }
      guard status == 0 else {
        throw .badInput("Csound cannot compile this; its messages tell why.")
      }
    }
  }
}
