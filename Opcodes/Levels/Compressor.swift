// aout COMPRESSOR ain, kthreshold, kratio, kattack, krelease [, iknee [, ilookahead [, itruepeak [, iskip]]]]
// aleft, aright COMPRESSOR ainleft, ainright, kthreshold, kratio, kattack, krelease [, iknee [, ilookahead [, itruepeak [, iskip]]]]
//
// A compressor and limiter with look-ahead: the output is late, so that the gain can fall before a peak comes. Above
// kthreshold the output's level rises by 1 dB when the input's rises by kratio dB. Two channels get one gain, that of the
// louder one.
//
//     reduction in dB = (1 / kratio - 1) f(level - kthreshold)
//     f(x) = 0 below -iknee / 2, x above iknee / 2, and (x + iknee / 2)² / (2 iknee) between them
//
// (D. Giannoulis, M. Massberg and J. D. Reiss, "Digital dynamic range compressor design: a tutorial and analysis", Journal
// of the Audio Engineering Society 60(6), 2012). The output is late by ilookahead. The gain follows the lowest reduction
// among the samples of that time: first with kattack or krelease, then through two moving means. So with a kattack of 0
// it has fallen when the peak comes, and a limiter's output never exceeds a constant kthreshold.
//
// Levels are those of samples. With itruepeak they are those of the sound between the samples, too: at seven points
// between two samples, from 16 samples and a windowed sinc (Kaiser's window, β = 5), as ITU-R BS.1770-5, annex 2, describes
// it for four points. A sine's peak is found within 0.06 dB up to 0.417 sr. What has more treble than music has, as clipped
// noise, exceeds the threshold between the samples by 2.4 dB. The output is then late by eight samples more.
//
// NaN and infinity become silence, and do no harm to other samples. Where nothing is to be reduced, the output is the input
// to the last bit, only late.
//
// Category: Signal Modifiers:Amplitude Modifiers

import OpcodeKit

@Opcode("COMPRESSOR.mono", "Compressor and limiter with look-ahead")
struct Compressor: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The compressed signal.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// The level in dB from which on the gain is reduced; 0 is full scale. NaN counts as 1000.
    let threshold: ControlInput
    /// By how many dB the input rises where the output rises by 1; at least 1. 0 means a limiter: the output does not
    /// rise. Other values below 1 count as 1.
    let ratio: ControlInput
    /// Time constant in seconds of a falling gain: after it 1/e of the way is left. 0 follows the look-ahead at once.
    let attack: ControlInput
    /// Time constant in seconds of a rising gain.
    let release: ControlInput
    /// Width of the knee in dB, 0 to 100: how gradually the reduction begins. Default 0.
    @Default(0) let knee: InitInput
    /// By how many seconds the output is late, 0 to 1. -1, the default, means 0.005.
    @Default(-1) let lookahead: InitInput
    /// Nonzero finds peaks between the samples, too. Default 0.
    @Default(0) let truePeak: InitInput
    /// Nonzero keeps the sound and the gain of the previous note in the same memory, and its settings. Default 0.
    @Default(0) let skip: InitInput
  }

  static var bufferCount: Int { 2 }

  private var lines: CompressorLines
  private var gain: CompressorGain

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let lookahead = try CompressorGain.lookahead(arguments.lookahead.value, context)
    lines = try CompressorLines(
      1, lookahead: lookahead, truePeak: arguments.truePeak.value != 0, context)
    gain = try CompressorGain(knee: arguments.knee.value, lookahead: lookahead, context)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    gain.tune(
      threshold: arguments.threshold.value, ratio: arguments.ratio.value,
      attack: arguments.attack.value, release: arguments.release.value, context)
    let frames = context.frames
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      let part = frame..<min(frame &+ Lanes.count, frames.upperBound)
      lines.write(arguments.input, part, channel: 0)
      gain.next(lines.block, part.count, fullScale: context.fullScale)
      lines.read(to: arguments.output, part, channel: 0)
      lines.advance(by: part.count)
      frame &+= Lanes.count
    }
  }
}

@Opcode("COMPRESSOR.stereo", "Compressor and limiter with look-ahead, stereo")
struct StereoCompressor: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The compressed signals, left and right.
    let left, right: AudioOutput
    /// The input signals, left and right.
    let inputLeft, inputRight: AudioInput
    /// The level in dB from which on the gain is reduced; 0 is full scale. NaN counts as 1000.
    let threshold: ControlInput
    /// By how many dB the input rises where the output rises by 1; at least 1. 0 means a limiter: the output does not
    /// rise. Other values below 1 count as 1.
    let ratio: ControlInput
    /// Time constant in seconds of a falling gain: after it 1/e of the way is left. 0 follows the look-ahead at once.
    let attack: ControlInput
    /// Time constant in seconds of a rising gain.
    let release: ControlInput
    /// Width of the knee in dB, 0 to 100: how gradually the reduction begins. Default 0.
    @Default(0) let knee: InitInput
    /// By how many seconds the output is late, 0 to 1. -1, the default, means 0.005.
    @Default(-1) let lookahead: InitInput
    /// Nonzero finds peaks between the samples, too. Default 0.
    @Default(0) let truePeak: InitInput
    /// Nonzero keeps the sound and the gain of the previous note in the same memory, and its settings. Default 0.
    @Default(0) let skip: InitInput
  }

  static var bufferCount: Int { 2 }

  private var lines: CompressorLines
  private var gain: CompressorGain

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let lookahead = try CompressorGain.lookahead(arguments.lookahead.value, context)
    lines = try CompressorLines(
      2, lookahead: lookahead, truePeak: arguments.truePeak.value != 0, context)
    gain = try CompressorGain(knee: arguments.knee.value, lookahead: lookahead, context)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    gain.tune(
      threshold: arguments.threshold.value, ratio: arguments.ratio.value,
      attack: arguments.attack.value, release: arguments.release.value, context)
    let frames = context.frames
    var frame = frames.lowerBound
    while frame < frames.upperBound {
      let part = frame..<min(frame &+ Lanes.count, frames.upperBound)
      lines.write(arguments.inputLeft, part, channel: 0)
      lines.write(arguments.inputRight, part, channel: 1)
      gain.next(lines.block, part.count, fullScale: context.fullScale)
      lines.read(to: arguments.left, part, channel: 0)
      lines.read(to: arguments.right, part, channel: 1)
      lines.advance(by: part.count)
      frame &+= Lanes.count
    }
  }
}
