// Ladders with one fault each, to show that the harness finds it.

import OpcodeKit
import Opcodes

/// The mistake of a ladder of this name.
private enum Fault: String, BitwiseCopyable {
  case no = "FAULTY_NO"
  case gain = "FAULTY_GAIN"
  case delay = "FAULTY_DELAY"
  case click = "FAULTY_CLICK"
  case nan = "FAULTY_NAN"
  case edge = "FAULTY_EDGE"
  case silence = "FAULTY_SILENCE"
  case crash = "FAULTY_CRASH"
  case hang = "FAULTY_HANG"
  case slow = "FAULTY_SLOW"
}

/// A correct ladder with one mistake made on top of it. It has MOOGLADDER's signature at k-rate.
@Opcode("FAULTY_NO", "faulty ladder")
struct FaultyLadder: AudioOpcode {
  struct Arguments: BitwiseCopyable {
    let output: AudioOutput
    let input: AudioInput
    let cutoff: ControlInput
    let resonance: ControlInput
    @Default(0) let skipInit: InitInput
  }
  private var ladder: Ladder
  private let fault: Fault
  private var previous = 0.0
  private var count = 0
  private let sampleRate: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    ladder = Ladder(fullScale: context.fullScale)
    fault = Fault(rawValue: context.opcodeName)!
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
      count += 1
      arguments.output[frame] = corrupted(sample, frame: frame)
      previous = sample
    }
  }

  private func corrupted(_ sample: Double, frame: Int) -> Double {
    var value = sample
    switch fault {
    // 0.001 dB too loud.
    case .gain: value *= 1.000115
    // One sample late.
    case .delay: value = previous
    // A single wrong sample in a quarter of a second.
    case .click where count == 5000: value += 0.001
    // From sample 1000 on.
    case .nan where count > 1000: value = .nan
    // The last sample of every k-cycle is left out.
    case .edge where frame == 63: value = 0
    case .silence: value = 0
    case .crash: precondition(count < 1000)
    case .hang: while value < 1e300 { value = value.magnitude * 0.5 }
    // Takes thousands of times as long.
    case .slow:
      for _ in 0..<3000 { value = 1 - value.magnitude * 0.5 }
      value = value > 2 ? 0 : sample
    default: break
    }
    return value
  }
}

/// Every faulty ladder.
public func registerFaultyLadders(in registry: inout some OpcodeRegistry) {
  registerFaultyLadder(in: &registry)
  var ladders = Ladders()
  registerFaultyLadder(in: &ladders)
  for name in [
    "FAULTY_GAIN", "FAULTY_DELAY", "FAULTY_CLICK", "FAULTY_NAN", "FAULTY_EDGE", "FAULTY_SILENCE",
    "FAULTY_CRASH", "FAULTY_HANG", "FAULTY_SLOW",
  ] as [StaticString] {
    for overload in ladders.all { registry.add(overload.named(name)) }
  }
}

private struct Ladders: OpcodeRegistry {
  private(set) var all: [Overload] = []
  mutating func add(_ overload: Overload) { all.append(overload) }
}
