import TypeLetters

/// How an opcode is called in test orchestras: a type for every argument of one signature.
package struct CallPlan: Codable, Equatable, Sendable {
  /// The type of a variable in Csound's language.
  package enum Rate: String, Codable, Sendable { case a, k, i, S, f }

  package struct Output: Codable, Equatable, Sendable {
    package var rate: Rate
    package var isArray: Bool
  }

  package struct Input: Codable, Equatable, Sendable {
    package var rate: Rate
    package var isArray: Bool
    /// Csound's default for an optional input; nil for an input that must be given.
    package var fallback: Double?
    /// Whether its type letter stands for any number of arguments.
    package var isVariadic: Bool
    /// Whether its type letter, such as `x`, allows another rate, too.
    package var isOfAnyRate: Bool
    package var data = ArgumentData()
    /// The value, unless a scene sets another.
    package var value = 0.5
    /// Whether calls leave it out, unless a scene says otherwise.
    package var isLeftOut = false

    /// Whether it is a signal and not a parameter.
    package var isSignal = false
    package var isNumber: Bool { !isArray && !isSignal && [.a, .k, .i].contains(rate) }
    /// Whether it is the number of a table. An overload for arrays has an array of values in that place.
    package var isTable: Bool { data.table != nil && !isArray }
  }

  package var opcode: String
  package var outputs: [Output]
  package var inputs: [Input]
  /// The index of the first input pointer among the argument pointers in the block.
  package var firstInput: Int
  package var header: [String]
  /// Lines before and after the call that it needs.
  package var before, after: [String]
  /// Lines after the call that read what it changes into `aread`; empty if its outputs are all.
  package var reads: [String]
  /// Whether the opcode may self-oscillate.
  package var oscillates: Bool

  /// Plans calls of a signature. `siblings` are the opcode's other signatures, which help to distinguish
  /// a control at audio rate from a signal. Throws a skipped outcome with the reason if no call is
  /// possible.
  package init(
    _ signature: Signature, siblings: [Signature], entry: ArgumentFile.Entry, anyRate: Rate = .k
  ) throws(Outcome) {
    opcode = signature.opcode
    header = entry.header ?? []
    (before, after) = (entry.before ?? [], entry.after ?? [])
    reads = entry.reads ?? []
    oscillates = entry.oscillates ?? false
    guard let outputItems = TypeString(signature.outputs)?.items,
      let inputItems = TypeString(signature.inputs)?.items
    else { throw .skipped("its type strings cannot be read; lint says why") }
    outputs = []
    for item in outputItems {
      let declared = try Self.outputs(item)
      // Several variadic letters stand for at most as many outputs, and not every opcode writes more
      // than two of them.
      let isAnyNumber = declared.count > 1 && outputItems.count > 1
      outputs += isAnyNumber ? declared.prefix(outputs.count < 2 ? 1 : 0) : declared[...]
    }
    if let count = entry.outputs, let last = outputs.last, let item = outputItems.last,
      TypeString.Side.outputs.isVariadic(item)
    {
      outputs = Array((outputs + Array(repeating: last, count: max(0, count))).prefix(count))
    }
    firstInput = max(outputs.count, outputItems.count)
    inputs = []
    for item in inputItems {
      inputs += try Self.inputs(item, anyRate: anyRate, entry, at: inputs.count)
    }
    let others = siblings.compactMap { TypeString($0.inputs)?.items }
    var hasSignal = false
    for index in inputs.indices {
      if index < entry.inputs.count { inputs[index].data = entry.inputs[index] }
      let isSounding = inputs[index].rate == .a || inputs[index].rate == .f
      let hasSlowSibling = others.contains {
        index < $0.count && inputItems.count == $0.count && Self.isSlow($0[index])
      }
      inputs[index].isSignal =
        isSounding && !inputs[index].data.isControl && !(hasSlowSibling && hasSignal)
        && !(inputs[index].isOfAnyRate && index > 0)
      hasSignal = hasSignal || inputs[index].isSignal
      if let value = inputs[index].data.typical ?? inputs[index].fallback {
        inputs[index].value = value
      }
      inputs[index].isLeftOut =
        inputs[index].fallback != nil && inputs[index].data.typical == nil
        && !inputs[index].isTable
    }
    // In Csound, only trailing arguments can be left out.
    if let last = inputs.lastIndex(where: { !$0.isLeftOut }) {
      for index in 0...last { inputs[index].isLeftOut = false }
    }
  }

  /// The same call with each other value that an argument file lists for an input, and that input's name and value.
  package var variants: [(name: String, plan: CallPlan)] {
    inputs.indices.flatMap { index in
      (inputs[index].data.values ?? []).map { value in
        var plan = self
        plan.inputs[index].value = value
        for earlier in 0...index { plan.inputs[earlier].isLeftOut = false }
        let name = inputs[index].data.name ?? "argument \(index + 1)"
        return ("\(name) \(Scene.number(value))", plan)
      }
    }
  }

  /// Whether an input is of k-rate or i-rate, and nothing else.
  private static func isSlow(_ item: TypeString.Item) -> Bool {
    guard let letter = TypeString.Side.inputs.letter(of: item) else { return false }
    return !letter.isVariadic && ["k", "i"].contains(letter.types)
  }

  private static func outputs(_ item: TypeString.Item) throws(Outcome) -> [Output] {
    if item.isArray {
      let rate = Rate(rawValue: String(item.letter)) ?? (".?*".contains(item.letter) ? .k : nil)
      guard let rate, rate != .f else {
        throw .skipped("an output of type '\(item.text)' cannot be declared")
      }
      return [Output(rate: rate, isArray: true)]
    }
    switch item.letter {
    case "a", "k", "i", "S", "f":
      return [Output(rate: Rate(rawValue: String(item.letter))!, isArray: false)]
    case "s", "X": return [Output(rate: .a, isArray: false)]
    case "m": return Array(repeating: Output(rate: .a, isArray: false), count: 2)
    case "z": return Array(repeating: Output(rate: .k, isArray: false), count: 2)
    case "N", ".", "?", "*": return [Output(rate: .k, isArray: false)]
    case "I": return [Output(rate: .i, isArray: false)]
    case "F": return [Output(rate: .f, isArray: false)]
    default: throw .skipped("no test orchestra has an output of type '\(item.text)'")
    }
  }

  private static func inputs(
    _ item: TypeString.Item, anyRate: Rate, _ entry: ArgumentFile.Entry, at index: Int
  ) throws(Outcome) -> [Input] {
    func one(
      _ rate: Rate, isArray: Bool = false, fallback: Double? = nil, isVariadic: Bool = false,
      isOfAnyRate: Bool = false
    ) -> Input {
      Input(
        rate: rate, isArray: isArray, fallback: fallback, isVariadic: isVariadic,
        isOfAnyRate: isOfAnyRate)
    }
    let isText = index < entry.inputs.count && entry.inputs[index].string != nil
    if item.isArray {
      let rate = Rate(rawValue: String(item.letter)) ?? (".?*".contains(item.letter) ? .k : nil)
      guard let rate, rate != .f else {
        throw .skipped("an input of type '\(item.text)' cannot be made")
      }
      return [one(rate, isArray: true)]
    }
    let letter = TypeString.Side.inputs.letter(of: item)
    // The letter's single type; k for a letter with several types.
    let rate = letter.map { Rate(rawValue: $0.types) ?? .k } ?? .k
    switch item.letter {
    case "a", "k", "i", "S", "f": return [one(rate)]
    case "c": return [one(.i)]
    case "x": return [one(anyRate, isOfAnyRate: true)]
    case ".", "?": return [one(.k)]
    case "T": return [one(isText ? .S : .i)]
    case "U": return [one(isText ? .S : .k)]
    case _ where item.fallback != nil: return [one(rate, fallback: item.fallback)]
    case _ where letter?.isVariadic == true:
      let second: Rate = item.letter == "Z" ? .a : rate
      let known = max(0, entry.inputs.count - index)
      return (0..<max(2, known)).map { one($0 % 2 == 0 ? rate : second, isVariadic: true) }
    default: throw .skipped("no test orchestra has an input of type '\(item.text)'")
    }
  }

  /// The indices of the inputs that are numbers, whose value can be set.
  package var numbers: [Int] {
    inputs.indices.filter { inputs[$0].isNumber && !inputs[$0].isTable }
  }
  package var controls: [Int] { numbers.filter { inputs[$0].rate != .i } }
  package var signals: [Int] { inputs.indices.filter { inputs[$0].isSignal } }
  package var hasAudioOutput: Bool { outputs.contains { $0.rate == .a } }

  /// The name of an input in messages.
  package func name(_ index: Int) -> String {
    inputs[index].data.name.map { "'\($0)'" } ?? "input \(index + 1)"
  }
}
