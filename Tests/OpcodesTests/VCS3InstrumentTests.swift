import Foundation
import TestSupport
import Testing

@Suite("The instrument vcs3.csd", .serialized)
struct VCS3InstrumentTests {
  /// Its instruments, with channels set at the end of its own settings.
  private static func orchestra(
    _ values: [String: Double] = [:], more: String = ""
  ) throws -> String {
    let lines = values.sorted { $0.key < $1.key }.map { "chnset \($0.value), \"\($0.key)\"\n" }
    return try PanelData.orchestra(
      "vcs3", lines.joined() + more, before: "; A control, without steps.\n")
  }

  /// Plays channels 1 and 2; the left one.
  private static func play(
    _ values: [String: Double], _ score: String, seconds: Double = 2, options: [String] = [],
    more: String = ""
  ) throws -> [Double] {
    let performance = try perform(
      orchestra(values, more: more), score: "i9 0 \(seconds)\ni10 0 \(seconds)\n" + score, ksmps: 8,
      channels: 2, options: options)
    return performance[0]
  }

  private static let pins = (0..<256).map { place in
    "\(Array("ABCDEFGHIJKLMNOP")[place % 16])\(place / 16 + 1)"
  }

  /// No pins but some.
  private static func only(_ set: [String], _ values: [String: Double] = [:]) -> [String: Double] {
    var all = Dictionary(uniqueKeysWithValues: pins.map { ($0, 0.0) })
    for pin in set { all[pin] = 1 }
    return all.merging(values) { $1 }
  }

  @Test("Keys move an oscillator in tune, the last one counts, and its pitch stays")
  func keys() throws {
    let values = Self.only(["B1", "I8"], ["pan1": 0, "sine1": 0.1])
    let samples = try Self.play(values, "i1.069 0.1 0.8 69 100\ni1.057 0.5 0.2 57 100")
    for (second, octaves) in [(0.15, 0.75), (0.53, -0.25), (0.73, 0.75), (1.2, 0.75)] {
      let share = Self.share(of: 261.63 * pow(2, octaves), samples, second, 0.15)
      #expect(share > 0.99, "\(second) s")
    }
    let detuned = try Self.play(
      values.merging(["tolerance": 0.05]) { $1 }, "i1.084 0.1 1 84 100")[28_800..<38_400]
    // I8 is place 120: its resistor is off by 2 frac(0.618 121) - 1 of 5 %.
    let place = 0.618_033_988_749_894_9 * 121
    let error = 0.05 * (2 * (place - place.rounded(.down)) - 1)
    let expected = 261.63 * pow(2, 2 * (1 + error))
    let frequencies = stride(from: expected - 30, to: expected + 30, by: 1)
    let found = frequencies.max {
      Partial(of: $0, in: detuned).amplitude < Partial(of: $1, in: detuned).amplitude
    }!
    #expect(abs(found - expected) <= 1 && abs(error) > 0.01)
  }

  /// A MIDI file of 480 ticks a half second: times in ticks, and bytes.
  private static func midi(_ events: [(time: Int, bytes: [UInt8])]) -> Data {
    var (track, last) = ([UInt8](), 0)
    for event in events.sorted(by: { $0.time < $1.time }) + [(2_400, [0xFF, 0x2F, 0])] {
      let delta = event.time - last
      last = event.time
      track += [UInt8(0x80 | delta >> 7 & 0x7F), UInt8(delta & 0x7F)] + event.bytes
    }
    let header: [UInt8] = [0, 0, 0, 6, 0, 0, 0, 1, 1, 0xE0]
    let size = withUnsafeBytes(of: UInt32(track.count).bigEndian, Array.init)
    return Data("MThd".utf8) + header + Data("MTrk".utf8) + size + track
  }

  /// How much of a signal's power, from a second on, is a sine's.
  private static func share(
    of hertz: Double, _ samples: [Double], _ second: Double, _ length: Double = 0.1
  ) -> Double {
    let first = Int(second * 48_000)
    let window = samples[first..<(first + Int(length * 48_000))]
    let level = Partial(of: hertz, in: window).amplitude
    let all = window.reduce(0) { $0 + $1 * $1 } / Double(window.count)
    return all > 1e-6 ? level * level / 2 / all : 0
  }

  /// Plays MIDI messages, in 1/960 s, for 2.4 s with some pins only.
  private static func play(
    _ messages: [(Int, [UInt8])], _ pins: [String], _ values: [String: Double] = [:]
  ) throws -> [Double] {
    let path = try temporaryDirectory() + "/notes.mid"
    try midi(messages.map { (time: $0.0, bytes: $0.1) }).write(to: URL(fileURLWithPath: path))
    return try play(
      only(pins, ["pan1": 0, "sine1": 0.1].merging(values) { $1 }), "f0 2.4", seconds: 2.4,
      options: ["-F", path])
  }

  private static func note(
    _ key: UInt8, _ channel: UInt8, _ start: Int, _ end: Int, velocity: UInt8 = 100
  ) -> [(Int, [UInt8])] {
    [(start, [0x90 | channel, key, velocity]), (end, [0x80 | channel, key, 0])]
  }

