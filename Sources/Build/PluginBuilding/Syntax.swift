import TypeLetters

/// A line of an opcode's syntax, such as `aout MOOGLADDER ain, xcutoff [, iskip]`, taken apart.
public struct Syntax: Equatable, Sendable {
  /// One argument as the line names it.
  package struct Parameter: Equatable {
    /// Without the brackets of an array.
    package var name: String
    package var isArray = false
    /// Whether it stands in brackets that say it may be left out.
    package var isOptional = false
    /// Whether `…` follows: more of its kind can be given.
    package var isRepeated = false

    package var text: String { isArray ? name + "[]" : name }
  }

  /// The line itself.
  public let text: String
  /// The same as a call of a function, such as `aout = MOOGLADDER(ain, xcutoff, xresonance [, iskip])`.
  public let functionalText: String
  package let outputs: [Parameter]
  package let inputs: [Parameter]

  /// Nil where the line does not call the opcode.
  init?(_ text: String, opcode: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard let place = words.firstIndex(where: { $0 == opcode }) else { return nil }
    let left = words[..<place].joined(separator: " ")
    let right = words[(place + 1)...].joined(separator: " ")
    self.text = text
    functionalText = (left.isEmpty ? "" : left + " = ") + "\(opcode)(\(right))"
    outputs = Self.parameters(left)
    inputs = Self.parameters(right)
  }

  private static func parameters(_ text: String) -> [Parameter] {
    var list: [Parameter] = []
    var name = ""
    var depth = 0
    func finish() {
      guard !name.isEmpty else { return }
      if name == "…" || name == "..." {
        list.indices.last.map { list[$0].isRepeated = true }
      } else {
        let isArray = name.hasSuffix("[]")
        list.append(
          Parameter(
            name: isArray ? String(name.dropLast(2)) : name, isArray: isArray,
            isOptional: depth > 0))
      }
      name = ""
    }
    // Brackets without anything between them belong to a name; others hold what is optional.
    for character in text.replacing("[]", with: "\u{0}") {
      switch character {
      case "\u{0}": name += "[]"
      case " ", ",": finish()
      case "[":
        finish()
        depth += 1
      case "]":
        finish()
        depth -= 1
      default: name.append(character)
      }
    }
    finish()
    return list
  }

  /// Whether a signature's type strings are those of this line.
  func fits(outputs: TypeString, inputs: TypeString) -> Bool {
    groups(of: outputs, .outputs) != nil && groups(of: inputs, .inputs) != nil
  }

  /// The parameters each type letter stands for; nil where letters and parameters do not agree.
  func groups(of types: TypeString, _ side: TypeString.Side) -> [[Parameter]]? {
    let parameters = side == .outputs ? outputs : inputs
    var groups: [[Parameter]] = []
    for (index, item) in types.items.enumerated() {
      guard index < parameters.count else { return nil }
      let isLast = index == types.items.count - 1
      let group = side.isVariadic(item) && isLast ? parameters[index...] : parameters[index...index]
      guard group.allSatisfy({ Self.fits($0, item, side) }) else { return nil }
      groups.append(Array(group))
    }
    return groups.reduce(0) { $0 + $1.count } == parameters.count ? groups : nil
  }

  private static func fits(
    _ parameter: Parameter, _ item: TypeString.Item, _ side: TypeString.Side
  ) -> Bool {
    guard parameter.isArray == item.isArray else { return false }
    guard side.isVariadic(item) || parameter.isOptional == side.isOptional(item) else {
      return false
    }
    guard let first = parameter.name.first, "akixSf".contains(first),
      let types = side.letter(of: item)?.types
    else { return true }
    // What is named after init time fits where any rate does.
    let rates = first == "x" ? "ak" : first == "i" && item.letter == "x" ? "k" : String(first)
    return rates.contains { types.contains($0) }
  }
}
