// aout EQ ain, xfrequency, xgain, xq [, ikind [, iquality]]
// aout EQ ain, kfrequencies[], kgains[], kqs[], kkinds[] [, iquality]
//
// An equalizer: one band, or up to sixteen in a row. The kinds, with the gain in dB and s = j f / frequency:
//
//     0 peak          (s² + A s / q + 1) / (s² + s / (A q) + 1)
//     1 low shelf     A (s² + √A s / q + A) / (A s² + √A s / q + 1)
//     2 high shelf    A (A s² + √A s / q + 1) / (s² + √A s / q + A)
//     3 low cut       s² / (s² + s / q + 1)
//     4 high cut      1 / (s² + s / q + 1)
//     5 bandpass      (s / q) / (s² + s / q + 1)
//     6 notch         (s² + 1) / (s² + s / q + 1)
//     7 allpass       (s² - s / q + 1) / (s² + s / q + 1)
//
// with A = 10^(gain / 40), as in R. Bristow-Johnson's "Audio EQ Cookbook" (W3C note, 2021).
//
// With iquality 0 these go through the bilinear transform, as in Csound's `pareq`: a band close to sr/2 is narrower than
// asked. With 1 or 2 the level follows them up to 0.45 sr, within 0.1 dB, shelves at corners above 0.4 sr
// within 0.2 dB; it takes two sections a band and no delay. The allpass is the same in each.
//
// Controls move in straight lines of at least 16 frames, at k-rate of a k-cycle: no steps at any ksmps. Those at audio
// rate are read every 16 frames. While nothing moves, four frames are computed at once.
//
// Category: Signal Modifiers:Standard Filters:Resonant

import OpcodeKit

@Opcode("EQ", "Equalizer band with the exact shape up to half the sampling rate")
struct ParametricBand: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Centre or corner in Hz; limited to 1e-5 sr … 0.499 sr, NaN counts as the first.
    let frequency: AnyRateInput
    /// Gain of a peak or a shelf in dB; limited to -24 … 24, NaN counts as 0.
    let gain: AnyRateInput
    /// Q: frequency over bandwidth; 0.7071 for cuts and shelves without resonance. Limited to 0.1 … 100, with shelves to
    /// 2 at most; NaN counts as 0.1.
    let q: AnyRateInput
    /// Kind, a whole number from 0 to 7, as above. Anything else is an init error. Default 0.
    @Default(0) let kind: InitInput
    /// 0: bilinear. 1 or 2: the exact shape up to 0.45 sr. Default 0.
    @Default(0) let quality: InitInput
  }

  static var bufferCount: Int { 2 }

  private var bank: BandBank
  private let kind: BandKind
  private let isAudioRate: Bool

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let number = arguments.kind.value
    guard let kind = BandKind(number) else {
      throw OpcodeError(argument: "ikind", is: number, mustBe: "a whole number from 0 to 7")
    }
    self.kind = kind
    isAudioRate =
      arguments.frequency.signal(context).isAudioRate || arguments.gain.signal(context).isAudioRate
      || arguments.q.signal(context).isAudioRate
    bank = try BandBank(count: 1, quality: arguments.quality.value, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (frequency, gain, q) = (arguments.frequency, arguments.gain, arguments.q)
    let now = BandBank.Controls(
      kind: kind, frequency: frequency.first, gain: gain.first, q: q.first)
    if !isAudioRate, bank.isStill(0, now) {
      bank.hold(0, arguments.input, arguments.output, context.frames)
    } else {
      change(arguments, context)
    }
  }

  @inline(never)
  private mutating func change(_ arguments: Arguments, _ context: Context) {
    let kind = kind
    let frequency = arguments.frequency.signal(context)
    let (gain, q) = (arguments.gain.signal(context), arguments.q.signal(context))
    bank.perform(
      arguments.input, arguments.output, context.frames, count: 1, isAudioRate: isAudioRate
    ) { bank, _, frame, frames in
      bank.aim(
        0, .init(kind: kind, frequency: frequency[frame], gain: gain[frame], q: q[frame]),
        in: frames)
    }
  }
}

@Opcode("EQ.array", "Equalizer of up to sixteen bands")
struct ParametricBands: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    /// Centre or corner of each band in Hz, up to sixteen of them. The length is read in each k-cycle, the shortest of the
    /// four arrays; without elements the input goes through.
    let frequencies: ArrayInput<ControlInput>
    /// Gain of each band in dB.
    let gains: ArrayInput<ControlInput>
    /// Q of each band.
    let qs: ArrayInput<ControlInput>
    /// Kind of each band; anything but a whole number from 0 to 7 counts as 0.
    let kinds: ArrayInput<ControlInput>
    @Default(0) let quality: InitInput
  }

  static var bufferCount: Int { 2 }

  private var bank: BandBank

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    bank = try BandBank(count: 16, quality: arguments.quality.value, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    let (frequencies, gains) = (arguments.frequencies, arguments.gains)
    let (qs, kinds) = (arguments.qs, arguments.kinds)
    let count = min(min(frequencies.count, gains.count), min(qs.count, kinds.count))
    bank.perform(
      arguments.input, arguments.output, context.frames, count: count, isAudioRate: false
    ) { bank, band, _, frames in
      bank.aim(
        band,
        .init(
          kind: BandKind(kinds[band].value) ?? .peak, frequency: frequencies[band].value,
          gain: gains[band].value, q: qs[band].value), in: frames)
    }
  }
}

