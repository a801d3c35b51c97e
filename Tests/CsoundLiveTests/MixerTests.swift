import CsoundLive
import Foundation
import HarnessBase
import TestSupport
import Testing

/// A generator of the program: as much as its memory says.
@c(mixer_test_level) func level(
  _ memory: UnsafeMutableRawPointer?, _ frames: UnsafeMutablePointer<Double>, _ count: Int,
  _ channels: Int
) {
  let value = memory!.load(as: Double.self)
  for index in 0..<count * channels { frames[index] = value }
}

/// A filter: turns the sign.
@c(mixer_test_negate) func negate(
  _ memory: UnsafeMutableRawPointer?, _ frames: UnsafeMutablePointer<Double>, _ count: Int,
  _ channels: Int
) {
  for index in 0..<count * channels { frames[index] = -frames[index] }
}

@Suite("The mixer", .serialized)
struct MixerTests {
  /// Plays silence on two channels for as long as `body` runs, and returns what came out.
  private func played(_ body: (Performance, Mixer) throws -> Void) throws -> [Float] {
    let file = Rig.file()
    let performance = Performance(
      "sr = 48000\nksmps = 64\nnchnls = 2\n0dbfs = 1\n", "f 0 60",
      Settings(device: Rig.device("FILE=\(file)", "SPEED=2"), period: 256))
    try performance.play()
    let mixer = try performance.mixer()
    try body(performance, mixer)
    performance.stop()
    return try CsoundLiveTests.played(file)
  }

  private func memory(_ value: Double) -> UnsafeMutableRawPointer {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    memory.storeBytes(of: value, as: Double.self)
    return memory
  }

  /// Waits until this many more frames have been computed.
  private func pass(_ frames: Int, of performance: Performance) {
    func computed() -> Int { Int(48_000 * (performance.status?.seconds ?? 0)) }
    let end = computed() + frames
    #expect(waits { computed() >= end })
  }

  /// Whether a stretch of frames is of these two samples.
  private func holds(_ sound: [Float], _ left: Float, _ right: Float) -> Bool {
    let frames = stride(from: 0, to: sound.count - 1, by: 2)
    return frames.count { abs(sound[$0] - left) < 1e-6 && abs(sound[$0 + 1] - right) < 1e-6 } > 1000
  }

  @Test("Channels are mixed within full scale, with volume and pan")
  func mixing() throws {
    let (half, most) = (memory(0.5), memory(0.9))
    let sound = try played { performance, mixer in
      let first = try mixer.add(level, half)
      pass(4800, of: performance)
      let second = try mixer.add(level, most)
      pass(4800, of: performance)
      try mixer.set(second, volume: 0.5)
      pass(4800, of: performance)
      try mixer.set(second, pan: -1)
      pass(4800, of: performance)
      try mixer.remove(first)
      pass(4800, of: performance)
      #expect(throws: Failure.self) { try mixer.set(first, volume: 1) }
      #expect(throws: Failure.self) { try mixer.remove(mixer.all) }
    }
    #expect(holds(sound, 0.5, 0.5))
    #expect(holds(sound, 0.95, 0.95))
    #expect(holds(sound, 0.725, 0.725))
    #expect(holds(sound, 0.725, 0.5))
    #expect(holds(sound, 0.45, 0))
    #expect(sound.allSatisfy { abs($0) <= 1 })
  }

  @Test("Groups are mixed and filtered as one, and recorded by themselves")
  func groups() throws {
    let (one, two) = (memory(0.25), memory(0.5))
    let file = Rig.file() + ".wav"
    let sound = try played { performance, mixer in
      let group = try mixer.addGroup()
      _ = try mixer.add(level, one, to: group)
      _ = try mixer.add(level, two, to: group)
      try mixer.addFilter(negate, nil, to: group)
      try mixer.set(group, volume: 0.5)
      pass(2000, of: performance)
      try mixer.record(group, to: file)
      _ = try mixer.add(level, two)
      pass(9600, of: performance)
      let frames = try #require(try mixer.finishRecording(group))
      #expect(frames > 1000)
    }
    // 0.25 and 0.5 mix to 0.625; its half, with its sign turned, is added to 0.5.
    #expect(holds(sound, 0.1875, 0.1875))
    let recorded = try Sound(readingFrom: file)
    #expect(recorded.samples.allSatisfy { abs($0 + 0.3125) < 1e-6 })
  }

