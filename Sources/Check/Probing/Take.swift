import Foundation

/// The record of the opcode's behaviour while a scene was played.
package struct Take {
  package var notes: [NoteTake] = []
  /// Csound's messages about failed notes.
  package var errors: [String] = []
  package var messages: [String] = []
  /// The number of blocks the opcode computed.
  package var blocks = 0
  /// Whether a performance pass never returned.
  package var wasJumpedOutOf = false

  package init(errors: [String], messages: [String], blocks: Int) {
    (self.errors, self.messages, self.blocks) = (errors, messages, blocks)
  }

  /// The only note, or the first.
  package var first: NoteTake { notes.first ?? NoteTake(outputCount: 0) }
}

/// The record of the opcode's behaviour in one note.
package final class NoteTake {
  /// The values of each output during performance: for audio, the frames that belong to the note; for
  /// controls, one value per block; for strings and f-signals, their content as numbers. An array has
  /// one stream for each element.
  package var outputs: [[Stream]]
  /// The values after each init pass of outputs that are set at init time.
  package var initOutputs: [[Stream]]
  /// For each performance pass: the frames that belong to the note.
  package var frames: [Range<Int>] = []
  /// The processor time of each pass in nanoseconds, if `takesTimes` is set.
  package var passTimes: [Double] = []
  /// The numbers of the passes in which the processor computed with subnormal numbers.
  package var subnormalPasses: [Int] = []
  /// How many performance and init passes returned something else than OK.
  package var failedPasses = 0
  package var failedInits = 0
  package var inits = 0
  package var deinitRegistrations = 0
  package var deinitCalls = 0
  /// The orchestra it was played in.
  package var orchestra = ""
  /// The first occurrence of each kind of violation, as a sentence.
  package var violations: [Violation: String] = [:]

  package enum Violation: Hashable {
    case beforeStart, afterEnd, notWritten, controlNotWritten, wroteBehind, wroteBefore,
      changedInput, overranBlock,
      floatMode
  }

  /// The values of one output, or of one element of an array.
  package struct Stream {
    package var name: String
    package var isAudio: Bool
    package var values: [Double] = []
  }

  package init(outputCount: Int) {
    outputs = Array(repeating: [], count: outputCount)
    initOutputs = outputs
  }

  /// The values of the outputs: those of performance or, for outputs without any, those after init
  /// passes.
  package var streams: [Stream] { zip(outputs, initOutputs).flatMap { $0.isEmpty ? $1 : $0 } }

  /// A sentence about the first value that is not finite; nil if all are finite.
  package var notFinite: String? {
    for stream in streams {
      if let position = stream.values.firstIndex(where: { !$0.isFinite }) {
        let value = stream.values[position]
        guard value.bitPattern != Probe.unwritten.bitPattern else {
          return "\(stream.name) is not written at value \(position)"
        }
        return "\(stream.name) is \(value) at value \(position)"
      }
    }
    return nil
  }

  /// The largest finite magnitude in any output.
  package var peak: Double {
    streams.lazy.map(\.values).joined().reduce(0) { $1.isFinite ? max($0, abs($1)) : $0 }
  }

  package func note(_ violation: Violation, _ text: @autoclosure () -> String) {
    if violations[violation] == nil { violations[violation] = text() }
  }
}

/// The difference between the outputs of two notes.
package struct Difference {
  /// The energy of the difference divided by that of the reference, in the worst output, in dB.
  package var depth = -Double.infinity
  /// The place of the first value that differs by more than 10⁻⁹ of the peak; if none does, of the first
  /// that differs at all.
  package var name = ""
  package var position = 0
  package var value = 0.0
  package var reference = 0.0

  /// The difference between two notes; nil if they are the same. With `count`, only the first `count`
  /// values of each output are compared; with `audioOnly`, only audio outputs.
  package static func between(
    _ take: NoteTake, _ reference: NoteTake, count: Int? = nil, audioOnly: Bool = false
  ) -> Difference? {
    var result: Difference?
    for (stream, other) in zip(take.streams, reference.streams) where stream.isAudio || !audioOnly {
      let difference = Difference(stream, other, count: count)
      // The depth of huge values is NaN, which is no sameness.
      guard let difference else { continue }
      if !(difference.depth <= result?.depth ?? -.infinity) { result = difference }
    }
    return result
  }

  private init?(_ stream: NoteTake.Stream, _ other: NoteTake.Stream, count: Int?) {
    let (values, references) = (stream.values, other.values)
    let length = min(values.count, references.count, count ?? .max)
    let peak = references.prefix(length).reduce(0) { $1.isFinite ? max($0, abs($1)) : $0 }
    var energy = 0.0
    var referenceEnergy = 0.0
    var first: Int?
    var firstClear: Int?
    for position in 0..<length {
      let (a, b) = (values[position], references[position])
      if b.isFinite { referenceEnergy += b * b }
      guard a != b, !(a.isNaN && b.isNaN) else { continue }
      first = first ?? position
      let difference = abs(a - b)
      if !difference.isFinite {
        energy = .infinity
        firstClear = firstClear ?? position
        continue
      }
      energy += difference * difference
      if difference > 1e-9 * peak { firstClear = firstClear ?? position }
    }
    guard let position = firstClear ?? first else { return nil }
    depth = referenceEnergy > 0 ? 10 * log10(energy / referenceEnergy) : .infinity
    name = stream.name
    self.position = position
    value = values[position]
    self.reference = references[position]
  }

  /// A sentence about the place and the two values. `what` and `reference` describe the notes.
  package func account(_ what: String, _ reference: String) -> String {
    "\(name) differs first at value \(position): \(what) \(value), \(reference) \(self.reference)"
  }
}
