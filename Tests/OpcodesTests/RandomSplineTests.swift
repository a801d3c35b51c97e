import Testing

@Suite("RSPLINE and SYNCGRAIN in Csound", .serialized)
struct RandomSplineTests {
  @Test("Points are in the range, evenly, and the curve has no jumps", arguments: [1, 7, 48])
  func points(ksmps: Int) throws {
    let performance = try performNote(
      """
      a1 RSPLINE -1, 3, 100, 100
      k2 RSPLINE -1, 3, 100, 100
      a3 RSPLINE upsamp(k(-1)), 3, 20, 200
      a4 RSPLINE -1, upsamp(k(3)), -5, -5
      a5 RSPLINE 0, 1, 1e300, 1e300
      a6 RSPLINE -1, 3, 100, 100
      """, heard: "a1, upsamp(k2), a3, a4, a5, a6", note: "5", header: "seed 3", ksmps: ksmps)
    let points = stride(from: 0, to: performance[0].count, by: 480).map { performance[0][$0] }
    #expect(points.allSatisfy { $0 >= -1 && $0 <= 3 })
    #expect(points.contains { $0 > 2.8 } && points.contains { $0 < -0.8 })
    // 500 points: five deviations of their mean.
    let mean = points.reduce(0, +) / Double(points.count)
    #expect(abs(mean - 1) < 0.26)
    for channel in [0, 2] {
      let curve = performance[channel]
      let steps = zip(curve, curve.dropFirst()).map { abs($0 - $1) }
      #expect(steps.max()! < 0.08 && curve.allSatisfy { $0 > -1.6 && $0 < 3.6 })
    }
    #expect(Set(performance[3]).count == 1 && performance[4].allSatisfy { $0 >= 0 && $0 <= 1 })
    let isOwn = performance[0] != performance[5] && performance[0] != performance[1]
    #expect(isOwn && performance[1].contains { $0 > 2 } && performance[1].contains { $0 < 0 })
  }

  @Test("With too many grains the oldest ends, and wild arguments end in no harm")
  func grains() throws {
    let performance = try performNote(
      """
      kminus init -1
      knan = log(kminus)
      a1 SYNCGRAIN 1, 1000, 1, 0.1, 0.5, 1, 2, 3
      a2 SYNCGRAIN 1, -1e300, 1e300, 1e300, -1e300, 1, 2, 0
      a3 SYNCGRAIN 1, knan, knan, knan, knan, 1, 2, 9
      a4 SYNCGRAIN 1, 50, -3, 0.05, -9, 1, 2, 9
      """, heard: "a1, a2, a3, a4", note: "0.5",
      header: "gi1 ftgen 1, 0, 1000, 10, 1\ngi2 ftgen 2, 0, 512, -7, 1, 512, 1")
    // Five grains of a sine at once.
    #expect(performance[0].map(abs).max()! <= 5.001 && performance[0].contains { abs($0) > 1 })
    #expect(performance[1].allSatisfy { abs($0) < 3 })
    #expect(performance[2].allSatisfy { abs($0) < 2 })
    #expect(performance[3].map(abs).max()! > 0.5 && performance[3].map(abs).max()! < 4)
  }

  @Test("SYNCGRAIN's table may become shorter while it plays")
  func shorter() throws {
    let sound = try perform(
      """
      gi1 ftgen 1, 0, 65536, 10, 1
      gi2 ftgen 2, 0, 512, -7, 1, 512, 1
      instr 1
        a1 SYNCGRAIN 1, 20, 20, 0.1, 0.5, 1, 2, 8
        out a1
      endin
      instr 2
        gi3 ftgen 1, 0, 1024, 10, 1
      endin
      """, score: "i1 0 0.3\ni2 0.1 0.1")[0]
    #expect(sound.allSatisfy { $0.magnitude < 4 } && sound[12_000..<14_000].contains { $0 != 0 })
  }
}
