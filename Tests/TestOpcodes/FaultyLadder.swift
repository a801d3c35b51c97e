// Ladders with one fault each, to show that the harness finds it.

import OpcodeKit
import Opcodes

/// One mistake, made on top of a correct ladder.
protocol Fault: BitwiseCopyable {
  init()
  mutating func corrupt(_ sample: Double, frame: Int) -> Double
}

/// With MOOGLADDER's signature at k-rate.
@Opcode("FAULTY_NO", "faulty ladder", NoFault.self)
@Opcode("FAULTY_GAIN", "faulty ladder", GainFault.self)
@Opcode("FAULTY_DELAY", "faulty ladder", DelayFault.self)
@Opcode("FAULTY_CLICK", "faulty ladder", ClickFault.self)
@Opcode("FAULTY_NAN", "faulty ladder", NaNFault.self)
@Opcode("FAULTY_EDGE", "faulty ladder", EdgeFault.self)
@Opcode("FAULTY_SILENCE", "faulty ladder", SilenceFault.self)
@Opcode("FAULTY_CRASH", "faulty ladder", CrashFault.self)
@Opcode("FAULTY_HANG", "faulty ladder", HangFault.self)
@Opcode("FAULTY_SLOW", "faulty ladder", SlowFault.self)
struct FaultyLadder<F: Fault>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    let cutoff: ControlInput
    let resonance: ControlInput
    @Default(0) let skipInit: InitInput
  }
  private var ladder: Ladder
  private var fault = F()
  private let sampleRate: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    ladder = Ladder(fullScale: context.fullScale)
    sampleRate = context.sampleRate
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) { play(arguments, context) }

  /// Some faults are what the compiler would refuse in a pass.
  @inline(never) @_semantics("no_performance_analysis")
  private mutating func play(_ arguments: Arguments, _ context: Context) {
    let tuning = LadderTuning(
      cutoff: arguments.cutoff.value / sampleRate, resonance: arguments.resonance.value)
    for frame in context.frames {
      let sample = ladder.next(arguments.input[frame], tuning)
      arguments.output[frame] = fault.corrupt(sample, frame: frame)
    }
  }
}

/// No mistake: the clean twin.
struct NoFault: Fault {
  mutating func corrupt(_ sample: Double, frame: Int) -> Double { sample }
}

/// 0.001 dB too loud.
struct GainFault: Fault {
  mutating func corrupt(_ sample: Double, frame: Int) -> Double { sample * 1.000115 }
}

/// One sample late.
struct DelayFault: Fault {
  var previous = 0.0
  mutating func corrupt(_ sample: Double, frame: Int) -> Double {
    defer { previous = sample }
    return previous
  }
}

/// A single wrong sample in a quarter of a second.
struct ClickFault: Fault {
  var count = 0
  mutating func corrupt(_ sample: Double, frame: Int) -> Double {
    count += 1
    return count == 5000 ? sample + 0.001 : sample
  }
}

/// NaN from sample 1000 on.
struct NaNFault: Fault {
  var count = 0
  mutating func corrupt(_ sample: Double, frame: Int) -> Double {
    count += 1
    return count > 1000 ? .nan : sample
  }
}

/// The last sample of every k-cycle is left out.
struct EdgeFault: Fault {
  mutating func corrupt(_ sample: Double, frame: Int) -> Double { frame == 63 ? 0 : sample }
}

/// Silence.
struct SilenceFault: Fault {
  mutating func corrupt(_ sample: Double, frame: Int) -> Double { 0 }
}

/// Traps.
struct CrashFault: Fault {
  var count = 0
  mutating func corrupt(_ sample: Double, frame: Int) -> Double {
    count += 1
    precondition(count < 1000)
    return sample
  }
}

/// Never returns.
struct HangFault: Fault {
  mutating func corrupt(_ sample: Double, frame: Int) -> Double {
    var value = sample
    while value < 1e300 { value = value.magnitude * 0.5 }
    return value
  }
}

/// Takes thousands of times as long.
struct SlowFault: Fault {
  mutating func corrupt(_ sample: Double, frame: Int) -> Double {
    var value = sample
    for _ in 0..<3000 { value = 1 - value.magnitude * 0.5 }
    return value > 2 ? 0 : sample
  }
}

/// Every faulty ladder.
public func registerFaultyLadders(in registry: inout some OpcodeRegistry) {
  registerFaultyLadder(NoFault.self, in: &registry)
  registerFaultyLadder(GainFault.self, in: &registry)
  registerFaultyLadder(DelayFault.self, in: &registry)
  registerFaultyLadder(ClickFault.self, in: &registry)
  registerFaultyLadder(NaNFault.self, in: &registry)
  registerFaultyLadder(EdgeFault.self, in: &registry)
  registerFaultyLadder(SilenceFault.self, in: &registry)
  registerFaultyLadder(CrashFault.self, in: &registry)
  registerFaultyLadder(HangFault.self, in: &registry)
  registerFaultyLadder(SlowFault.self, in: &registry)
}
