import CsoundLive
import Testing

/// What MPE controllers send, and what each note's channel then gets.
@Suite("MPE")
struct MPETests {
  /// The messages that come of these bytes, each message as one number a byte.
  private func mapped(_ bytes: [UInt8], _ map: inout MPEMap) -> [[UInt8]] {
    var parser = MIDIParser()
    return bytes.compactMap { parser.take($0) }.flatMap { map.take($0) }.map(\.bytes)
  }

  private func mapped(_ bytes: [UInt8], range: Double = 48) -> [[UInt8]] {
    var map = MPEMap(range: range)
    return mapped(bytes, &map)
  }

  /// Sets a registered parameter on a channel.
  private func parameter(_ low: UInt8, _ value: UInt8, _ channel: UInt8) -> [UInt8] {
    let status = 0xB0 + channel - 1
    return [status, 101, 0, status, 100, low, status, 6, value, status, 38, 0]
  }

  @Test("A note's own messages stay on its channel; its first pressure is none")
  func notes() {
    #expect(mapped([0x91, 60, 100]) == [[0xD1, 0], [0x91, 60, 100]])
    #expect(mapped([0xD1, 5, 0x91, 60, 100]) == [[0xD1, 5], [0x91, 60, 100]])
    #expect(mapped([0x91, 60, 0, 0x81, 60, 64]) == [[0x91, 60, 0], [0x81, 60, 64]])
    #expect(mapped([0xE1, 0, 96, 0xB1, 74, 3]) == [[0xE1, 0, 96], [0xB1, 74, 3]])
    #expect(mapped([0xF8, 0xF2, 1, 2]) == [[0xF8], [0xF2, 1, 2]])
  }

  @Test("What comes on the master channel is for every note of the zone")
  func master() {
    let pedal = mapped([0xB0, 64, 127])
    #expect(pedal == (0...15).map { [0xB0 + $0, 64, 127] })
    let program = mapped([0xC0, 7])
    #expect(program.count == 16 && program.last == [0xCF, 7])
    // Notes of the master channel are its own.
    #expect(mapped([0x90, 60, 1]) == [[0x90, 60, 1]])
  }

  @Test("The bends of note and zone add up in semitones, in the range of the piece")
  func bends() throws {
    var map = MPEMap(range: 48)
    #expect(mapped([0xE1, 0, 96], &map) == [[0xE1, 0, 96]])
    // The whole wheel of the zone is 2 semitones: 8192 · 2 / 48 = 341 of 16384 steps.
    let both = mapped([0xE0, 127, 127], &map)
    #expect(both[0] == [0xE0, 127, 127] && both.count == 16)
    func position(_ bytes: [UInt8]) -> Int { Int(bytes[2]) << 7 | Int(bytes[1]) }
    #expect(abs(position(both[1]) - (12288 + 341)) <= 1)
    #expect(abs(position(both[2]) - (8192 + 341)) <= 1)
    // Other ranges of the controller, 12 and 4 semitones.
    _ = mapped(parameter(0, 12, 2) + parameter(0, 4, 1), &map)
    let wide = mapped([0xE1, 0, 96], &map)
    #expect(abs(position(wide[0]) - (8192 + 8192 * 10 / 48)) <= 1)
    // A piece with a range of 2 semitones: what is beyond is limited.
    let narrow = mapped([0xE2, 0, 65, 0xE2, 0, 96, 0xE2, 0, 0], range: 2)
    #expect(abs(position(narrow[0]) - (8192 + 128 * 24)) <= 1)
    #expect(position(narrow[1]) == 16383 && position(narrow[2]) == 0)
  }

  @Test("Pressure is the larger one, timbre the sum around its rest")
  func others() {
    var map = MPEMap(range: 48)
    #expect(mapped([0xD0, 50], &map).contains([0xD3, 50]))
    #expect(mapped([0xD3, 20, 0xD3, 90], &map) == [[0xD3, 50], [0xD3, 90]])
    #expect(mapped([0xB0, 74, 74], &map).contains([0xB3, 74, 74]))
    #expect(mapped([0xB3, 74, 54, 0xB3, 74, 127], &map) == [[0xB3, 74, 64], [0xB3, 74, 127]])
  }

  @Test("Configuration messages make zones of any size, and do not reach the piece")
  func zones() {
    var map = MPEMap(range: 48)
    #expect(mapped(parameter(6, 3, 1), &map) == [])
    #expect(
      mapped([0xB0, 1, 9], &map) == [[0xB0, 1, 9], [0xB1, 1, 9], [0xB2, 1, 9], [0xB3, 1, 9]])
    // Outside of a zone nothing changes.
    #expect(mapped([0x9A, 60, 100], &map) == [[0x9A, 60, 100]])
    // The upper zone counts down from 15.
    _ = mapped(parameter(6, 2, 16), &map)
    #expect(mapped([0xBF, 1, 9], &map) == [[0xBF, 1, 9], [0xBD, 1, 9], [0xBE, 1, 9]])
    // A larger zone takes channels from the other one.
    _ = mapped(parameter(6, 13, 1), &map)
    #expect(mapped([0xBF, 1, 9], &map) == [[0xBF, 1, 9], [0xBE, 1, 9]])
    // No members: no zone.
    _ = mapped(parameter(6, 0, 16), &map)
    #expect(mapped([0xBF, 1, 9], &map) == [[0xBF, 1, 9]])
    #expect(mapped([0xBE, 1, 9], &map) == [[0xBE, 1, 9]])
    // Parameters without a number are not the zone's.
    #expect(mapped([0xB1, 99, 1, 0xB1, 6, 5], &map) == [[0xB1, 99, 1], [0xB1, 6, 5]])
  }
}
