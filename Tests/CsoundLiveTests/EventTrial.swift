import CsoundHost
import HarnessBase

@testable import CsoundLive

/// Measures how many samples from their time events sound. The piece is performed as fast as possible, without a
/// device.
enum EventTrial {
  struct Row: Sendable {
    /// Events that sounded on their sample.
    var exact: Int
    /// Samples from the time asked for to the time of sounding.
    var least, largest: Int
  }

  /// Sends `count` notes that begin all over the k-cycle. Each is longer than a k-cycle, with silence in between.
  static func run(
    ksmps: Int, isSampleAccurate: Bool, count: Int
  ) throws(Failure) -> Row {
    let orchestra = """
      sr = 48000
      nchnls = 1
      0dbfs = 1
      instr 1
        a1 init 1
        out a1
      endin
      """
    let engine = try LiveEngine(
      Piece(
        .orchestra(orchestra, score: "f 0 36000"), ksmps: ksmps, isSampleAccurate: isSampleAccurate),
      sampleRate: nil, midi: MIDIWays())
    let length = 2 * ksmps + 100
    let distance = length + 4 * ksmps + 400
    let starts = (0..<count).map { 4 * ksmps + $0 * distance + ($0 * 7919) % (2 * ksmps + 200) }
    var found: [Int] = []
    var last = 0.0
    var next = 0
    while engine.voice.pointee.frames < starts[count - 1] + 4 * ksmps + 400 {
      let begin = engine.voice.pointee.frames
      // Sent some cycles before their time, as in live playing.
      while next < count, starts[next] < begin + 4 * ksmps {
        var event = LiveEvent(kind: .score)
        (event.frame, event.letter, event.count) = (starts[next], UInt8(ascii: "i"), 3)
        (event.fields[0], event.fields[2]) = (1, Double(length) / 48000)
        _ = engine.send(event) { false }
        next += 1
      }
      guard engine.perform(until: begin + 1) else { break }
      for frame in 0..<ksmps {
        let sample = engine.voice.pointee.output[frame]
        if sample > 0.5, last < 0.5 { found.append(begin + frame) }
        last = sample
      }
    }
    guard found.count == count else {
      throw .internalFault("Of \(count) events \(found.count) sounded.")
    }
    let distances = zip(found, starts).map { $0 - $1 }
    return Row(
      exact: distances.count { $0 == 0 }, least: distances.min()!, largest: distances.max()!)
  }
}
