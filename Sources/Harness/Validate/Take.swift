import Foundation

/// What the opcode did while a scene was played.
struct Take {
  var notes: [NoteTake] = []
  /// What Csound said about failed notes.
  var errors: [String] = []
  var messages: [String] = []
  /// How many blocks the opcode computed.
  var blocks = 0

  /// The only note, or the first.
  var first: NoteTake { notes.first ?? NoteTake(outputCount: 0) }
}

/// What the opcode did in one note.
final class NoteTake {
  /// By output: the frames that belong to the note, one value for each block of a control, what
  /// another type holds as numbers.
  var outputs: [[Double]]
  /// What outputs that are set at init time held after each init pass.
  var initOutputs: [[Double]]
  /// By performance pass: the frames computed.
  var frames: [Range<Int>] = []
  /// Nanoseconds of each pass, where they are taken.
  var passTimes: [UInt64] = []
  /// Passes in which the processor met subnormal numbers.
  var subnormalPasses: [Int] = []
  /// Values returned from passes that were not OK.
  var failedPasses = 0
  var failedInits = 0
  var inits = 0
  var deinitRegistrations = 0
  var deinitCalls = 0
  /// The orchestra it was played in.
  var orchestra = ""
  /// What it did to memory that is not its own to write, first sighting of each.
  var violations: [Violation: String] = [:]

  enum Violation: Hashable {
    case beforeStart, afterEnd, notWritten, wroteBehind, wroteBefore, changedInput, overranBlock, floatMode
  }

  init(outputCount: Int) {
    outputs = Array(repeating: [], count: outputCount)
    initOutputs = outputs
  }

  /// By output, what it held: in performance, or after init passes where it is set only there.
  var streams: [[Double]] { zip(outputs, initOutputs).map { $0.isEmpty ? $1 : $0 } }

  /// Where a value is not a finite number: the output and its position.
  var notFinite: (output: Int, position: Int)? {
    for (index, output) in streams.enumerated() {
      if let position = output.firstIndex(where: { !$0.isFinite }) { return (index, position) }
    }
    return nil
  }

  /// The largest finite magnitude in any output.
  var peak: Double {
    streams.joined().reduce(0) { $1.isFinite ? max($0, abs($1)) : $0 }
  }

  func note(_ violation: Violation, _ text: @autoclosure () -> String) {
    if violations[violation] == nil { violations[violation] = text() }
  }
}

/// How far two notes' outputs are apart.
struct Difference {
  /// Energy of the difference over energy of the reference in the worst output, dB.
  var depth = -Double.infinity
  /// The first value that differs by more than a part in 10⁹ of the peak, or at all when none does.
  var output = 0
  var position = 0
  var value = 0.0
  var reference = 0.0

  /// Nil when the outputs differ in length, or not at all. Only the first `count` values of each output
  /// count, when it is given.
  static func between(_ take: NoteTake, _ reference: NoteTake, count: Int? = nil) -> Difference? {
    var result: Difference?
    for (index, (values, others)) in zip(take.streams, reference.streams).enumerated() {
      let length = min(values.count, others.count, count ?? .max)
      let peak = others.prefix(length).reduce(0) { $1.isFinite ? max($0, abs($1)) : $0 }
      var energy = 0.0
      var referenceEnergy = 0.0
      var first: Int?
      var firstClear: Int?
      for position in 0..<length {
        let (a, b) = (values[position], others[position])
        guard a.bitPattern != b.bitPattern, !(a == b), !(a.isNaN && b.isNaN) else {
          if b.isFinite { referenceEnergy += b * b }
          continue
        }
        first = first ?? position
        guard a.isFinite, b.isFinite else {
          energy = .infinity
          firstClear = firstClear ?? position
          continue
        }
        energy += (a - b) * (a - b)
        referenceEnergy += b * b
        if abs(a - b) > 1e-9 * peak { firstClear = firstClear ?? position }
      }
      guard let position = firstClear ?? first else { continue }
      let depth = referenceEnergy > 0 ? 10 * log10(energy / referenceEnergy) : .infinity
      if result == nil || depth > result!.depth {
        result = Difference(
          depth: depth, output: index, position: position, value: values[position],
          reference: others[position])
      }
    }
    return result
  }

  /// Where and how much, for a sentence.
  func account(_ what: String, _ reference: String) -> String {
    "output \(output + 1) differs first at value \(position): \(what) \(value),"
      + " \(reference) \(self.reference)"
  }
}
