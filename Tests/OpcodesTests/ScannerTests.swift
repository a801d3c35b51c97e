import Foundation
import Opcodes
import Testing

/// The scanner's line as a circuit at one frequency: nodal equations, with nothing of the opcode's.
private struct LineCircuit {
  /// A complex number.
  struct Phasor {
    var real, imaginary: Double

    init(_ real: Double, _ imaginary: Double = 0) {
      (self.real, self.imaginary) = (real, imaginary)
    }

    var magnitude: Double { hypot(real, imaginary) }
    var decibels: Double { 20 * log10(magnitude) }
    static func + (a: Phasor, b: Phasor) -> Phasor {
      Phasor(a.real + b.real, a.imaginary + b.imaginary)
    }
    static func - (a: Phasor, b: Phasor) -> Phasor {
      Phasor(a.real - b.real, a.imaginary - b.imaginary)
    }
    static func * (a: Phasor, b: Phasor) -> Phasor {
      Phasor(
        a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
    }
    static func / (a: Phasor, b: Phasor) -> Phasor {
      let size = b.real * b.real + b.imaginary * b.imaginary
      return a * Phasor(b.real / size, -b.imaginary / size)
    }
  }

  static let dividers: [(series: Double, shunt: Double)] = [
    (27e3, 68e3), (56e3, 150e3), (39e3, 150e3), (33e3, 180e3), (18e3, 180e3), (12e3, 180e3),
  ]

  /// From the input to a tap, counted from 0, with the series resistor in the line's return.
  static func response(tap: Int, frequency: Double, resistance: Double) -> Phasor {
    let omega = 2 * Double.pi * frequency
    // From the end: with a volt there, what the nodes before it have.
    var volts = [Phasor](repeating: Phasor(1), count: 19)
    var current = Phasor(1 / 15e3, omega * 1e-9)
    for node in stride(from: 17, through: 0, by: -1) {
      volts[node] = volts[node + 1] + Phasor(0, omega * 0.5) * current
      let divider = node < 6 ? 1 / (dividers[node].series + dividers[node].shunt) : 0
      current = current + Phasor(divider, node > 0 ? omega * 4e-9 : 0) * volts[node]
    }
    let across = Phasor(resistance) * current
    let divided =
      tap < 6
      ? Phasor(dividers[tap].shunt / (dividers[tap].series + dividers[tap].shunt)) * volts[tap]
      : volts[tap]
    return (across + divided) / (across + volts[0])
  }
}

@Suite("SCANNER in Csound", .serialized)
struct ScannerTests {
  static let taps = [
    [0, 1, 2, 3, 4, 5, 6, 7, 8], [0, 1, 2, 4, 6, 8, 10, 11, 12], [0, 1, 3, 6, 9, 12, 15, 17, 18],
  ]

  @Test("Each setting scans nine taps of the line")
  func nodes() {
    for setting in 0..<3 {
      #expect((0..<9).map { scannerNode($0, setting) } == Self.taps[setting])
    }
  }

  @Test(
    "Standing at a pole it is its circuit, in level and phase",
    arguments: zip(1...6, [48_000, 44_100, 96_000, 44_100, 96_000, 48_000]))
  func circuit(mode: Int, rate: Int) throws {
    let frequencies = [100, 250, 700, 1500, 2800, 4000.0]
    // One turn a second, stopped at a tap: 0, 3 and 8.
    for tap in [0, 3, 8] {
      let sines = frequencies.map { "poscil:a(0.1, \($0), -1)" }.joined(separator: " + ")
      let samples = try performNote(
        """
        asignal = \(sines)
        kcycle timeinstk
        aout SCANNER asignal, \(mode), (kcycle <= \(tap * 10) ? sr / 160 / ksmps : 0)
        """, heard: "aout, asignal", note: "0.4", sampleRate: rate, ksmps: 100)
      for frequency in frequencies {
        let later = samples.channels.map {
          Partial(of: frequency, in: $0.suffix(rate / 5), sampleRate: Double(rate))
        }
        let expected = LineCircuit.response(
          tap: Self.taps[(mode - 1) % 3][tap], frequency: frequency,
          resistance: mode > 3 ? 22e3 : 0)
        // The error beside the signal; above 2 kHz a step of the computation counts more.
        let gain = later[0].amplitude / later[1].amplitude
        let turn = 2 * Double.pi * (later[0].phase - later[1].phase)
        let error = hypot(
          gain * cos(turn) - expected.real, gain * sin(turn) - expected.imaginary)
        let limit = frequency > 2000 ? 0.12 : 0.02
        #expect(error < limit, "\(frequency) Hz, tap \(tap): \(error) of \(expected.magnitude)")
      }
    }
  }

  /// How far the phase of a sine is moved, in cycles, every millisecond of a second.
  static func phases(mode: Int, frequency: Double, rate: String = "") throws -> [Double] {
    let samples = try performNote(
      """
      aout SCANNER poscil:a(0.5, \(frequency), -1), \(mode)\(rate)
      """, heard: "aout", note: "1.1")[0]
    var phases: [Double] = []
    for start in stride(from: 2_400, to: 50_400, by: 48) {
      let phase =
        Partial(of: frequency, in: samples[start..<(start + 480)]).phase - frequency * Double(start)
        / 48_000
      let last = phases.last ?? 0
      phases.append(phase - (phase - last).rounded())
    }
    return phases
  }

