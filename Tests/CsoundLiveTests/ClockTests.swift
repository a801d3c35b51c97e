import CsoundLive
import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("MIDI clock", .serialized)
struct ClockTests {
  /// The messages, with the frames at which they are sent, of `count` periods of 256 frames at 48 kHz.
  private func sent(_ tempo: ClockTempo, periods count: Int, pauses: Range<Int> = 0..<0)
    -> [(status: UInt8, frame: Int)]
  {
    var schedule = MIDISchedule(clock: ClockPulses(tempo, sampleRate: 48000))
    var (frame, now) = (0, 0)
    var all: [(UInt8, Int)] = []
    for period in 0..<count {
      let isPaused = pauses.contains(period)
      func time(_ frame: Int) -> Int { Int((Double(frame) / 48000 * 1e9).rounded(.up)) }
      schedule.take(
        MIDIEntry(kind: .period, time: time(now), frame: frame, length: isPaused ? 0 : 256))
      for offset in 0..<256 {
        for message in schedule.messages(until: time(now + offset)) {
          all.append((message.status, now + offset))
        }
      }
      now += 256
      if !isPaused { frame += 256 }
    }
    return all + schedule.end().map { ($0.status, now) }
  }

  @Test("24 pulses for a quarter note, on their frames, after a start and before a stop")
  func pulses() throws {
    let all = sent(.map(try TempoMap(tempo: 120)), periods: 375)
    #expect(all.first! == (0xFA, 0) && all.last! == (0xFC, 96_000))
    let pulses = all.filter { $0.status == 0xF8 }
    #expect(pulses.map(\.frame) == (0..<96).map { $0 * 1000 } && all.count == 98)
  }

  @Test("A tempo that glides")
  func glide() throws {
    let map = try TempoMap([.init(at: 0, tempo: 60, glides: true), .init(at: 2, tempo: 180)])
    let pulses = sent(.map(map), periods: 400).filter { $0.status == 0xF8 }
    #expect(pulses.count > 60)
    for (number, pulse) in pulses.enumerated() {
      #expect(pulse.frame == map.frame(atBeat: Double(number) / 24, sampleRate: 48000))
    }
  }

  @Test("In a pause the clock stops, and after it goes on where it was")
  func pause() throws {
    let all = sent(.map(try TempoMap(tempo: 120)), periods: 100, pauses: 50..<60)
    let stop = all.firstIndex { $0.status == 0xFC }!
    #expect(all[stop].frame == 50 * 256 && all[stop + 1] == (0xFB, 60 * 256))
    let pulses = all.filter { $0.status == 0xF8 }.map(\.frame)
    #expect(pulses == (0..<24).map { $0 * 1000 < 12_800 ? $0 * 1000 : $0 * 1000 + 2560 })
  }

  @Test("A channel's tempo counts from the next period on; at 0 the clock stands still")
  func channel() throws {
    let file = Rig.file()
    let wire = Wire()
    defer { wire.close() }
    let orchestra = """
      \(header())
      chn_k "tempo", 3
      instr 1
        chnset k(p4), "tempo"
      endin
      """
    let performance = Performance(
      orchestra, "i 1 0 1 600\ni 1 1 1 0\ni 1 2 1 300\ne 3",
      Settings(
        device: Rig.device("FILE=\(file)"), midiOutput: wire.path,
        clock: .channel(ObservedValue("tempo"))))
    try performance.play()
    performance.wait()
    #expect(waits { wire.messages.last == [0xFC] })
    #expect(wire.messages.first == [0xFA])
    // A second of 240 pulses, one of none, one of 120; the value is seen within two periods.
    let count = wire.messages.count { $0 == [0xF8] }
    #expect((350...370).contains(count), "\(count)")
  }

