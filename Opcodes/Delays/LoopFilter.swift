// aout COMB ain, xtime, iloop [, iskip [, isamples]]
//
// A comb filter: a delay line whose output is fed back.
//
//     y[n] = v[n-L]        v[n] = x[n] + c v[n-L]        c = ±0.001^(L / (sr |xtime|))
//
// An echo decays by 60 dB in |xtime| seconds, and the peaks of the response are 1 / iloop Hz apart (M. R. Schroeder,
// "Natural sounding artificial reverberation", Journal of the Audio Engineering Society 10(3), 1962). Eight frames are
// computed at once. The same as Csound's `comb`, except that
// - xtime can be a-rate, and each frame then has its own c;
// - with isamples the decay time is xtime, too. `comb` takes the number of samples for seconds, and decays at once;
// - a negative xtime gives a negative c: the peaks lie half way between those of the positive one. `comb` grows without
//   bound;
// - NaN in the signal clears the line, and what has been below -600 dB for a whole loop becomes 0.
//
// Category: Signal Modifiers:Reverberation

// aout ALPASS ain, xtime, iloop [, iskip [, isamples]]
//
// An allpass: a comb filter with a path around it that makes the response flat.
//
//     v[n] = x[n] + c v[n-L]        y[n] = v[n-L] - c v[n]        c = ±0.001^(L / (sr |xtime|))
//
// An echo decays by 60 dB in |xtime| seconds (M. R. Schroeder, "Natural sounding artificial reverberation", Journal of
// the Audio Engineering Society 10(3), 1962). Eight frames are computed at once. The same as Csound's `alpass`, except
// that
// - an a-rate xtime gives each frame its own c; `alpass` takes the first frame of a k-cycle for all of it;
// - with isamples the decay time is xtime, too. `alpass` takes the number of samples for seconds, and decays at once;
// - a negative xtime gives a negative c; `alpass` grows without bound;
// - NaN in the signal clears the line, and what has been below -600 dB for a whole loop becomes 0.
//
// Category: Signal Modifiers:Reverberation

import OpcodeKit

