import CsoundHost
import Foundation
import TestSupport
import Testing

@Suite("Memory, tables, messages", .serialized)
struct MemoryTests {
  static let orchestra = """
    instr 1
      ksum TEST_BUFFERS p4, p5
      outc upsamp(ksum)
    endin
    """

  @Test("Buffers of two types are zeroed for every note", arguments: [1, 7, 64])
  func zeroed(ksmps: Int) throws {
    let performance = try perform(
      Self.orchestra, score: "i1 0 0.01 100 0\ni1 0.02 0.01 100 0\ni1 0.02 0.01 7 0", ksmps: ksmps,
      channels: 1)
    let cycles = (480.0 / Double(ksmps)).rounded()
    let first = performance.channels[0].prefix(720).max()!
    let second = performance.channels[0].dropFirst(720).max()!
    #expect(abs(first - 1.5 * cycles) <= 1.5)
    #expect(second == 2 * first)
  }

  @Test("A buffer keeps its contents for the next note when asked, but not at another size")
  func kept() throws {
    let performance = try perform(
      Self.orchestra, score: "i1 0 0.01 50 1\ni1 0.02 0.01 50 1\ni1 0.04 0.01 51 1", ksmps: 48)
    let samples = performance.channels[0]
    #expect(samples.prefix(960).max() == 15)
    #expect(samples[960..<1920].max() == 30)
    #expect(samples.dropFirst(1920).max() == 15)
  }

  @Test("reinit zeroes a buffer, or keeps it, and may change its size")
  func reinit() throws {
    let performance = try perform(
      """
      instr 1
        kcycle init 0
        kcycle += 1
        icount init 10
        if kcycle == 6 then
          reinit again
        endif
        again:
        icount += 10
        ksum TEST_BUFFERS (p4 == 1 ? 20 : icount), p4
        rireturn
        outc upsamp(ksum)
      endin
      """, score: "i1 0 0.01 0\ni1 0.02 0.01 1", ksmps: 48)
    #expect(performance.channels[0].prefix(960).max() == 7.5)
    #expect(performance.channels[0].dropFirst(960).max() == 15)
  }

