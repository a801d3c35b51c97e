import CommandKit
import CsoundHost
import Foundation
import HarnessBase
import Linting
import Rendering

/// A measurement of an opcode, for a picture of it.
public enum PortraitJob: Job {
  /// The outputs of one call.
  case call(CallJob)
  /// The sound of an orchestra.
  case sound(Orchestra)
  /// The difference between a subject and its rival.
  case contrast(subject: Orchestra, rival: Orchestra)

  public func perform(in worker: WorkerContext) throws(Failure) -> Portrait {
    try PortraitPainter(renderer: worker.renderer).portray(self)
  }
}

/// One call of an opcode with constant arguments.
public struct CallJob: Codable, Sendable {
  /// The signal in its audio inputs.
  enum Stimulus: String, Codable {
    /// The opcode takes no signal.
    case none
    case impulse
    /// A sine of full scale at 997 Hz.
    case sine
  }

  var plan: CallPlan
  var stimulus: Stimulus
  var plugin: String?
  /// The names of its outputs.
  var outputNames: [String]
}

/// The results of a measurement, as curves.
public struct Portrait: Codable, Equatable, Sendable {
  /// Waveforms over seconds, full scale at 1; a response is divided by the height of the impulse.
  public var waveform: [Curve] = []
  /// Levels in dB over frequency in Hz.
  public var spectrum: [Curve] = []
  /// The null depth of a subject and its rival, in dB; −∞: identical; nil: not compared.
  public var nullDepth: Double?
}

/// Measures portraits. Used in a worker process.
struct PortraitPainter {
  let renderer: Renderer

  /// How many frames of a response or of a sound are transformed: 2.7 s at 48 kHz.
  static let length = 1 << 17
  /// Seconds of waveform that are shown of a generator, and of the output for a sine.
  static let glimpse = (generated: 0.05, sine: 0.01)
  /// Seconds of the sine before the part that is shown, in which delay lines fill.
  static let lead = 0.5
  /// Frames of a comparison's spectra.
  static let shortLength = 1 << 12

  func portray(_ job: PortraitJob) throws(Failure) -> Portrait {
    switch job {
    case .call(let job): try portray(job)
    case .sound(let orchestra): try portray(orchestra)
    case .contrast(let subject, let rival): try portray(subject, against: rival)
    }
  }

  private func portray(_ job: CallJob) throws(Failure) -> Portrait {
    let signal: Scene.Signal =
      switch job.stimulus {
      case .none: .silence
      case .impulse: .quietImpulse
      case .sine: .fullScale
      }
    let scene = Scene(signal, duration: 3)
    let path = NSTemporaryDirectory() + "/opcodekit-portrait-\(UUID().uuidString).csd"
    defer { unlink(path) }
    try writing(path) {
      try scene.text(job.plan, command: "csound").write(
        toFile: path, atomically: true, encoding: .utf8)
    }
    let isResponse = job.stimulus == .impulse
    let seconds =
      job.stimulus == .sine
      ? Self.lead + Self.glimpse.sine : Double(Self.length) / scene.sampleRate
    let sound = try renderer.render(Orchestra(path: path, plugin: job.plugin), duration: seconds)
    let heard = job.plan.outputs.filter { !$0.isArray && [.a, .f, .k].contains($0.rate) }
    var portrait = Portrait()
    var spectrum = try PowerSpectrum(length: Self.length, isResponse ? .rectangular : .hann)
    FloatMode.current = .precise
    let channels = heard.indices.filter { heard[$0].rate == .a }
    let scale = isResponse ? 1 / Scene.quietLevel : 1
    let signals = channels.map { sound.channel($0).map { $0 * scale } }
    guard signals.joined().allSatisfy(\.isFinite) else {
      throw .badInput("\(job.plan.opcode) puts out NaN or infinity.")
    }
    let frames =
      isResponse ? Self.settling(signals) : Int(Self.glimpse.generated * sound.sampleRate)
    for (channel, samples) in zip(channels, signals) {
      let shown =
        job.stimulus == .sine
        ? samples.suffix(Int(Self.glimpse.sine * sound.sampleRate)) : samples.prefix(frames)
      let name =
        channel < job.outputNames.count ? job.outputNames[channel] : "output \(channel + 1)"
      portrait.waveform.append(
        Curve(name, waveform: Array(shown), sampleRate: sound.sampleRate))
      guard job.stimulus != .sine else { continue }
      portrait.spectrum.append(
        Curve(
          name, powers: spectrum.powers(samples), sampleRate: sound.sampleRate,
          full: isResponse ? 1 : spectrum.fullScale, isResponse ? .mean : .greatest))
    }
    return portrait
  }

  /// How many frames contain all but a thousandth of the energy, and a tenth more; at least 48.
  private static func settling(_ signals: [[Double]]) -> Int {
    let frames = signals.map { samples in
      var left = 0.001 * samples.reduce(0) { $0 + $1 * $1 }
      return samples.lastIndex { sample in
        left -= sample * sample
        return left < 0
      } ?? 0
    }
    return max(48, Int(1.1 * Double(frames.max() ?? 0)))
  }

  private func portray(_ orchestra: Orchestra) throws(Failure) -> Portrait {
    let sound = try renderer.render(orchestra)
    FloatMode.current = .precise
    return Portrait(
      waveform: (0..<min(2, sound.channelCount)).map { channel in
        Curve(
          sound.channelCount == 1 ? "output" : "channel \(channel + 1)",
          waveform: sound.channel(channel), sampleRate: sound.sampleRate)
      })
  }

  private func portray(
    _ subject: Orchestra, against rival: Orchestra
  ) throws(Failure) -> Portrait {
    let sounds = (subject: try renderer.render(subject), rival: try renderer.render(rival))
    FloatMode.current = .precise
    let comparison = Comparison(subject: sounds.subject, rival: sounds.rival, tolerance: 0)
    guard comparison.nullDepth < .infinity else {
      throw .badInput("The two sounds have nothing in common that could be compared.")
    }
    let (one, other) = (sounds.subject.channel(0), sounds.rival.channel(0))
    let difference = zip(one, other).map { $0 - $1 }
    var spectrum = try PowerSpectrum(length: Self.shortLength, .hann)
    let named = [
      (subject.opcode ?? "subject", one), (rival.opcode ?? "rival", other),
      ("difference", difference),
    ]
    return Portrait(
      spectrum: named.map { name, samples in
        Curve(
          name, powers: spectrum.mean(samples), sampleRate: sounds.subject.sampleRate,
          full: spectrum.fullScale, .mean)
      }, nullDepth: comparison.nullDepth)
  }
}