@Opcode("COMB", "Comb filter, echoes that decay", CombLoop.self)
@Opcode("ALPASS", "Allpass with a delay line, echoes of flat colour", AllpassLoop.self)
struct LoopFilter<Kind: LoopKind, Time: Signal>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    /// The filtered signal.
    let output: AudioOutput
    /// The input signal.
    let input: AudioInput
    /// Time in seconds in which echoes decay by 60 dB; k-rate or a-rate. At infinity they stay; at 0 and for NaN there is
    /// one. The sign is that of c.
    let time: Time
    /// Length of the loop in seconds, rounded to whole frames: from half a frame to 4 GB of memory.
    let loop: InitInput
    /// Nonzero keeps the line of the previous note in the same memory if its loop is as long. Default 0.
    @Default(0) let skip: InitInput
    /// Nonzero: iloop is in frames. Default 0.
    @Default(0) let samples: InitInput
  }

  static var bufferCount: Int { 1 }

  private let line: Buffer<Double>
  private var place = 0
  private var rest: DelayRest
  /// ln 0.001, rounded as in Csound, times the loop in seconds.
  private let decay: Double
  /// c, and the time it was computed from.
  private var factor = 0.0
  private var lastTime = 0.0

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let frames = Self.frames(arguments, context)
    guard frames >= 1, frames < 0x1p29 else {
      throw OpcodeError(
        argument: "iloop", is: arguments.loop.value,
        mustBe: "at least half a sample, and at most 4 GB of them")
    }
    line = try context.buffer(count: Int(frames))
    rest = DelayRest(longest: Int(frames))
    let isSeconds = arguments.samples.value == 0
    decay =
      -6.9078 * (isSeconds ? arguments.loop.value : frames / context.sampleRate)
  }

  private static func frames(_ arguments: Arguments, _ context: Context) -> Double {
    let loop = arguments.loop.value
    return Math.nearestWhole(arguments.samples.value == 0 ? loop * context.sampleRate : loop)
  }

  static func resumes(_ arguments: Arguments) -> Bool { arguments.skip.value != 0 }

  /// Another length needs a new line; an impossible one leaves it as it is.
  mutating func resume(_ arguments: Arguments, _ context: Context) {
    guard Self.frames(arguments, context) != Double(line.count),
      let anew = try? Self(arguments, context)
    else { return }
    self = anew
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
    var (frame, end) = (context.frames.lowerBound, context.frames.upperBound)
    if !Time.isAudioRate, frame < end, arguments.time[frame] != lastTime {
      lastTime = arguments.time[frame]
      // A library's exponential of one number is faster than that of a vector.
      let size = Math.exp(decay / lastTime.magnitude)
      factor = size > 1e-16 ? (lastTime < 0 ? -size : size) : 0
    }
    let (line, factor) = (line, factor)
    var place = place
    var energy = 0.0
    while frame < end {
      // As far as the end of the ring.
      let stop = min(end, frame &+ (line.count &- place))
      if frame &+ 8 <= stop {
        energy += eights(arguments, frame, stop, place, factor)
        let more = (stop &- frame) & ~7
        (frame, place) = (frame &+ more, place &+ more)
      }
      while frame < stop {
        let c = Time.isAudioRate ? factors(Pair(arguments.time[frame])) : Pair(factor)
        let (output, stored) = Kind.passed(Pair(line[place]), Pair(arguments.input[frame]), c)
        line[place] = stored[0]
        arguments.output[frame] = output[0]
        energy += stored[0] * stored[0]
        place &+= 1
        frame &+= 1
      }
      if place == line.count { place = 0 }
    }
    self.place = place
    guard rest.clears(energy, after: context.frames.count) else { return }
    for index in 0..<line.count { line[index] = 0 }
  }

  /// Filters eight frames at a time, as far as that goes before `stop`; returns the energy of what is put into the line.
  @inline(__always) @_semantics("no_performance_analysis")
  private func eights(
    _ arguments: Arguments, _ start: Int, _ stop: Int, _ place: Int, _ factor: Double
  ) -> Double {
    let (line, constant, last) = (line, Lanes(factor), stop &- 8)
    var energies = Lanes(0)
    var (frame, place) = (start, place)
    while frame <= last {
      let c = Time.isAudioRate ? factors(arguments.time.lanes(at: frame)) : constant
      let (output, stored) = Kind.passed(
        line.lanes(at: place), arguments.input.lanes(at: frame), c)
      line.setLanes(stored, at: place)
      arguments.output.setLanes(output, at: frame)
      energies = energies + stored * stored
      place &+= 8
      frame &+= 8
    }
    return energies.sum
  }

  /// c for times in seconds. Below 1e-16 it is 0, so that nothing becomes subnormal; for NaN, too.
  @inline(__always) @_semantics("no_performance_analysis")
  private func factors<Numbers: Vector>(_ times: Numbers) -> Numbers {
    let size = (Numbers(decay) / times.magnitude).exp - Numbers(1e-16)
    return Numbers.maximum(size, Numbers(0)).withSigns(of: times)
  }
}

/// A filter with a delay line of one loop.
package protocol LoopKind {
  /// The output, and what is put into the line, for what comes out of the line and the input.
  static func passed<Numbers: Vector>(
    _ held: Numbers, _ input: Numbers, _ c: Numbers
  ) -> (output: Numbers, stored: Numbers)
}

package enum CombLoop: LoopKind {
  @inline(__always) @_semantics("no_performance_analysis")
  package static func passed<Numbers: Vector>(
    _ held: Numbers, _ input: Numbers, _ c: Numbers
  ) -> (output: Numbers, stored: Numbers) { (held, held * c + input) }
}

package enum AllpassLoop: LoopKind {
  @inline(__always) @_semantics("no_performance_analysis")
  package static func passed<Numbers: Vector>(
    _ held: Numbers, _ input: Numbers, _ c: Numbers
  ) -> (output: Numbers, stored: Numbers) {
    let stored = held * c + input
    return (held - c * stored, stored)
  }
}
