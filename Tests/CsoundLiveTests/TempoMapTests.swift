import CsoundLive
import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("Tempo map")
struct TempoMapTests {
  @Test("A steady tempo, and one that steps")
  func steps() throws {
    let map = try TempoMap([
      .init(at: 0, tempo: 120), .init(at: 4, tempo: 60), .init(at: 6, tempo: 240),
    ])
    #expect([-2, 0, 4, 5, 6, 10].map { map.time(atBeat: $0) } == [-1, 0, 2, 3, 4, 5])
    #expect([-1, 0, 2, 3, 4, 5].map { map.beat(atTime: $0) } == [-2, 0, 4, 5, 6, 10])
    #expect([-1, 0, 4, 5.5, 6, 99].map { map.tempo(atBeat: $0) } == [120, 120, 60, 60, 240, 240])
  }

  @Test("Gliding from 60 to 120 in eight beats takes six seconds, its first half 3.5")
  func glides() throws {
    let map = try TempoMap([.init(at: 0, tempo: 60, glides: true), .init(at: 8, tempo: 120)])
    // Beats last 1 s and 0.5 s at the ends, 0.75 s in the middle.
    #expect(map.time(atBeat: 8) == 6 && map.time(atBeat: 4) == 3.5 && map.time(atBeat: 10) == 7)
    #expect(map.tempo(atBeat: 4) == 80)
    #expect(abs(map.beat(atTime: 3.5) - 4) < 1e-14)
  }

  @Test("Beats and seconds are each other's inverse, whatever the tempos", arguments: 1...20)
  func inverse(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var beat = 0.0
    let changes = (0..<Int.random(in: 1...30, using: &generator)).map { _ in
      defer { beat += .random(in: 0.01...20, using: &generator) }
      return TempoMap.Change(
        at: beat, tempo: exp(.random(in: log(5)...log(2000), using: &generator)),
        glides: .random(using: &generator))
    }
    let map = try TempoMap(changes)
    for place in (0..<200).map({ (Double($0) / 150 - 0.1) * (beat + 1) }) + changes.map(\.beat) {
      let time = map.time(atBeat: place)
      #expect(abs(map.beat(atTime: time) - place) < 1e-9 * max(1, abs(place)), "seed \(seed)")
      // Where a frame is the nearest to a beat, that beat is the nearest to the frame.
      let frame = map.frame(atBeat: place, sampleRate: 48_000)
      #expect(
        map.frame(atBeat: map.beat(atTime: Double(frame) / 48_000), sampleRate: 48_000) == frame)
    }
    // Time only ever goes on.
    let times = stride(from: 0, to: beat + 2, by: 0.25).map { map.time(atBeat: $0) }
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
  }

  @Test("Bars of changing lengths")
  func bars() throws {
    let map = try TempoMap(
      [.init(at: 0, tempo: 60)], meters: [.init(4, 4), .init(at: 3, 6, 8), .init(at: 5, 5, 4)])
    // Two bars of four quarters, two of three, then of five.
    let places: [(TempoMap.Position, Double)] = [
      (.init(1), 0), (.init(2, 3.5), 6.5), (.init(3), 8), (.init(3, 4), 9.5), (.init(5), 14),
      (.init(6, 2), 20), (.init(0, 4), -1),
    ]
    for (position, beat) in places {
      #expect(map.beat(at: position) == beat)
      #expect(map.position(atBeat: beat) == position)
      #expect(map.time(at: position) == beat && map.position(atTime: beat) == position)
    }
  }

  @Test("What is no map of tempos is refused in a sentence")
  func refused() {
    #expect(throws: Failure.self) { try TempoMap([]) }
    #expect(throws: Failure.self) { try TempoMap([.init(at: 1, tempo: 60)]) }
    #expect(throws: Failure.self) {
      try TempoMap([.init(at: 0, tempo: 60), .init(at: 0, tempo: 70)])
    }
    #expect(throws: Failure.self) { try TempoMap(tempo: .nan) }
    #expect(throws: Failure.self) { try TempoMap(tempo: 0) }
    #expect(throws: Failure.self) { try TempoMap(tempo: 60, meter: .init(4, 3)) }
    #expect(throws: Failure.self) { try TempoMap(tempo: 60, meter: .init(at: 2, 4, 4)) }
  }

  @Test("Notes sent by beats begin on the samples of the map")
  func played() throws {
    let map = try TempoMap([.init(at: 0, tempo: 300, glides: true), .init(at: 4, tempo: 600)])
    let file = Rig.file()
    let performance = Performance(
      Piece(.orchestra(EventTests.clicks, score: "f 0 2"), isSampleAccurate: true),
      settings: Settings(device: Rig.device("FILE=\(file)", "SPEED=2", "WAIT=1"), period: 1024))
    let gate = Gate()
    try performance.add(gate)
    try performance.play()
    let beats = [3, 0, 1.5, 5]
    for beat in beats {
      try performance.send("i", [1, 0, 200.0 / 48000, 0.5], atBeat: beat, of: map, from: 30_000)
    }
    gate.open()
    performance.wait()
    let sound = try CsoundLiveTests.played(file)
    let begins = sound.indices.filter { sound[$0] == 0.5 && ($0 == 0 || sound[$0 - 1] == 0) }
    // Beats last 0.2 s, and from the fourth on 0.1 s: 0.2 x − x²/80 before.
    let times: [Double] = [0, 0.3 - 2.25 / 80, 0.6 - 9.0 / 80, 0.7]
    let expected = times.map { 30_000 + Int(($0 * 48_000).rounded()) }
    #expect(begins == expected)
  }
}
