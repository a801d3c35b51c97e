import Foundation

/// A channel that an orchestra's text names, and how the orchestra uses it.
struct ChannelUse {
  enum Rate { case control, audio, text }

  let name: String
  var rate = Rate.control
  var isRead = false
  var isWritten = false
  /// The constants that are written to the channel; nil if anything else is written to it too.
  var constants: [Double]? = []
  /// The range that `chn_k` or `chnexport` declares; nil if it is not declared with constants.
  var range: ValueRange?
  var isWhole = false
  var isDeclaredInput = false
  var isDeclaredOutput = false

  /// All channels of an orchestra in the order of their first mention; and for each opcode the number of its calls
  /// whose channel name is not a constant.
  static func scan(_ orchestra: OrchestraText) -> (uses: [ChannelUse], dynamic: [String: Int]) {
    var uses: [ChannelUse] = []
    var places: [String: Int] = [:]
    var dynamic: [String: Int] = [:]
    for line in orchestra.text.split(whereSeparator: \.isNewline) {
      for call in calls(in: String(line)) {
        guard let name = call.name else {
          dynamic[call.opcode, default: 0] += 1
          continue
        }
        if places[name] == nil {
          places[name] = uses.count
          uses.append(ChannelUse(name: name))
        }
        uses[places[name]!].note(call)
      }
    }
    return (uses, dynamic)
  }

  private struct Call {
    var opcode: String
    var name: String?
    /// The word before the opcode in its line, or the letter of a form such as `chnget:k`.
    var result: String
    var arguments: [String]
  }

  private static func calls(in line: String) -> [Call] {
    // Most lines have none, and the search below takes much longer.
    guard line.contains("chn") || line.contains("value") else { return [] }
    // Simple word boundaries, as by Unicode's rules the colon in `chnget:k` does not end a word.
    let opcodes =
      /\b(chnget|chnset|chnmix|chnclear|invalue|outvalue|chn_k|chn_a|chn_S|chnexport)\b(?::([kiaS]))?/
      .wordBoundaryKind(.simple)
    return line.matches(of: opcodes).map { match in
      let opcode = String(match.1)
      let rest = line[match.range.upperBound...].drop { $0 == " " || $0 == "\t" }
      // In the form of a function the arguments end at its closing bracket.
      var scanner = TextScanner(rest.first == "(" ? rest : "(" + rest)
      let arguments = scanner.takeParenthesized()
      let place = opcode == "chnset" || opcode == "chnmix" ? 1 : 0
      let text = place < arguments.count ? arguments[place] : ""
      let name = text.wholeMatch(of: /"([^"]+)"/).map { String($0.1) }
      let before = line[..<match.range.lowerBound].split {
        !$0.isLetter && !$0.isNumber && $0 != "_"
      }
      let rate = match.2.map { String($0) }
      return Call(
        opcode: opcode, name: name, result: rate ?? before.last.map(String.init) ?? "",
        arguments: arguments)
    }
  }

  private mutating func note(_ call: Call) {
    let letter = call.result.hasPrefix("g") ? call.result.dropFirst().first : call.result.first
    let second = call.arguments.dropFirst().first
    switch call.opcode {
    case "chnget", "invalue":
      isRead = true
      if letter == "a" { rate = .audio }
      if letter == "S" { rate = .text }
    case "chnset", "outvalue":
      let isSet = call.opcode == "chnset"
      let value = (isSet ? call.arguments.first : second) ?? ""
      write(value)
      if ["\"", "S", "gS"].contains(where: value.hasPrefix) { rate = .text }
      if isSet, letter == "a" || ["a", "ga"].contains(where: value.hasPrefix) { rate = .audio }
    case "chn_S":
      rate = .text
      declare(second ?? "3")
    case "chn_k", "chnexport":
      declare(second ?? "3")
      hint(call.arguments.dropFirst(2).map { Double(finite: $0) })
    default: rate = .audio
    }
  }

  private mutating func write(_ value: String) {
    isWritten = true
    if let number = Double(finite: value) { constants?.append(number) } else { constants = nil }
  }

  private mutating func declare(_ mode: String) {
    isDeclaredInput = isDeclaredInput || ["1", "3"].contains(mode) || mode.contains("r")
    isDeclaredOutput = isDeclaredOutput || ["2", "3"].contains(mode) || mode.contains("w")
  }

  /// Takes over a declaration's type, default, minimum and maximum, in this order.
  private mutating func hint(_ numbers: [Double?]) {
    guard numbers.count >= 4, let type = numbers[0], type != 0, let initial = numbers[1],
      let low = numbers[2], let high = numbers[3], low < high
    else { return }
    isWhole = type == 1
    range = ValueRange(
      low, high, initial: initial, step: isWhole ? 1 : 0,
      curve: type == 3 && low * high > 0 ? .exponential : .linear)
  }
}