  @Test(
    "Scores with one tempo for all of it have a map; Csound plays their notes at its times",
    arguments: ["t 0 120", "t 0 60 4 120", "t 0 90 2 90 2 180 5 60 ; slower", "t0 100 3 50 3 200"])
  func scores(statement: String) throws {
    let score = statement + "\n" + (0..<8).map { "i 1 \($0) 0.001" }.joined(separator: "\n") + "\n"
    let map = try #require(
      TempoMap(csd: "<CsoundSynthesizer>\n<CsScore>\n\(score)</CsScore>\n</CsoundSynthesizer>"))
    let orchestra = """
      \(header(ksmps: 1))
      instr 1
        a1 init 1
        out a1
      endin
      """
    let sound = try offline(orchestra, score)
    let starts = sound.indices.filter { sound[$0] == 1 && ($0 == 0 || sound[$0 - 1] == 0) }
    #expect(starts.count == 8)
    for (beat, frame) in starts.enumerated() {
      let expected = map.frame(atBeat: Double(beat), sampleRate: 48000)
      #expect(abs(frame - expected) <= 1, "\(statement): beat \(beat)")
    }
  }

  @Test(
    "Other scores have none",
    arguments: [
      "i 1 0 1", "t 0 120\ns\nt 0 60", "t 0 120\na 0 0 3", "{ 3 N\nt 0 60\n}", "t 0 $T",
      "t 0 [60*2]",
      "t 0 60\nt 0 90", "; t 0 60", "/* t 0 60 */", "t 0 60 4", "t 1 60",
    ])
  func others(score: String) {
    #expect(TempoMap(csd: "<CsScore>\n\(score)\ne\n</CsScore>") == nil)
    #expect(
      TempoMap(csd: "<CsOptions>\n-t0\n</CsOptions>\n<CsScore>\nt 0 60\n</CsScore>") == nil)
  }

  @Test("A clock that comes in gives tempo, beat and whether it runs")
  func follower() {
    var state = ClockFollower.State()
    func message(_ bytes: UInt8...) -> MIDIMessage {
      var parser = MIDIParser()
      return bytes.compactMap { parser.take($0) }.last!
    }
    var now = 0
    /// Takes pulses of a tempo; each is up to 1 ms early or late in turn.
    func pulses(_ count: Int, tempo: Double) {
      for number in 0..<count {
        now += Int(60e9 / 24 / tempo)
        _ = state.take(message(0xF8), at: now + (number % 2 == 0 ? 1_000_000 : 0))
      }
    }
    pulses(5, tempo: 120)
    #expect(state.tempo == nil && state.beat == -1 && !state.isRunning)
    pulses(25, tempo: 120)
    #expect(abs(state.tempo! - 120) < 0.3 && state.beat == -1)
    _ = state.take(message(0xFA), at: now)
    #expect(state.isRunning && state.beat == -1)
    pulses(1, tempo: 120)
    #expect(state.beat == 0)
    pulses(24, tempo: 60)
    #expect(state.beat == 1)
    pulses(1, tempo: 60)
    #expect(abs(state.tempo! - 60) < 0.3)
    _ = state.take(message(0xFC), at: now)
    pulses(12, tempo: 60)
    #expect(!state.isRunning && state.beat == 25.0 / 24)
    _ = state.take(message(0xFB), at: now)
    pulses(1, tempo: 60)
    #expect(state.isRunning && state.beat == 26.0 / 24)
    // A song position counts only while the clock stands still.
    _ = state.take(message(0xF2, 4, 1), at: now)
    pulses(1, tempo: 60)
    #expect(state.beat == 27.0 / 24)
    _ = state.take(message(0xFC), at: now)
    _ = state.take(message(0xF2, 4, 1), at: now)
    _ = state.take(message(0xFB), at: now)
    pulses(1, tempo: 60)
    #expect(state.beat == 33)
    // After a gap the tempo is measured anew.
    now += 2_000_000_000
    pulses(7, tempo: 200)
    #expect(abs(state.tempo! - 200) < 3)
    let isClock = state.take(.noteOn(60, velocity: 1), at: now)
    #expect(!isClock)
  }

  @Test("A piece hears the clock of a wire in its channels")
  func following() throws {
    let performance = Performance(duet.orchestra, "f 0 60", Settings(device: .null, midi: true))
    let follower = try ClockFollower("clock", performance)
    let port = PerformancePort(performance)
    try performance.play()
    defer { performance.stop() }
    func value(_ name: String) -> Double? { try? port.value(of: name) }
    // Nothing reads the channels in this piece: they are made by what is typed.
    try performance.compile(
      "chn_k \"clock\", 3\nchn_k \"clock_beat\", 3\nchn_k \"clock_run\", 3\n")
    #expect(waits { value("clock_beat") == -1 })
    var parser = MIDIParser()
    let (start, stop) = (parser.take(0xFA)!, parser.take(0xFC)!)
    let pulse = parser.take(0xF8)!
    var time = PreciseTimer.now
    follower.take(start, at: time)
    for _ in 0..<25 {
      follower.take(pulse, at: time)
      time += 20_833_333
    }
    #expect(waits { value("clock_beat") == 1 && value("clock_run") == 1 })
    #expect(waits { abs((value("clock") ?? 0) - 120) < 0.01 })
    follower.take(stop, at: time)
    #expect(waits { value("clock_run") == 0 })
  }
}
