import Foundation
import HarnessBase
import Rendering

/// A few seconds that make a difference of quality audible.
package struct SoundDemo: Sendable {
  /// What is played, and what to listen for.
  package let title, advice: String
  /// The name of its files, without what follows.
  package let file: String
  /// Lines of Csound's language that make `aout`; `$CALL` is one of the calls.
  let body: String
  /// A call of Csound's opcode, and one of the pack's.
  let original, better: String
  /// What the two files are.
  package let names: (original: String, better: String)

  /// A sine that rises, driven into a curve or a filter.
  private static let rising = """
    kcps expseg 200, 4, 8000
    ain poscil 5, kcps
    $CALL
    aout *= 0.25
    """

  /// A scale that a filter rings by itself, with a soft sine on the right pitch.
  private static let scale = """
    knote = int(4 * timeinsts())
    kcps = 220 * 2 ^ (table:k(knote % 8, giscale) / 12)
    ain mpulse 0.9, 0
    $CALL
    asine poscil 0.15, kcps
    aout = 3 * aout + asine
    """

  /// A drum and a bass, limited to a tenth of full scale and made ten times as loud.
  private static let drums = """
    adrum phasor 2
    abass vco2 0.1, 55
    ain = 0.8 * sin(40 * (1 - exp(-20 * adrum)) + 60 * adrum) * exp(-8 * adrum) + abass
    $CALL
    aout *= 9
    """

  package static let all = [
    SoundDemo(
      title: "A rising sine, saturated",
      advice: "Tones that fall while the sine rises are aliases.", file: "saturated",
      body: rising, original: "aout tanh ain", better: "aout SATURATE ain, 2",
      names: ("`tanh`", "SATURATE, iquality 2")),
    SoundDemo(
      title: "A rising sine, clipped",
      advice: "Hard clipping has the strongest harmonics, and the most aliases.", file: "clipped",
      body: rising, original: "aout clip ain, 0, 0.9", better: "aout CLIP ain, 0, 0.9, 0.5, 2",
      names: ("`clip`", "CLIP, iquality 2")),
    SoundDemo(
      title: "A rising sine, driven into a diode ladder",
      advice: "The aliases go through the filter and are heard below it.", file: "diode",
      body: rising, original: "aout diode_ladder ain, 6000, 8, 2, 1",
      better: "aout DIODELADDER ain, 6000, 8, 2, 1, 0, 2",
      names: ("`diode_ladder`", "DIODELADDER, iquality 2")),
    SoundDemo(
      title: "A scale that a filter rings",
      advice:
        "A soft sine plays the right pitch; a filter out of tune beats with it or plays another.",
      file: "scale", body: scale, original: "aout lpf18 ain, kcps, 1.2, 0",
      better: "aout LPF18 ain, kcps, 1.2, 0, 0, 2", names: ("`lpf18`", "LPF18, iquality 2")),
    SoundDemo(
      title: "A drum and a bass, limited",
      advice:
        "A limiter that comes late lets the drum's attack through, and the rest is as soft as before.",
      file: "limited", body: drums,
      original: "aout compress2 ain, ain, -120, -20, -20, 100, 0.001, 0.1, 0.005",
      better: "aout COMPRESSOR ain, -20, 0, 0, 0.1, 0, 0.005, 1",
      names: ("`compress2`", "COMPRESSOR")),
    SoundDemo(
      title: "A rising rectangle",
      advice: "Below the tone is what an oscillator without antialiasing adds.", file: "rectangle",
      body: "kcps expseg 200, 4, 8000\n$CALL\naout *= 0.3",
      original: "aout, a2 VCS3OSC kcps, 0.5, 2", better: "aout, a2 VCS3OSC kcps, 0.5, 2, 2",
      names: ("VCS3OSC, iquality 0", "VCS3OSC, iquality 2")),
  ]

  /// Writes both files into a directory; returns their names.
  package func write(
    to directory: String, with trial: SoundTrial
  ) throws(Failure) -> (original: String, better: String) {
    func write(_ call: String, _ suffix: String) throws(Failure) -> String {
      let samples = try trial.play(
        body.replacing("$CALL", with: call), seconds: 4,
        header: "giscale ftgen 0, 0, -8, -2, 0, 2, 4, 5, 7, 9, 11, 12")
      // FLAC has no numbers beyond full scale.
      let peak = max(1, samples.map(abs).max() ?? 1)
      let name = "\(file)-\(suffix).flac"
      try Sound(
        sampleRate: SoundTrial.sampleRate, channelCount: 1, samples: samples.map { $0 / peak }
      ).write(to: "\(directory)/\(name)", as: .flac24)
      return name
    }
    return (try write(original, "original"), try write(better, "better"))
  }
}
