import CsoundLive
import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("Faults of the device", .serialized)
struct FaultTests {
  static let piece = PlayingTests.piece

  /// The parts of what was played that are parts of what was rendered, in their order: how many frames they
  /// have in all, and how many parts.
  private func parts(_ sound: [Float], of whole: [Double]) -> (frames: Int, parts: Int) {
    let whole = whole.map { Float($0) }
    var (place, position, parts, isInside) = (0, 0, 0, false)
    var frames = 0
    while place + 1 < sound.count, position + 1 < whole.count {
      if sound[place] == whole[position], sound[place + 1] == whole[position + 1] {
        if !isInside { parts += 1 }
        isInside = true
        frames += 1
        place += 2
        position += 2
      } else {
        // What was in the device's buffer when it failed was not played.
        isInside = false
        position += 2
      }
    }
    return (frames, parts)
  }

  @Test("After an xrun it goes on with what comes next, and the listener hears of it")
  func xrun() throws {
    let file = Rig.file()
    let settings = Settings(
      device: Rig.device("FILE=\(file)", "XRUN=9600", "SPEED=2"), period: 512)
    let (_, ear, status) = try PlayingTests.play(Self.piece, settings, file: file)
    #expect(ear.ending?.0 == .finished)
    #expect(ear.ending?.1 == nil)
    #expect(status.xruns >= 1 && ear.xruns == status.xruns)
  }

  @Test(
    "A suspended device is resumed; nothing is lost and no xrun counted", arguments: [512, 1024])
  func suspended(period: Int) throws {
    let expected = try offline(duet.orchestra, duet.score)
    // Where other work takes the processor there are xruns too.
    let failures = try tenTries {
      let file = Rig.file()
      let settings = Settings(
        device: Rig.device("FILE=\(file)", "SUSPEND=9600", "SPEED=2"), period: period)
      let (sound, ear, status) = try PlayingTests.play(Self.piece, settings, file: file)
      #expect(ear.ending?.0 == .finished)
      let (frames, count) = parts(sound, of: expected)
      return (
        frames == expected.count / 2 && count == 1 && status.xruns == 0 && ear.xruns == 0,
        "\(frames) \(count) \(status.xruns)"
      )
    }
    #expect(failures.isEmpty, "\(failures)")
  }

  @Test("Unplugged, it ends with a sentence, closes everything, and can be played again")
  func unplugged() throws {
    let file = Rig.file()
    let ear = Ear()
    let performance = Performance(
      Self.piece,
      settings: Settings(
        device: Rig.device("FILE=\(file)", "UNPLUG=9600", "SPEED=2", "WAIT=1"), period: 512),
      listener: ear.listener)
    try performance.play()
    performance.wait()
    let (ending, failure) = try #require(ear.ending)
    #expect(ending == .unplugged)
    #expect(failure == Failure(.unavailable, "The sound device was unplugged."))
    #expect(!performance.isPlaying)
    let sound = try played(file)
    let expected = try offline(duet.orchestra, duet.score)
    let count = min(sound.count, expected.count)
    #expect(count > 2 * 4000 && count <= 2 * 9600)
    let wrong = (0..<count).count { sound[$0] != Float(expected[$0]) }
    #expect(wrong == 0)
    #expect(throws: Failure.self) { try performance.send("i", [1, 0, 1, 440]) }
    try performance.play()
    performance.wait()
    #expect(ear.notices.count { if case .ended = $0 { true } else { false } } == 2)
  }

  /// `end` stalls when the whole piece has been written and its end waits in the device's buffer.
  @Test(
    "A device that fails at each start, or plays nothing any more, ends it, with a sentence",
    arguments: ["GONE=9600", "STALL=9600", "end"])
  func gone(fault: String) throws {
    let frames = try offline(duet.orchestra, duet.score).count / 2
    let ear = Ear()
    let performance = Performance(
      fault == "end"
        ? Self.piece : Piece(.orchestra(duet.orchestra, score: duet.score + "\nf 0 600")),
      settings: Settings(
        device: Rig.device(fault == "end" ? "STALL=\(frames - 512)" : fault, "SPEED=4"), period: 512
      ),
      listener: ear.listener)
    try performance.play()
    #expect(performance.wait(atMost: 60))
    let (ending, failure) = try #require(ear.ending)
    #expect(ending == (fault == "end" ? .finished : .failed))
    let reason = fault == "GONE=9600" ? "Broken pipe" : "Connection timed out"
    #expect(
      fault == "end"
        || failure?.message
          == "The sound device no longer takes sound: \(reason). Has its sound server ended?"
    )
  }
}
