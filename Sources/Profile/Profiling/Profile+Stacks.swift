import Foundation

extension Profile {
  /// The names on the path from an instrument to a call: the instrument, then place and opcode of
  /// each call.
  private func frames(_ index: Int) -> [String] {
    let call = calls[index]
    let above = call.caller.map(frames) ?? [call.body]
    let file = files.indices.contains(call.file) ? files[call.file].path : "compiled in performance"
    let place = "\((file as NSString).lastPathComponent):\(call.line)"
    return above + ["\(place) \(call.opcode)"]
  }

  /// Folded stacks for flame graph tools, such as `instr 1;piece.csd:12 oscili 1234`. The number is
  /// the call's own nanoseconds or instructions; performance and init have separate lines.
  public var foldedStacks: String {
    stacks.map { stack in
      let names = stack.frames.map { $0.replacing(";", with: ",") }
      return "\(names.joined(separator: ";")) \(stack.weight)\n"
    }.joined()
  }

  private var stacks: [(frames: [String], weight: Int)] {
    var stacks: [(frames: [String], weight: Int)] = []
    let unit = instructions == nil ? 1e9 : 1
    for index in calls.indices {
      let names = frames(index)
      for (seconds, suffix) in [(calls[index].seconds, []), (calls[index].initSeconds, ["init"])] {
        let weight = Int((seconds * unit).rounded())
        if weight > 0 { stacks.append((names + suffix, weight)) }
      }
    }
    if instructions != nil {
      stacks.append((["Csound itself"], Int(engine.seconds)))
      return stacks
    }
    for (name, seconds) in [
      ("events and notes", engine.events), ("between notes", engine.notes),
      ("output", engine.output),
    ] {
      stacks.append((["Csound itself", name], Int((seconds * 1e9).rounded())))
    }
    return stacks
  }

  /// The stacks in the file format of speedscope
  /// (https://www.speedscope.app/file-format-schema.json).
  public var speedscope: Speedscope {
    var numbers: [String: Int] = [:]
    var names: [Speedscope.Frame] = []
    func number(_ name: String) -> Int {
      if let number = numbers[name] { return number }
      numbers[name] = names.count
      names.append(Speedscope.Frame(name: name))
      return names.count - 1
    }
    let stacks = stacks
    let samples = stacks.map { $0.frames.map(number) }
    let weights = stacks.map(\.weight)
    return Speedscope(
      shared: .init(frames: names),
      profiles: [
        .init(
          name: (path as NSString).lastPathComponent,
          unit: instructions == nil ? "nanoseconds" : "none", endValue: weights.reduce(0, +),
          samples: samples, weights: weights)
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
