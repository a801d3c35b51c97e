/// Where the time went: names from the outermost to the innermost, with a weight for what these frames took themselves.
public struct Stacks: Sendable {
  public var all: [(frames: [String], weight: Int)]

  public init(_ all: [(frames: [String], weight: Int)]) { self.all = all }

  /// Folded stacks for flame graph tools, such as `instr 1;piece.csd:12 oscili 1234`.
  public var folded: String {
    all.map { stack in
      let names = stack.frames.map { $0.replacing(";", with: ",") }
      return "\(names.joined(separator: ";")) \(stack.weight)\n"
    }.joined()
  }

  /// The same in the file format of speedscope (https://www.speedscope.app/file-format-schema.json). `unit` is
  /// `nanoseconds` or `none`.
  public func speedscope(_ name: String, unit: String = "nanoseconds") -> Speedscope {
    var numbers: [String: Int] = [:]
    var names: [Speedscope.Frame] = []
    func number(_ name: String) -> Int {
      if let number = numbers[name] { return number }
      numbers[name] = names.count
      names.append(Speedscope.Frame(name: name))
      return names.count - 1
    }
    let samples = all.map { $0.frames.map(number) }
    let weights = all.map(\.weight)
    return Speedscope(
      shared: .init(frames: names),
      profiles: [
        .init(
          name: name, unit: unit, endValue: weights.reduce(0, +), samples: samples,
          weights: weights)
      ])
  }
}

/// The file format of speedscope, as far as a sampled profile needs it.
public struct Speedscope: Encodable, Sendable {
  struct Frame: Encodable { var name: String }
  struct Shared: Encodable { var frames: [Frame] }
  struct Samples: Encodable {
    var type = "sampled"
    var name: String
    var unit: String
    var startValue = 0
    var endValue: Int
    var samples: [[Int]]
    var weights: [Int]
  }

  var schema = "https://www.speedscope.app/file-format-schema.json"
  var shared: Shared
  var profiles: [Samples]
  var exporter = "opcodekit"

  enum CodingKeys: String, CodingKey {
    case schema = "$schema"
    case shared, profiles, exporter
  }
}
