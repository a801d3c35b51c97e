import Linting

extension Check {
  /// Ordinary use: it must give no error and only finite numbers.
  static let render = [
    Check("render-silence", "Silence is rendered to finite numbers.", plays(Scene(.silence))),
    Check("render-impulse", "An impulse is rendered to finite numbers.", plays(Scene(.impulse))),
    Check("render-noise", "White noise is rendered to finite numbers.", plays(Scene(.noise))),
    Check(
      "render-full-scale", "A full-scale sine is rendered to finite numbers.",
      plays(Scene(.fullScale))),
    Check("render-constant", "A constant is rendered to finite numbers.", plays(Scene(.constant))),
    Check("render-ksmps-1", "It works at ksmps 1.", plays(Scene().with { $0.ksmps = 1 })),
    Check(
      "render-ksmps-odd", "It works at ksmps 7 and 37.",
      plays(Scene().with { $0.ksmps = 7 }, Scene().with { $0.ksmps = 37 })),
    Check(
      "render-ksmps-large", "It works at ksmps 1024.",
      plays(Scene(duration: 0.2).with { $0.ksmps = 1024 })),
    Check(
      "render-sr-low", "It works at a sample rate of 8 kHz.",
      plays(Scene().with { $0.sampleRate = 8_000 })),
    Check(
      "render-sr-high", "It works at a sample rate of 192 kHz.",
      plays(Scene().with { $0.sampleRate = 192_000 })),
    Check(
      "render-sr-fractional", "It works at a sample rate that is not a whole number.",
      plays(Scene().with { $0.sampleRate = 44_100.5 })),
    Check(
      "render-0dbfs-32768", "It works where full scale is 32768.",
      plays(Scene().with { $0.fullScale = 32_768 })),
    Check("render-long", "It goes on for ten seconds.", level: 3, plays(Scene(duration: 10))),
  ]

  private static func plays(
    _ scenes: Scene...
  ) -> @Sendable (Examination) throws(Outcome) -> Void {
    { examination throws(Outcome) in
      for scene in scenes { _ = try examination.playCleanly(scene) }
    }
  }
}