  @Test("The whole, a group and one channel are recorded at once, also past the end of it all")
  func taps() throws {
    let (one, two, three) = (memory(0.25), memory(0.5), memory(0.125))
    let files = (0..<4).map { _ in Rig.file() + ".wav" }
    let performance = Performance("sr = 48000\nksmps = 64\nnchnls = 2\n0dbfs = 1\n", "f 0 60")
    try performance.play()
    let mixer = try performance.mixer()
    let group = try mixer.addGroup()
    let channel = try mixer.add(level, one, to: group)
    _ = try mixer.add(level, two, to: group)
    _ = try mixer.add(level, three)
    for _ in 0..<8 { try mixer.addFilter(negate, nil, to: channel) }
    #expect(throws: Failure.self) { try mixer.addFilter(negate, nil, to: channel) }
    try performance.record(to: files[0])
    try mixer.record(group, to: files[1])
    try mixer.record(channel, to: files[2])
    try mixer.record(mixer.all, to: files[3])
    pass(2400, of: performance)
    // Another file takes over from one that is complete then.
    let next = Rig.file() + ".wav"
    try mixer.record(group, to: next)
    pass(2400, of: performance)
    let whole = try performance.finishRecording()
    performance.stop()
    let frames = [group, channel, mixer.all].map { try? mixer.finishRecording($0) }
    #expect(frames.allSatisfy { $0 ?? 0 > 1000 } && whole ?? 0 > 1000)
    // 0.25 and 0.5 mix to 0.625, and that and 0.125 to 0.671875.
    let expected = [0.671875, 0.625, 0.25, 0.671875, 0.625]
    for (file, level) in zip(files + [next], expected) {
      // At the end all of it has faded out, at the beginning the group is still being put together.
      let samples = try Sound(readingFrom: file).samples
      #expect(samples.count > 2000 && samples.prefix(2000).allSatisfy { abs($0 - level) < 1e-6 })
    }
  }

  @Test("Events go to the piece that they are sent to")
  func events() throws {
    let orchestra = EventTests.clicks.replacing("nchnls = 1", with: "nchnls = 2")
      .replacing("out a1", with: "outs a1, a1 * 0")
    let sound = try played { performance, mixer in
      let piece = Piece(.orchestra(orchestra, score: "f 0 60"))
      let (first, second) = (try mixer.add(piece), try mixer.add(piece))
      try mixer.set(second, pan: 1)
      let group = try mixer.addGroup()
      #expect(throws: Failure.self) { try mixer.send("i", [1, 0, 0.1, 0.5], to: group) }
      try mixer.send("i", [1, 0, 0.05, 0.25], to: first)
      // To the right there is nothing of it.
      try mixer.send("i", [1, 0, 0.05, 0.5], to: second)
      pass(9600, of: performance)
    }
    #expect(holds(sound, 0.25, 0) && !sound.contains { $0 > 0.26 })
  }

  @Test("Pieces and files play beside the piece, sample for sample")
  func sources() throws {
    let path = Rig.file() + ".wav"
    let samples = (0..<48_000).map { Double($0) / 96_000 }
    try Sound(sampleRate: 48_000, channelCount: 1, samples: samples).write(to: path)
    let slow = Rig.file() + ".wav"
    try Sound(sampleRate: 44_100, channelCount: 1, samples: samples).write(to: slow)
    let sound = try played { performance, mixer in
      #expect(throws: Failure.self) { try mixer.add(file: slow) }
      let file = try mixer.add(file: path)
      pass(19_200, of: performance)
      try mixer.remove(file)
      _ = try mixer.add(PlayingTests.piece)
      pass(38_400, of: performance)
    }
    let begin = try #require(sound.indices.first { sound[$0] > 0 })
    let ramp = (0..<9600).count { abs(Double(sound[begin + 2 * $0]) - samples[$0 + 1]) > 1e-7 }
    #expect(ramp == 0)
    let silence = try #require((begin...).first { sound[$0] == 0 && sound[$0 + 2] == 0 })
    let piece = try offline(duet.orchestra, duet.score).map { Float($0) }
    // The first sample that is not silent, in both.
    let (a, b) = (
      try #require((silence..<sound.count).first { sound[$0] != 0 }) / 2 * 2,
      piece.firstIndex { $0 != 0 }! / 2 * 2
    )
    #expect((0..<20_000).allSatisfy { sound[a + $0] == piece[b + $0] })
  }
}