  @Test("A buffer beyond bufferCount and a size beyond reason are init errors")
  func refused() throws {
    let performance = try perform(
      """
      instr 1
        i1 TEST_TOO_MANY_BUFFERS
      endin
      instr 2
        k1 TEST_BUFFERS 1e18
      endin
      """, score: "i1 0 0.01\ni2 0 0.01")
    #expect(
      performance.said(
        "TEST_TOO_MANY_BUFFERS: 'buffer' is 1; it must be below the opcode's bufferCount; raise that "
          + "to how many buffers it asks for."))
    #expect(performance.said("TEST_BUFFERS: 'buffer size' is 1e+18; it must be at most 4 GB"))
  }

  @Test("A shared buffer of no size, of another or beyond reason is an init error with a sentence")
  func sharedRoom() throws {
    let performance = try perform(
      """
      instr 1
        i1 TEST_SHARED_ROOM p4
        outc upsamp(i1)
      endin
      """, score: [5, 0, -1, 6, 1e300].map { "i1 0 0.01 \($0)" }.joined(separator: "\n"), ksmps: 48)
    #expect(performance.channels[0].max() == 5)
    for size in ["0", "-1", "2.305843009e+18"] {
      #expect(
        performance.said(
          "TEST_SHARED_ROOM: 'shared buffer size' is \(size); it must be at least 1 and at most"
        ))
    }
    #expect(
      performance.said("TEST_SHARED_ROOM: the shared name stands for memory of another size."))
  }

  @Test("A table shows its length, sample rate and channels; a missing one is an init error")
  func tables() throws {
    let performance = try perform(
      """
      gi1 ftgen 7, 0, 1000, -2, 1
      gi2 ftgen 8, 0, 1024, -2, 1
      instr 1
        i1, i2, i3 TEST_TABLE p4
        outch 1, upsamp(i1), 2, upsamp(i2), 3, upsamp(i3)
      endin
      """,
      score: """
        i1 0 0.01 7
        i1 0.01 0.01 8
        i1 0.02 0.01 -1
        i1 0.03 0.01 99
        i1 0.04 0.01 0
        i1 0.05 0.01 1e300
        """, ksmps: 48, channels: 3)
    let values = stride(from: 240, to: 1440, by: 480).map { frame in
      performance.channels.map { $0[frame] }
    }
    #expect(values == [[1000, 48_000, 1], [1024, 48_000, 1], [16_384, 48_000, 1]])
    for number in ["99", "0", "1e+300"] {
      #expect(
        performance.said(
          "TEST_TABLE: 'ifn' is \(number); it must be the number of an existing table."))
    }
  }

  @Test("A table is read with interpolation; missing, replaced and deleted ones are noticed")
  func tableInPerformance() throws {
    let performance = try perform(
      """
      gi1 ftgen 7, 0, 4, -2, 0, 10, 20, 30
      instr 1
        kfn line 7, 1, 7
        ktime timeinsts
        kfn = (ktime > 0.05 ? p5 : 7)
        kvalue TEST_READ kfn, p4
        outc upsamp(kvalue)
      endin
      instr 2
        ftfree 7, 0
        gi1 ftgen 7, 0, 16384, -7, 5, 16384, 5
      endin
      instr 3
        ftfree 7, 0
      endin
      """,
      score: """
        i1 0 0.1 0.375 99
        i1 0.1 0.4 0.375 7
        i2 0.2 0.01
        i3 0.3 0.01
        """, ksmps: 48)
    let samples = performance.channels[0]
    #expect(samples[1000] == 15)
    #expect(samples[4000] == -1000)
    #expect(samples[9000] == 15)
    #expect(samples[12_000] == 5)
    #expect(samples[16_000] == -1000)
  }

  @Test("Messages and warnings carry the opcode's name")
  func messages() throws {
    let performance = try perform(
      "instr 1\n i1 TEST_SAY\nendin", score: "i1 0 0.01", options: ["-m7"])
    let messages = performance.messages.joined(separator: "\n")
    #expect(messages.contains("TEST_SAY: good morning."))
    #expect(messages.contains(/(WARNING|warning): TEST_SAY: it may rain\./))
    let quiet = try perform("instr 1\n i1 TEST_SAY\nendin", score: "i1 0 0.01", options: ["-m0"])
    #expect(!quiet.messages.joined().contains("rain"))
  }

  @Test(
    "An error in performance ends the note with a sentence and no other", arguments: [1, 7, 64])
  func performanceError(ksmps: Int) throws {
    let performance = try perform(
      """
      instr 1
        aone TEST_STOP p4
        outch p5, aone
      endin
      """, score: "i1 0 0.02 3 1\ni1 0 0.02 0 2", ksmps: ksmps, channels: 2)
    #expect(performance.said("TEST_STOP: 'kwhen' is 3; it must be later."))
    #expect(performance.channels[0].reduce(0, +) == Double(2 * ksmps))
    #expect(performance.channels[1].reduce(0, +) > Double(3 * ksmps))
  }

  @Test("With several threads the chain goes on after an error, and hears silence")
  func performanceErrorThreaded() throws {
    let performance = try performNote(
      """
      aone TEST_STOP 3
      """, heard: "aone", note: "0.02", options: ["-j2"])
    #expect(performance.channels[0].reduce(0, +) == 20)
  }

  @Test("p-fields: those the instrument has, and no others")
  func pFields() throws {
    let performance = try perform(
      """
      instr 1
        k1, kkey, kvelocity, kchannel, kreleasing TEST_NOTE p4
        iuses = p6
        outch 1, upsamp(k1), 2, upsamp(kkey), 3, upsamp(kvelocity), 4, upsamp(kchannel)
      endin
      """,
      score: (0...8).map { "i1 \(Double($0) / 100) 0.01 \($0) 55 66 77" }.joined(separator: "\n"),
      ksmps: 48, channels: 4)
    let values = (0...8).map { performance.channels[0][$0 * 480 + 240] }
    #expect(values[1] == 1)
    #expect(abs(values[2] - 0.02) < 1e-9)
    #expect(abs(values[3] - 0.01) < 1e-9)
    #expect(values[4...] == [4, 55, 66, -1, -1])
    #expect(performance.channels[1...].allSatisfy { $0.allSatisfy { $0 == -1 } })
  }

  @Test("A MIDI note shows key, velocity, channel and release")
  func midi() throws {
    let path = try temporaryDirectory() + "/notes.mid"
    // Format 0, 480 ticks a beat: key 61, velocity 99 on channel 3 for half a second.
    let track: [UInt8] = [
      0x00, 0x92, 61, 99, 0x83, 0x60, 0x82, 61, 0, 0x83, 0x60, 0xFF, 0x2F, 0,
    ]
    let header: [UInt8] = Array("MThd".utf8) + [0, 0, 0, 6, 0, 0, 0, 1, 1, 0xE0]
    let file = header + Array("MTrk".utf8) + [0, 0, 0, UInt8(track.count)] + track
    try Data(file).write(to: URL(fileURLWithPath: path))
    let performance = try perform(
      """
      massign 0, 1
      instr 1
        k1, kkey, kvelocity, kchannel, kreleasing TEST_NOTE 4
        aheld linsegr 1, 1, 1, 0.1, 1
        outch 1, upsamp(kkey), 2, upsamp(kvelocity), 3, upsamp(kchannel), 4, upsamp(kreleasing) * aheld
      endin
      """, score: "f0 1", ksmps: 48, channels: 4, options: ["-F", path])
    let middle = performance.channels.map { $0[12_000] }
    #expect(middle == [61, 99, 3, 0])
    #expect(performance.channels[3].max() == 1)
  }
}
