import CsoundHost
import Foundation
import HarnessBase
import Rendering

/// How fast a machine is: the nanoseconds that a note of each of several instruments adds to each sample time.
package struct MachineSpeed: Codable {
  package var machine: String
  package var csound: String
  package var nanoseconds: [String: Double]

  package static func read(from path: String) throws(Failure) -> MachineSpeed {
    let speed = try DataFile.read(
      Self.self, from: path, as: "a machine's speed as profile --calibrate writes it")
    guard Set(speed.nanoseconds.keys) == Set(instruments.keys),
      speed.nanoseconds.values.allSatisfy({ $0 > 0 && $0.isFinite })
    else {
      throw Failure(
        .badInput, "'\(path)' is of another version; write it anew there by profile --calibrate.")
    }
    return speed
  }

  /// How many times as long as on another machine everything takes here: the geometric mean of the instruments, from
  /// the least to the largest.
  package func factor(from other: MachineSpeed) -> Estimate {
    let factors = nanoseconds.map { $1 / other.nanoseconds[$0]! }
    let mean = exp(factors.reduce(0) { $0 + log($1) } / Double(factors.count))
    return Estimate(value: mean, low: factors.min()!, high: factors.max()!)
  }

  /// Instruments of different kinds: opcodes' overhead, memory, libm, filters, oscillators.
  static let instruments = [
    "control": """
    kone init 0
    ktwo init 0
    """
      + (0..<20).map { "\nkone = kone * 0.5 + \($0)\nktwo limit kone, 0, ktwo + \($0)" }.joined(),
    "delay": """
    ain oscili 0.1, 220
    aone delay ain, 0.5
    atwo vdelayx ain, a(0.3), 1, 64
    """,
    "functions": "aphase phasor 3\naone = sin(aphase * 7) + exp(-aphase) + taninv(aphase)",
    "filters": """
    ain oscili 0.1, 220
    aone moogladder ain, 900, 0.3
    atwo butterlp aone, 900
    athree reson atwo, 700, 90
    """,
    "oscillators": "aone vco2 0.1, 220\natwo poscil3 0.1, 330\nathree foscili 0.1, 220, 1, 2, 1",
  ]
}

extension Profiler {
  /// Measures this machine.
  func calibrate(progress: @escaping @Sendable (String) -> Void) throws(Failure) -> MachineSpeed {
    let directory = try ScratchDirectory("calibrate")
    defer { directory.remove() }
    let path = directory.path + "/machine.csd"
    let text =
      "<CsoundSynthesizer>\n<CsInstruments>\nsr = 48000\nksmps = 64\nnchnls = 1\n0dbfs = 1\n"
      + MachineSpeed.instruments.sorted { $0.key < $1.key }.map {
        "instr \($0)\n\($1)\nendin\n"
      }.joined()
      + "</CsInstruments>\n<CsScore>\nf 1 0 8192 10 1\nf 0 3600\n</CsScore>\n</CsoundSynthesizer>\n"
    try OutputFile(path).write(Data(text.utf8))
    let orchestra = Orchestra(path: path)
    var speed = MachineSpeed(
      machine: Provenance.processorName, csound: Csound.version, nanoseconds: [:])
    for name in MachineSpeed.instruments.keys.sorted() {
      let take = try play(
        [8, 16, 32, 64], of: name, in: orchestra, [], progress)
      guard let fit = VoiceFit(take.levels), let most = fit.points.last else {
        throw Failure(.unavailable, "This machine is too busy to be measured.")
      }
      speed.nanoseconds[name] = (most.middle - fit.base) / Double(most.notes * take.ksmps) * 1e9
    }
    return speed
  }
}
