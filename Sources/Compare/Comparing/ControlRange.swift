import Foundation

/// The values at which a control of a call starts and ends.
package struct ControlRange: Decodable, Equatable, Sendable {
  /// A number, or an expression that Csound computes when a note starts.
  package enum Bound: Equatable, Sendable {
    case number(Double)
    case expression(String)

    package var text: String {
      switch self {
      case .number(let number):
        number == number.rounded() && abs(number) < 1e9 ? "\(Int(number))" : "\(number)"
      case .expression(let text): text
      }
    }

    private var isPositive: Bool {
      switch self {
      case .number(let number): number > 0
      case .expression(let text): !text.hasPrefix("-")
      }
    }

    fileprivate func isFar(from other: Bound) -> Bool {
      guard isPositive, other.isPositive else { return false }
      guard case .number(let first) = self, case .number(let second) = other else { return true }
      return max(first, second) >= 10 * min(first, second)
    }
  }

  package var start: Bound
  package var end: Bound

  package var isConstant: Bool { start == end }

  /// Whether the control moves exponentially: both ends are positive and one is at least ten times the
  /// other. Two positive expressions, or an expression and a positive number, count as that far apart.
  package var isExponential: Bool { !isConstant && start.isFar(from: end) }

  /// The middle of the range, geometric if the control moves exponentially, as orchestra code.
  package var middle: String {
    if isConstant { return start.text }
    if case .number(let first) = start, case .number(let second) = end {
      let middle = isExponential ? (first * second).squareRoot() : (first + second) / 2
      return String(format: "%.6g", middle)
    }
    return isExponential
      ? "sqrt((\(start.text))*(\(end.text)))" : "((\(start.text))+(\(end.text)))/2"
  }

  package init(from decoder: any Decoder) throws {
    let values: [Bound]
    if var list = try? decoder.unkeyedContainer() {
      var found: [Bound] = []
      while !list.isAtEnd { found.append(try Self.value(try list.superDecoder())) }
      values = found
    } else {
      let value = try Self.value(decoder)
      values = [value, value]
    }
    guard values.count == 2 else { throw Self.refusal(decoder) }
    (start, end) = (values[0], values[1])
  }

  private static func value(_ decoder: any Decoder) throws -> Bound {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Double.self) {
      guard number.isFinite, abs(number) < 1e15 else { throw refusal(decoder) }
      return .number(number)
    }
    guard let text = try? container.decode(String.self),
      text.wholeMatch(of: /[\w.+\-*\/^() ]+/) != nil
    else { throw refusal(decoder) }
    return .expression(text)
  }

  private static func refusal(_ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription:
          "a range is [start, end], numbers or expressions such as \"sr/2\", or one constant value."
      ))
  }
}
