// Ladders with one fault each, to show that the harness finds it.

import OpcodeKit
import Opcodes

/// One mistake, made on top of a correct ladder.
protocol Fault: BitwiseCopyable {
  init()
  mutating func corrupt(_ sample: Double, frame: Int) -> Double
}

struct FaultyLadder<F: Fault>: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    let cutoff: ControlInput
    let resonance: ControlInput
    let skipInit: InitInput
  }
  private var ladder: Ladder
  private var fault = F()
  private let sampleRate: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    ladder = Ladder(fullScale: context.fullScale)
    sampleRate = context.sampleRate
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) {
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

@c func faulty_no(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  FaultyLadder<NoFault>.perform(csound, block)
}
@c func faulty_gain(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  FaultyLadder<GainFault>.perform(csound, block)
}
@c func faulty_delay(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  FaultyLadder<DelayFault>.perform(csound, block)
}
@c func faulty_click(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  FaultyLadder<ClickFault>.perform(csound, block)
}
@c func faulty_nan(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  FaultyLadder<NaNFault>.perform(csound, block)
}
@c func faulty_edge(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  FaultyLadder<EdgeFault>.perform(csound, block)
}
@c func faulty_silence(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  FaultyLadder<SilenceFault>.perform(csound, block)
}
@c func faulty_crash(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  FaultyLadder<CrashFault>.perform(csound, block)
}
@c func faulty_hang(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  FaultyLadder<HangFault>.perform(csound, block)
}
@c func faulty_slow(_ csound: CsoundPointer, _ block: BlockPointer) -> CInt {
  FaultyLadder<SlowFault>.perform(csound, block)
}

/// Every faulty ladder, with MOOGLADDER's signature at k-rate.
public func registerFaultyLadders(in registry: inout some OpcodeRegistry) {
  registry.add(
    Overload(
      FaultyLadder<NoFault>.self, "FAULTY_NO", outputs: "a", inputs: "akko",
      summary: "faulty ladder", initialize: { FaultyLadder<NoFault>.initialize($0, $1) },
      perform: faulty_no))
  registry.add(
    Overload(
      FaultyLadder<GainFault>.self, "FAULTY_GAIN", outputs: "a", inputs: "akko",
      summary: "faulty ladder", initialize: { FaultyLadder<GainFault>.initialize($0, $1) },
      perform: faulty_gain))
  registry.add(
    Overload(
      FaultyLadder<DelayFault>.self, "FAULTY_DELAY", outputs: "a", inputs: "akko",
      summary: "faulty ladder", initialize: { FaultyLadder<DelayFault>.initialize($0, $1) },
      perform: faulty_delay))
  registry.add(
    Overload(
      FaultyLadder<ClickFault>.self, "FAULTY_CLICK", outputs: "a", inputs: "akko",
      summary: "faulty ladder", initialize: { FaultyLadder<ClickFault>.initialize($0, $1) },
      perform: faulty_click))
  registry.add(
    Overload(
      FaultyLadder<NaNFault>.self, "FAULTY_NAN", outputs: "a", inputs: "akko",
      summary: "faulty ladder", initialize: { FaultyLadder<NaNFault>.initialize($0, $1) },
      perform: faulty_nan))
  registry.add(
    Overload(
      FaultyLadder<EdgeFault>.self, "FAULTY_EDGE", outputs: "a", inputs: "akko",
      summary: "faulty ladder", initialize: { FaultyLadder<EdgeFault>.initialize($0, $1) },
      perform: faulty_edge))
  registry.add(
    Overload(
      FaultyLadder<SilenceFault>.self, "FAULTY_SILENCE", outputs: "a", inputs: "akko",
      summary: "faulty ladder", initialize: { FaultyLadder<SilenceFault>.initialize($0, $1) },
      perform: faulty_silence))
  registry.add(
    Overload(
      FaultyLadder<CrashFault>.self, "FAULTY_CRASH", outputs: "a", inputs: "akko",
      summary: "faulty ladder", initialize: { FaultyLadder<CrashFault>.initialize($0, $1) },
      perform: faulty_crash))
  registry.add(
    Overload(
      FaultyLadder<HangFault>.self, "FAULTY_HANG", outputs: "a", inputs: "akko",
      summary: "faulty ladder", initialize: { FaultyLadder<HangFault>.initialize($0, $1) },
      perform: faulty_hang))
  registry.add(
    Overload(
      FaultyLadder<SlowFault>.self, "FAULTY_SLOW", outputs: "a", inputs: "akko",
      summary: "faulty ladder", initialize: { FaultyLadder<SlowFault>.initialize($0, $1) },
      perform: faulty_slow))
}