extension BandKind {
  /// The kind with a number; nil if there is none.
  init?(_ number: Double) {
    self.init(rawValue: number == Math.nearestWhole(number) ? Math.whole(number, in: -1...8) : -1)
  }
}

/// Bands in a row.
private struct BandBank: BitwiseCopyable {
  struct Controls: BitwiseCopyable, Equatable {
    var kind = BandKind.peak
    var frequency = Double.nan, gain = 0.0, q = 0.0
  }

  struct Band: BitwiseCopyable {
    var controls = Controls()
    var isMoving = false
    var first = BandSection(), second = BandSection()
  }

  private let bands: Buffer<Band>
  private let design: Buffer<EqualizerDesign>
  private let isExact: Bool
  private let samplePeriod: Double
  private let ksmps: Int
  /// Bands in the last k-cycle, and the frames that are left of the line that they follow.
  private var (known, left) = (0, 0)

  init(count: Int, quality: Double, _ context: Context) throws(OpcodeError) {
    isExact = try Quality(quality) != .original
    samplePeriod = 1 / context.sampleRate
    ksmps = context.ksmps
    bands = try context.buffer(count: count)
    for band in 0..<bands.count { bands[band] = Band() }
    design = try context.buffer(count: 1)
    if isExact { design[0] = EqualizerDesign() }
  }

  /// Filters frames. `aim` is called for each band at the beginning of a line, with the frame at which it ends.
  @inline(__always)
  mutating func perform(
    _ input: AudioInput, _ output: AudioOutput, _ frames: Range<Int>, count: Int,
    isAudioRate: Bool, aim: (BandBank, Int, Int, Int) -> Void
  ) {
    let count = min(count, bands.count)
    if count > known { left = 0 }
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      if left == 0 {
        let line = isAudioRate ? 16 : max(16, ksmps)
        let last = min(frame &+ line, frames.upperBound) &- 1
        var isMoving = false
        for band in 0..<count {
          aim(self, band, last, band < known ? line : 0)
          isMoving = isMoving || bands[band].isMoving
        }
        known = count
        left = isMoving ? line : last &+ 1 &- frame
      }
      let end = min(frame &+ left, frames.upperBound)
      left &-= end &- frame
      if count == 0 { for frame in frame..<end { output[frame] = input[frame] } }
      for band in 0..<count {
        let source = band == 0 ? input : output.written
        if bands[band].isMoving {
          bands[band].first.move(source, output, frame..<end)
          if isExact { bands[band].second.move(output.written, output, frame..<end) }
        } else {
          hold(band, source, output, frame..<end)
        }
        if left == 0, bands[band].isMoving { bands[band].arrive(isExact: isExact) }
      }
      frame = end
    }
  }

  /// Whether a band stays where it is with these controls.
  @inline(__always)
  func isStill(_ index: Int, _ controls: Controls) -> Bool {
    left == 0 && index < known && bands[index].controls == controls
  }

  /// Filters frames with a band that stays.
  @inline(__always)
  func hold(_ index: Int, _ input: AudioInput, _ output: AudioOutput, _ frames: Range<Int>) {
    bands[index].first.hold(input, output, frames)
    if isExact { bands[index].second.hold(output.written, output, frames) }
  }

  /// Takes the controls of a band: begins a line of a number of frames to them, or jumps with 0.
  @inline(__always)
  func aim(_ index: Int, _ controls: Controls, in frames: Int) {
    if bands[index].controls != controls { tune(index, controls, in: frames) }
  }

  @inline(never)
  private func tune(_ index: Int, _ controls: Controls, in frames: Int) {
    bands[index].controls = controls
    let isShelf = controls.kind == .lowShelf || controls.kind == .highShelf
    let gain = controls.gain > -24 ? min(controls.gain, 24) : controls.gain <= -24 ? -24 : 0
    let q = controls.q > 0.1 ? min(controls.q, isShelf ? 2 : 100) : 0.1
    let cycles = controls.frequency * samplePeriod
    let frequency = cycles > 1e-5 ? min(cycles, 0.499) : 1e-5
    let prototype = controls.kind.prototype(gain: gain, q: q)
    if isExact && controls.kind != .allpass {
      let (first, second) = design[0].exact(prototype, controls.kind, frequency)
      bands[index].go(to: .init(first), .init(second), in: frames)
    } else {
      bands[index].go(
        to: .init(EqualizerDesign.bilinear(prototype, frequency)), .init(), in: frames)
    }
  }
}

extension BandBank.Band {
  mutating func go(to one: BandSection.Numbers, _ other: BandSection.Numbers, in frames: Int) {
    isMoving = frames > 0
    if isMoving {
      first.go(to: one, in: Double(frames))
      second.go(to: other, in: Double(frames))
    } else {
      first.jump(to: one)
      second.jump(to: other)
    }
  }

  mutating func arrive(isExact: Bool) {
    isMoving = false
    first.arrive()
    if isExact { second.arrive() }
  }
}