  @Test("The vibrato is 6.87 Hz or what is asked for")
  func rate() throws {
    for (argument, hertz) in [("", 6.87), (", -1", 6.87), (", 4", 4), (", 11.3", 11.3)] {
      let phases = try Self.phases(mode: 3, frequency: 500, rate: argument)
      let mean = phases.reduce(0, +) / Double(phases.count)
      let swings = phases.map { $0 - mean }
      func size(_ hertz: Double) -> Double {
        Partial(of: hertz, in: swings, sampleRate: 1000).amplitude
      }
      let best = stride(from: hertz - 1, to: hertz + 1, by: 0.01).max { size($0) < size($1) }!
      #expect(abs(best - hertz) < 0.03, "\(best) instead of \(hertz)")
    }
  }

  @Test("V1, V2 and V3 move the phase as far as the circuit's taps lie apart", arguments: 1...3)
  func depth(mode: Int) throws {
    let phases = try Self.phases(mode: mode, frequency: 400)
    let swing = (phases.max()! - phases.min()!) / 400
    func phase(_ tap: Int) -> Double {
      let response = LineCircuit.response(tap: tap, frequency: 400, resistance: 0)
      return atan2(response.imaginary, response.real) / (2 * Double.pi)
    }
    let nodes = Self.taps[mode - 1].map(phase)
    let expected = (nodes.max()! - nodes.min()!) / 400
    // What is seen through a window of 10 ms has lost its corners.
    #expect(0.95...1 ~= swing / expected, "\(swing) s instead of \(expected)")
  }

  @Test("0 is the signal as it is; other modes are rounded and clamped", arguments: [1, 64])
  func modes(ksmps: Int) throws {
    let performance = try performNote(
      """
      asignal rand 0.5, 0.3, 1
      kminus init -1
      a1 SCANNER asignal, 0
      a2 SCANNER asignal, -7
      a3 SCANNER asignal, log(kminus)
      a4 SCANNER asignal, 6
      a5 SCANNER asignal, 99
      a6 SCANNER asignal, 5.7, 6.87
      a7 SCANNER asignal, 6, log(kminus)
      """, heard: "asignal, a1, a2, a3, a4, a5, a6, a7", note: "0.1", ksmps: ksmps)
    for channel in 1...3 {
      let isSame = performance[channel] == performance[0]
      #expect(isSame)
    }
    for channel in 5...7 {
      let isSame = performance[channel] == performance[4]
      #expect(isSame)
    }
    #expect(performance[4] != performance[0] && performance[4].contains { abs($0) > 0.1 })
  }

  @Test(
    "A change of the mode does not click, and ends where a note of that mode is", arguments: 0...6)
  func switching(from first: Int) throws {
    let others = (0...6).filter { $0 != first }
    let score = others.enumerated().map { place, mode in "i1 \(0.3 * Double(place)) 0.3 \(mode)" }
    let performance = try perform(
      """
      instr 1
        ktime timeinsts
        asignal = poscil:a(0.2, 131, -1) + poscil:a(0.2, 165, -1) + poscil:a(0.2, 196, -1)
        aswitched SCANNER asignal, (ktime < 0.12 ? \(first) : p4)
        asteady SCANNER asignal, p4
        outch 1, aswitched, 2, asteady
      endin
      """, score: score.joined(separator: "\n"), ksmps: 32, channels: 2)
    let high = highPassed(performance[0], above: 2_000)
    for (place, mode) in others.enumerated() {
      let start = 0.3 * Double(place)
      let level = loudest(performance[0], from: start + 0.03, to: start + 0.11, window: 0.07)
      let click = loudest(high, from: start + 0.11, to: start + 0.17, window: 0.02)
      let decibels = 10 * log10(click / level)
      #expect(level > 0.01 && decibels < -70, "\(first) to \(mode): \(decibels) dB")
      let later = Int((start + 0.2) * 48_000)..<Int((start + 0.3) * 48_000)
      #expect(largestDifference(performance[0][later], performance[1][later]) < 1e-6)
    }
  }

  @Test("A change during a fade follows after it")
  func switchingAgain() throws {
    let performance = try performNote(
      """
      kcycle timeinstk
      asignal = poscil:a(0.2, 131, -1)
      aswitched SCANNER asignal, (kcycle < 150 ? 3 : kcycle < 155 ? 4 : 0)
      """, heard: "aswitched, asignal", note: "0.2", ksmps: 32)
    let high = highPassed(performance[0], above: 2_000)
    let click = loudest(high, from: 0.09, to: 0.16, window: 0.02)
    let level = loudest(performance[0], from: 0.02, to: 0.09, window: 0.04)
    #expect(level > 0.01 && 10 * log10(click / level) < -70)
    // Two fades of 20 ms.
    let isBetween = performance[0][4_810] != performance[1][4_810]
    let isSignal = performance[0][6_800...] == performance[1][6_800...]
    #expect(isBetween && isSignal)
  }
}
