import CommandKit
import Foundation
import HarnessBase
import Rendering

/// Figures of sound, of opcodes with an argument `iquality` and of the built-ins they replace.
package struct SoundTrial {
  /// What is measured.
  package enum Kind: String, Codable, CaseIterable {
    /// The power of a sine's harmonics beside that of everything else below 20 kHz, in dB.
    case distortion
    /// The loudest sine below 20 kHz that is not a harmonic, beside the fundamental, in dB.
    case oscillator
    /// The frequency of self-oscillation, or of the peak of a ringing filter, beside the cutoff, in cents.
    case tuning
    /// The gain at the cutoff beside Q, in dB.
    case gain

    /// The frequencies in Hz, of the signal or of the cutoff.
    package var frequencies: [Double] {
      switch self {
      case .distortion: [1000, 2000, 5000]
      case .oscillator: [400, 1000, 2000, 5000, 10_000]
      case .tuning: [55, 220, 880, 3520, 10_000]
      case .gain: [100, 1000, 5000, 12_000]
      }
    }
  }

  /// An opcode: how it is called, and the built-in.
  package struct Subject {
    package let opcode: String
    package let kind: Kind
    /// Lines of Csound's language that make `aout` of the signal `ain`; `$CPS` is the frequency, `$QUALITY` the quality.
    let call: String
    let rival: String?
    /// The amplitude of the sine, for `distortion`; Q for `gain`.
    let level: Double

    init(
      _ opcode: String, _ kind: Kind, _ call: String, _ rival: String?, level: Double = 5
    ) {
      (self.opcode, self.kind, self.call) = (opcode, kind, call)
      (self.rival, self.level) = (rival, level)
    }

    /// The opcode's name alone.
    package var name: String { String(opcode.prefix { $0 != "," }) }
  }

  /// A filter with a cutoff of 1 kHz: how it is called, and the built-in.
  package struct Response {
    package let name: String
    /// Lines of Csound's language that make `aout` of the signal `ain`; `$QUALITY` is the quality.
    let call: String
    let rival: String?

    init(_ name: String, _ call: String, _ rival: String?) {
      (self.name, self.call, self.rival) = (name, call, rival)
    }
  }

  /// A subject's figures at a quality; the built-in's where `quality` is nil.
  package struct Row: Codable, Equatable {
    package var opcode: String
    package var kind: Kind
    package var quality: Int?
    /// One for each of the kind's frequencies; nil where there is no sound, or NaN.
    package var figures: [Double?]
  }

  static let sampleRate = 48_000.0
  /// Frames of a spectrum; as many come before them.
  private static let length = 1 << 15

  /// The plugin with the opcodes.
  let plugin: String
  private let renderer = Renderer(registering: { _ in })

  /// The calls of a subject: the built-in, then each quality.
  private func calls(of subject: Subject) -> [(quality: Int?, call: String)] {
    Self.calls(subject.call, subject.rival)
  }

  private static func calls(_ call: String, _ rival: String?) -> [(quality: Int?, call: String)] {
    let qualities = [0, 1, 2].map {
      (quality: Int?.some($0), call: call.replacing("$QUALITY", with: "\($0)"))
    }
    return (rival.map { [(quality: nil, call: $0)] } ?? []) + qualities
  }

  /// The spectra of a distortion or an oscillator, one for each call; 0 dB is the loudest part.
  package func spectra(
    of subject: Subject, at frequency: Double
  ) throws(Failure) -> [Curve] {
    let bin = Self.bin(near: frequency)
    let input = subject.kind == .distortion ? "ain poscil \(subject.level), $CPS" : "ain = 0"
    return try calls(of: subject).map { quality, call throws(Failure) in
      let powers = try steadyPowers(call, bin, input, .hann)
      return Curve(
        Self.name(quality), powers: powers, sampleRate: Self.sampleRate,
        full: max(powers.max() ?? 0, 1e-30) * 1.5, .greatest)
    }
  }

  /// Where a filter oscillates, in cents above its cutoff, one curve for each call.
  package func tuning(of subject: Subject) throws(Failure) -> [Curve] {
    let frequencies = (0..<12).map { 55 * pow(2, Double($0) * 0.6875) }
    return try calls(of: subject).map { quality, call throws(Failure) in
      let cents = try frequencies.map { frequency throws(Failure) in
        try figure(of: call, subject, frequency)
      }
      return Curve(Self.name(quality), x: frequencies, y: cents)
    }
  }

  /// The first 6 ms of the answer to a step of 0.1, divided by it, over milliseconds, one curve for each call.
  package func steps(of response: Response) throws(Failure) -> [Curve] {
    try Self.calls(response.call, response.rival).map { quality, call throws(Failure) in
      let samples = try play("ain init 0.1\n\(call)", seconds: 0.006)
      return Curve(
        Self.name(quality), x: samples.indices.map { 1000 * Double($0) / Self.sampleRate },
        y: samples.map { $0 / 0.1 })
    }
  }

  /// How the answer to a pulse of 0.1 decays: the level of each 5 ms of the first 0.15 s in dB below the first, over
  /// seconds, one curve for each call.
  package func decays(of response: Response) throws(Failure) -> [Curve] {
    let length = Int(0.005 * Self.sampleRate)
    return try Self.calls(response.call, response.rival).map { quality, call throws(Failure) in
      let samples = try play("ain mpulse 0.1, 0\n\(call)", seconds: 0.15)
      let powers = stride(from: 0, to: samples.count - length + 1, by: length).map { start in
        samples[start..<start + length].reduce(0) { $0 + $1 * $1 }
      }
      let first = max(powers.first ?? 0, 1e-300)
      return Curve(
        Self.name(quality), x: powers.indices.map { (Double($0) + 0.5) * 0.005 },
        y: powers.map { 10 * log10(max($0 / first, 1e-30)) })
    }
  }

  private static func name(_ quality: Int?) -> String {
    quality.map { "iquality \($0)" } ?? "Csound's opcode"
  }

  /// The rows of a subject: the built-in, then each quality.
  package func rows(of subject: Subject) throws(Failure) -> [Row] {
    try calls(of: subject).map { quality, call throws(Failure) in
      let figures = try subject.kind.frequencies.map { frequency throws(Failure) -> Double? in
        let figure = try figure(of: call, subject, frequency)
        return figure.isFinite ? figure : nil
      }
      return Row(opcode: subject.opcode, kind: subject.kind, quality: quality, figures: figures)
    }
  }

  private func figure(
    of call: String, _ subject: Subject, _ frequency: Double
  ) throws(Failure) -> Double {
    switch subject.kind {
    case .distortion:
      let bin = Self.bin(near: frequency)
      let powers = try steadyPowers(call, bin, "ain poscil \(subject.level), $CPS")
      let (harmonics, rest) = Self.parts(of: powers, bin)
      return 10 * log10(harmonics.reduce(0, +) / max(rest.reduce(0, +), 1e-30))
    case .oscillator:
      let bin = Self.bin(near: frequency)
      let powers = try steadyPowers(call, bin, "ain = 0")
      let rest = Self.parts(of: powers, bin).rest
      return 10 * log10(max(rest.max() ?? 0, 1e-30) / powers[bin])
    case .tuning:
      // Long enough for an oscillation at 55 Hz to settle.
      let samples = try play(call, frequency, "ain mpulse 0.5, 0", seconds: 12)
      return 1200 * log2(try Self.peak(of: samples) / frequency)
    case .gain:
      let bin = Self.bin(near: frequency)
      let powers = try steadyPowers(call, bin, "ain poscil 0.001, $CPS", .rectangular)
      let amplitude = 2 * powers[bin].squareRoot() / Double(Self.length)
      return 20 * log10(amplitude / 0.001 / subject.level)
    }
  }

  /// A prime number of whole cycles in the spectrum, so that aliases do not fall on harmonics.
  private static func bin(near frequency: Double) -> Int {
    let wanted = Int((frequency / sampleRate * Double(length)).rounded())
    func isPrime(_ number: Int) -> Bool {
      !(2...max(2, Int(Double(number).squareRoot()))).contains { number.isMultiple(of: $0) }
    }
    return (wanted...).first(where: isPrime)!
  }

  /// The powers of harmonics and of everything else, both from above 0 to 20 kHz.
  private static func parts(
    of powers: [Double], _ bin: Int
  ) -> (harmonics: [Double], rest: [Double]) {
    let heard = 1..<Int(20_000 / sampleRate * Double(length))
    return (
      heard.filter { $0.isMultiple(of: bin) }.map { powers[$0] },
      heard.filter { !$0.isMultiple(of: bin) }.map { powers[$0] }
    )
  }

  private func steadyPowers(
    _ call: String, _ bin: Int, _ input: String, _ window: PowerSpectrum.Window = .rectangular
  ) throws(Failure) -> [Double] {
    let frequency = Double(bin) * Self.sampleRate / Double(Self.length)
    let samples = try play(
      call, frequency, input, seconds: Double(2 * Self.length) / Self.sampleRate)
    var spectrum = try PowerSpectrum(length: Self.length, window)
    return spectrum.powers(samples, from: Self.length)
  }

  /// The frequency of the loudest sine, from the logarithms of the three highest bins.
  private static func peak(of samples: [Double]) throws(Failure) -> Double {
    let length = 1 << 17
    var spectrum = try PowerSpectrum(length: length, .hann)
    let powers = spectrum.powers(samples, from: samples.count - length)
    guard let top = powers.indices.dropFirst(2).dropLast(2).max(by: { powers[$0] < powers[$1] }),
      powers[top] > 1e-200
    else { return .nan }
    let (a, b, c) = (log(powers[top - 1]), log(powers[top]), log(powers[top + 1]))
    return (Double(top) + 0.5 * (a - c) / (a - 2 * b + c)) * sampleRate / Double(length)
  }

  private func play(
    _ call: String, _ frequency: Double, _ input: String, seconds: Double
  ) throws(Failure) -> [Double] {
    try play("\(input)\n\(call)".replacing("$CPS", with: "\(frequency)"), seconds: seconds)
  }

  /// Plays the body of an instrument, which makes `aout`. `header` goes before the instrument.
  func play(
    _ body: String, seconds: Double, header: String = ""
  ) throws(Failure) -> [Double] {
    let directory = try ScratchDirectory("sound")
    defer { directory.remove() }
    let path = directory.path + "/sound.csd"
    let text = """
      <CsoundSynthesizer>
      <CsInstruments>
      sr = \(Int(Self.sampleRate))
      ksmps = 64
      nchnls = 1
      0dbfs = 1
      \(header)
      instr 1
      \(body)
      out aout
      endin
      </CsInstruments>
      <CsScore>
      i 1 0 \(seconds + 0.01)
      </CsScore>
      </CsoundSynthesizer>
      """
    try writing(path) { try text.write(toFile: path, atomically: true, encoding: .utf8) }
    return try renderer.render(Orchestra(path: path, plugin: plugin), duration: seconds).samples
  }
}