  @Test("Of the keys held by MIDI, on any channels, the last one counts, and then those before it")
  func lastMidiKey() throws {
    // 72 from 0.2 to 2.2 s, 60 from 0.6 to 1.2, 79 from 1.4 to 1.9, 67 after it; programs change nothing.
    let samples = try Self.play(
      Self.note(72, 0, 192, 2_112) + Self.note(60, 0, 576, 1_152) + Self.note(79, 4, 1_344, 1_824)
        + Self.note(67, 4, 1_900, 2_050) + [(96, [0xC0, 9]), (96, [0xC4, 8])], ["B1", "I8"])
    for (second, key) in [(0.3, 72), (0.75, 60), (1.22, 72), (1.55, 79), (2.02, 67), (2.25, 72)] {
      let share = Self.share(of: 261.63 * pow(2, Double(key - 60) / 12), samples, second)
      #expect(share > 0.95, "\(second) s, key \(key)")
    }
  }

  @Test("Pitch bend moves the keys by two semitones each way, and the pedal holds them")
  func bend() throws {
    // The pedal is down from 0.1 to 1.9 s; the key from 0.2 to 0.4.
    let samples = try Self.play(
      Self.note(69, 0, 192, 384) + [
        (96, [0xB0, 64, 127]), (480, [0xE0, 127, 127]), (960, [0xE0, 0, 0]),
        (1_440, [0xE0, 0, 0x60]), (1_824, [0xB0, 64, 0]),
      ], ["I8", "B12", "D1"], ["level1": 0.3, "decay": 0.02, "on": 0])
    for (second, semitones) in [(0.25, 0.0), (0.6, 2), (1.1, -2), (1.6, 1)] {
      let share = Self.share(of: 261.63 * pow(2, (9 + semitones) / 12), samples, second)
      #expect(share > 0.95, "\(second) s, \(semitones) semitones")
    }
    #expect(loudest(samples, from: 2.1, to: 2.2, window: 0.05) < 1e-9)
  }

  @Test("The modulation wheel moves the stick from its centre, which is the wheel's rest")
  func wheel() throws {
    let samples = try Self.play(
      [(96, [0xB0, 1, 0]), (960, [0xB0, 1, 127]), (1_440, [0xB0, 1, 0])], ["B1", "I15"],
      ["rangeX": 0.2])
    for (second, octaves) in [(0.5, 0.0), (1.2, 1), (1.8, 0)] {
      let share = Self.share(of: 261.63 * pow(2, octaves), samples, second)
      #expect(share > 0.95, "\(second) s")
    }
  }

  @Test("The velocity of the last key struck is a voltage of row 9; 0 in a score is one of 100")
  func velocity() throws {
    let samples = try Self.play(
      Self.note(60, 0, 192, 576, velocity: 127) + Self.note(60, 0, 768, 1_800, velocity: 32)
        + Self.note(64, 0, 1_152, 1_536, velocity: 96), ["B1", "I9"],
      ["velocity": 0.2, "input": 0])
    for (second, velocity) in [(0.3, 127), (0.65, 127), (0.9, 32), (1.3, 96), (1.7, 96), (2, 96)] {
      let share = Self.share(of: 261.63 * pow(2, Double(velocity) / 127), samples, second)
      #expect(share > 0.95, "\(second) s, velocity \(velocity)")
    }
    let scored = try Self.play(
      Self.only(["B1", "I9"], ["pan1": 0, "sine1": 0.1, "velocity": 0.2, "input": 0]),
      "i1.060 0.1 0.3 60 0\ni1.060 0.6 0.3 60 64")
    for (second, velocity) in [(0.2, 100.0), (0.75, 64)] {
      let share = Self.share(of: 261.63 * pow(2, velocity / 127), scored, second)
      #expect(share > 0.95, "\(second) s, velocity \(velocity)")
    }
  }

  @Test("A key struck while the sound decays starts the attack from there")
  func attackAgain() throws {
    let samples = try Self.play(
      Self.note(60, 0, 96, 192) + Self.note(64, 0, 672, 720), ["B12", "D1"],
      ["attack": 0.05, "on": 0, "decay": 2, "sine1": 0.5, "level1": 0.3])
    func level(_ second: Double) -> Double {
      loudest(samples, from: second, to: second + 0.02, window: 0.01)
    }
    // 25 dB down after 0.5 s, at the top again 0.05 s later.
    let (top, before, after) = (level(0.19), level(0.66), level(0.74))
    #expect(10 * log10(before / top) < -10 && abs(10 * log10(after / top)) < 3)
  }

