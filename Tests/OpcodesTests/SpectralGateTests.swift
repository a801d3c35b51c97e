import Opcodes
import Testing

@Suite("PVSGATE", .serialized)
struct SpectralGateTests {
  @Test("A bin is closed below the threshold only, and NaN closes nothing")
  func gain() {
    #expect(gateGain(amplitude: 0.1, threshold: 0.2, closed: 0.5) == 0.5)
    #expect(gateGain(amplitude: 0.2, threshold: 0.2, closed: 0.5) == 1)
    #expect(gateGain(amplitude: .nan, threshold: 0.2, closed: 0.5) == 1)
    #expect(gateGain(amplitude: 0.1, threshold: .nan, closed: 0.5) == 1)
  }

  @Test(
    "A depth beyond 0 and 1 is the nearer end, NaN is none",
    arguments: [(-1, 1), (0, 1), (0.25, 0.75), (1, 0), (7, 0), (.infinity, 0), (.nan, 1)])
  func depth(depth: Double, gain: Double) {
    #expect(closedGain(depth: depth) == gain)
  }

  /// Renders two chains of f-signal opcodes on the same noise, resynthesized.
  func compare(
    _ one: String, _ other: String, overlap: Int = 128, ksmps: Int = 64, options: [String] = [],
    score: String = "i1 0 0.1\ni1 0.15 0.05"
  ) throws -> (one: [Double], other: [Double]) {
    let performance = try perform(
      """
      instr 1
        anoise rand 0.5, 0.5, 1
        fsource pvsanal anoise, 512, \(overlap), 512, 1
        fone = fsource
        \(one)
        \(other)
        aone pvsynth fone
        aother pvsynth \(other.isEmpty ? "fsource" : "fother")
        outs aone, aother
      endin
      """, score: score, ksmps: ksmps, channels: 2, options: options)
    #expect(performance.channels[1].contains { abs($0) > 0.01 })
    return (performance.channels[0], performance.channels[1])
  }

  @Test(
    "At threshold 0 the sound is the input's, bit for bit, in a recycled note too",
    arguments: [1, 7, 64],
    ["0", "-1", "sqrt(-1)"])
  func open(ksmps: Int, threshold: String) throws {
    let result = try compare("fone PVSGATE fsource, \(threshold), 1", "", ksmps: ksmps)
    #expect(largestDifference(result.one, result.other) == 0)
  }

  @Test(
    "A sliding analysis: open it is the input, closed to half it is half of it, closed it is silent",
    arguments: [(8, 1), (8, 7), (8, 64), (32, 64)])
  func sliding(overlap: Int, ksmps: Int) throws {
    let open = try compare("fone PVSGATE fsource, 0, 1", "", overlap: overlap, ksmps: ksmps)
    #expect(largestDifference(open.one, open.other) == 0)
    let half = try compare("fone PVSGATE fsource, 1000, 0.5", "", overlap: overlap, ksmps: ksmps)
    #expect(largestDifference(half.one.map { 2 * $0 }, half.other) < 1e-12)
    let closed = try compare("fone PVSGATE fsource, 1000, 1", "", overlap: overlap, ksmps: ksmps)
    #expect(closed.one.allSatisfy { $0 == 0 })
  }

  @Test("Input and output can be one f-signal", arguments: [128, 8])
  func inPlace(overlap: Int) throws {
    let result = try compare(
      "fone PVSGATE fone, 0.002, 0.8", "fother PVSGATE fsource, 0.002, 0.8", overlap: overlap)
    #expect(largestDifference(result.one, result.other) == 0)
    #expect(result.one.contains { $0 != 0 })
  }

  @Test("A note that starts and ends inside a block is as with its input", arguments: [128, 8])
  func sampleAccurate(overlap: Int) throws {
    let result = try compare(
      "fone PVSGATE fsource, 0, 1", "", overlap: overlap, options: ["--sample-accurate"],
      score: "i1 [101/48000] [3000/48000]\ni1 [5003/48000] [2345/48000]")
    #expect(largestDifference(result.one, result.other) == 0)
  }

  @Test("An f-signal without amplitudes is an init error", arguments: [2, 3])
  func wrongFormat(format: Int) throws {
    let performance = try perform(
      """
      instr 1
        fsource pvsinit 512, 128, 512, 1, \(format)
        fgated PVSGATE fsource, 0, 1
      endin
      """, score: "i1 0 0.01")
    #expect(performance.said("PVSGATE: the f-signal must have amplitudes, as pvsanal makes them."))
  }

  @Test(
    "After a reinit with another size it goes on; another size of the input alone ends the note",
    arguments: [true, false])
  func resized(reinitializesGate: Bool) throws {
    let performance = try performNote(
      """
      anoise rand 0.5, 0.5, 1
      isize init 256
      kcycle timeinstk
      if kcycle == 50 then
        reinit again
      endif
      again:
      isize = isize * 4
      fsource pvsanal anoise, isize, isize / 4, isize, 1
      \(reinitializesGate ? "" : "rireturn")
      fgated PVSGATE fsource, 0, 1
      asound pvsynth fgated
      \(reinitializesGate ? "rireturn" : "")
      """, heard: "asound", note: "0.4")
    let end = performance.channels[0].suffix(4800)
    if reinitializesGate {
      #expect(!performance.said("PVSGATE") && end.contains { abs($0) > 0.1 })
    } else {
      let sentence = "PVSGATE: the f-signal was given another size; reinit this opcode with it."
      #expect(performance.said(sentence) && end.allSatisfy { $0 == 0 })
    }
  }
}
