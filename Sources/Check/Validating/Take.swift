import Foundation

/// What the opcode did while a scene was played.
struct Take {
  var notes: [NoteTake] = []
  /// What Csound said about failed notes.
  var errors: [String] = []
  var messages: [String] = []
  /// How many blocks the opcode computed.
  var blocks = 0
  /// Whether a performance pass never came back.
  var wasJumpedOutOf = false

  /// The only note, or the first.
  var first: NoteTake { notes.first ?? NoteTake(outputCount: 0) }
}

/// What the opcode did in one note.
final class NoteTake {
  /// What each output held in performance: of audio, the frames that belong to the note; of a
  /// control, a value for each block; of other types, what they hold as numbers. An array has a
  /// stream for each element.
  var outputs: [[Stream]]
  /// What outputs that are set at init time held after each init pass.
  var initOutputs: [[Stream]]
  /// By performance pass: the frames computed.
  var frames: [Range<Int>] = []
  /// Nanoseconds of processor time of each pass, where they are taken.
  var passTimes: [Double] = []
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
    case beforeStart, afterEnd, notWritten, controlNotWritten, wroteBehind, wroteBefore,
      changedInput, overranBlock,
      floatMode
  }

  /// What one output, or one element of an array, held.
  struct Stream {
    var name: String
    var isAudio: Bool
    var values: [Double] = []
  }

  init(outputCount: Int) {
    outputs = Array(repeating: [], count: outputCount)
    initOutputs = outputs
  }

  /// What the outputs held: in performance, or after init passes where they are set only there.
  var streams: [Stream] { zip(outputs, initOutputs).flatMap { $0.isEmpty ? $1 : $0 } }

  /// A sentence about the first value that is not a finite number; nil when all are.
  var notFinite: String? {
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
  var peak: Double {
    streams.lazy.map(\.values).joined().reduce(0) { $1.isFinite ? max($0, abs($1)) : $0 }
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
  var name = ""
  var position = 0
  var value = 0.0
  var reference = 0.0

  /// Nil when they are the same. Only the first `count` values of each output count, when it is given,
  /// and only audio, when that is asked for.
  static func between(
    _ take: NoteTake, _ reference: NoteTake, count: Int? = nil, audioOnly: Bool = false
  ) -> Difference? {
    var result: Difference?
    for (stream, other) in zip(take.streams, reference.streams) where stream.isAudio || !audioOnly {
      let difference = Difference(stream, other, count: count)
      if let difference, difference.depth > result?.depth ?? -.infinity { result = difference }
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

  /// Where and how much, for a sentence.
  func account(_ what: String, _ reference: String) -> String {
    "\(name) differs first at value \(position): \(what) \(value), \(reference) \(self.reference)"
  }
}