  @Test("A key opens the envelope, another strikes it again, and without keys there is silence")
  func gate() throws {
    let values = Self.only(
      ["B12", "D1"], ["pan1": 0, "attack": 0.05, "on": 0, "decay": 0.1, "sine1": 0.2])
    let samples = try Self.play(values, "i1.060 0.1 0.9 60 100\ni1.072 0.6 0.2 72 100")
    func level(_ second: Double) -> Double {
      let first = Int(second * 48_000)
      return samples[first..<(first + 960)].map(abs).max()!
    }
    #expect(level(0.05) < 1e-4 && level(0.5) > 0.05 && level(1.5) < 1e-4)
    // The attack begins again from the top, where it is; it is the release that begins late.
    #expect(level(0.61) > 0.05 && level(0.98) > 0.05)
    let repeating = try Self.play(
      values.merging(["repeat": 1, "off": 0.1]) { $1 }, "")
    let sound = stride(from: 9_600, to: 86_400, by: 480).map { start in
      repeating[start..<(start + 480)].map(abs).max()! > 0.02
    }
    #expect(sound.contains(true) && sound.contains(false))
  }

  @Test("The filter follows the keys, the ring multiplies, and the output's level is moved")
  func modules() throws {
    let filter = try Self.play(
      Self.only(["B10", "H7", "N8"], ["pan1": 0, "noise": 0.05, "cutoff": 500, "response": 1.1]),
      "i1.072 0 2 72 100")[48_000..<86_400]
    let loudest = stride(from: 300, to: 1_500, by: 5.0).max {
      Partial(of: $0, in: filter).amplitude < Partial(of: $1, in: filter).amplitude
    }!
    #expect(abs(1200 * log2(loudest / 1_000)) < 40)
    let ring = try Self.play(
      Self.only(
        ["B13", "E1", "F3"],
        ["pan1": 0, "frequency1": 1_000, "frequency2": 300, "shape2": 0.5, "level1": 0.3]), "")[
        48_000..<86_400]
    #expect(Partial(of: 700, in: ring).decibels > Partial(of: 1_000, in: ring).decibels + 30)
    #expect(Partial(of: 1_300, in: ring).decibels > Partial(of: 1_000, in: ring).decibels + 30)
    let chopped = try Self.play(
      Self.only(
        ["B1", "O5"], ["pan1": 0, "sine1": 0.1, "level1": 0.5, "square3": 1, "frequency3": 4]), "")
    let levels = stride(from: 24_000, to: 86_400, by: 960).map { start in
      chopped[start..<(start + 960)].map(abs).max()!
    }
    #expect(levels.min()! < 0.001 && levels.max()! > 0.05)
  }

  @Test("Its panel's widgets and patches set channels that it has, within their ranges")
  func panel() throws {
    let panel = try PanelData("vcs3")
    try panel.checkChannels(Self.orchestra(), count: 44, more: Self.pins)
    #expect(panel.presets.allSatisfy { Set(Self.pins).isSubset(of: $0.values.keys) })
  }

  @Test("Fine has fewer aliases, at once when it is switched, and the keys' pitch stays")
  func fine() throws {
    // Harmonics of 4700 Hz above 24 kHz fold back to 1000, 5700, 10400 and 15100 Hz.
    let ramp = try Self.play(
      Self.only(["B2"], ["pan1": 0, "ramp1": 0.05, "frequency1": 4_700]), "i20 1 0.1 1",
      more: Self.switching)
    func alias(_ second: Double) -> Double {
      let window = ramp[Int(second * 48_000)..<Int((second + 0.5) * 48_000)]
      let loudest = [1_000.0, 5_700, 10_400, 15_100].map { Partial(of: $0, in: window).decibels }
      return loudest.max()! - Partial(of: 4_700, in: window).decibels
    }
    let (original, fine) = (alias(0.4), alias(1.2))
    #expect(original > -60 && fine < -85, "\(original) and \(fine) dB")
    let keys = try Self.play(
      Self.only(["B1", "I8"], ["pan1": 0, "sine1": 0.1]),
      "i1.069 0.1 0.8 69 100\ni20 1 0.1 1\ni20 1.5 0.1 0", more: Self.switching)
    for second in [0.7, 1.2, 1.7] {
      let share = Self.share(of: 261.63 * pow(2, 0.75), keys, second, 0.15)
      #expect(share > 0.99, "\(second) s")
    }
  }

  /// Instrument 20 sets the channel `fine` to its p4.
  private static let switching = """
    instr 20
      chnset p4, "fine"
    endin

    """

  @Test("Every patch sounds, and none beyond the amplifiers' range")
  func patches() throws {
    for preset in try PanelData("vcs3").presets {
      let samples = try Self.play(preset.values, "i1.060 0.1 0.9 60 100", seconds: 1.2)
      let power = samples.reduce(0) { $0 + $1 * $1 } / Double(samples.count)
      #expect(
        samples.allSatisfy { abs($0) <= 0.7 } && power > 1e-5,
        "\(preset.name): \(10 * log10(power)) dB")
    }
  }

  @Test("The piece plays by itself where DEMO is defined, and ends")
  func demo() throws {
    let performance = try perform(
      "#define DEMO #1#\n" + Self.orchestra(), score: "i9 0 z\ni10 0 z", ksmps: 8, channels: 2)
    let samples = performance[0]
    let seconds = Double(samples.count) / 48_000
    #expect(abs(seconds - 20) < 0.1)
    for second in 0..<19 {
      let window = samples[(second * 48_000)..<((second + 1) * 48_000)]
      #expect(window.contains { abs($0) > 0.003 }, "second \(second)")
    }
  }
}
