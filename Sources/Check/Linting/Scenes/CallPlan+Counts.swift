import TypeLetters

extension CallPlan {
  /// The numbers of arguments to try for the letter of a signature that stands for any number; empty if
  /// there is no such letter.
  package static func variadicCounts(of signature: Signature) -> [Int] {
    guard let item = TypeString(signature.inputs)?.items.last,
      TypeString.Side.inputs.isVariadic(item)
    else { return [] }
    return [0, 1, 2, 3, 4, 5, 8].filter { $0 >= TypeString.Side.inputs.least(item) }
  }

  /// The same call with another number of arguments for its variadic letter; its first two, of which
  /// `Z` takes pairs, are repeated.
  package func with(variadics count: Int) -> CallPlan {
    var copy = self
    let known = inputs.filter(\.isVariadic)
    copy.inputs.removeAll(where: \.isVariadic)
    // An entry of the argument file may have fewer than two, or none.
    guard !known.isEmpty else { return copy }
    let repeated = known.prefix(2)
    copy.inputs += (0..<count).map {
      $0 < known.count ? known[$0] : repeated[$0 % repeated.count]
    }
    return copy
  }

  /// The same call with another number of outputs; nil if the opcode does not take that many of one type.
  package func with(outputs count: Int, of signature: Signature) -> CallPlan? {
    guard let items = TypeString(signature.outputs)?.items, let last = outputs.last,
      items.allSatisfy({ TypeString.Side.outputs.isVariadic($0) })
    else { return nil }
    var copy = self
    copy.outputs = Array((outputs + Array(repeating: last, count: count)).prefix(count))
    copy.firstInput = max(count, items.count)
    return copy
  }
}

/// The indices of an input and an output that can share one variable.
package struct InPlacePair {
  package var input, output: Int
}

extension CallPlan {
  /// Another valid value of a number: the next whole one for a whole i-rate argument, which may be a
  /// mode, and 0.7 or 1.3 times its value for others.
  package func otherValue(_ index: Int) -> Double {
    let (input, value) = (inputs[index], inputs[index].value)
    let (low, high) = (input.data.low ?? -.infinity, input.data.high ?? .infinity)
    let far = high.isFinite ? high : low.isFinite && low != 0 ? low : 1
    let values =
      input.rate == .i && value == value.rounded()
      ? [value + 1, value - 1]
      : value == 0 ? [0.3 * far] : [0.7 * value, 1.3 * value]
    return values.first { low <= $0 && $0 <= high } ?? values[0]
  }

  /// The call with those arguments at audio rate that can be at k-rate, too; nil if there are none.
  package var atAudioRate: CallPlan? {
    var plan = self
    for index in inputs.indices where inputs[index].isOfAnyRate && inputs[index].rate == .k {
      plan.inputs[index].rate = .a
    }
    return plan == self ? nil : plan
  }

  /// All pairs of an input and an output that can share one variable.
  package var inPlacePairs: [InPlacePair] {
    outputs.indices.filter { outputs[$0].rate != .i }.flatMap { output in
      inputs.indices.filter { input in
        inputs[input].rate == outputs[output].rate
          && inputs[input].isArray == outputs[output].isArray && !inputs[input].isLeftOut
      }.map { InPlacePair(input: $0, output: output) }
    }
  }

  /// Whether a user-defined opcode can pass on all of the call's arguments.
  package var fitsUserOpcode: Bool {
    !(inputs.contains { $0.isArray || $0.rate == .f }
      || outputs.contains { $0.isArray || $0.rate == .f || $0.rate == .i })
  }
}
