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
