import Foundation
import HarnessBase

/// What an option takes: reads its value from the given text, or fails with a message.
package struct ValueReader<Value: Sendable>: Sendable {
  /// Reads the text given to the option called `name`.
  package let read: @Sendable (_ text: String, _ name: String) throws(Failure) -> Value

  package init(
    _ read: @escaping @Sendable (_ text: String, _ name: String) throws(Failure) -> Value
  ) {
    self.read = read
  }

  /// One value; `allowed` says in the message what the option takes.
  package static func one(
    _ allowed: String, _ parse: @escaping @Sendable (String) -> Value?
  ) -> ValueReader {
    ValueReader { text, name throws(Failure) in
      guard let value = parse(text) else { throw Failure(option: name, text, takes: allowed) }
      return value
    }
  }

  /// Values separated by commas, each once.
  package static func list<Element: Hashable>(
    _ allowed: String, _ parse: @escaping @Sendable (String) -> Element?
  ) -> ValueReader where Value == [Element] {
    ValueReader { text, name throws(Failure) in
      var values: [Element] = []
      for part in text.split(separator: ",", omittingEmptySubsequences: false) {
        guard let value = parse(part.trimmingCharacters(in: .whitespaces)) else {
          throw Failure(option: name, text, takes: "\(allowed), separated by commas")
        }
        if !values.contains(value) { values.append(value) }
      }
      return values
    }
  }

  /// Names separated by commas, each once. Each must be known; the message is about the first that is not.
  package static func choices<Element>(
    _ allowed: String, _ parse: @escaping @Sendable (String) -> Element?
  ) -> ValueReader where Value == [Element] {
    ValueReader { text, name throws(Failure) in
      var values: [Element] = []
      for word in try ValueReader<[String]>.names.read(text, name) {
        guard let value = parse(word) else { throw Failure(option: name, word, takes: allowed) }
        values.append(value)
      }
      return values
    }
  }

  /// Reads the same texts and transforms their values.
  package func map<Other>(
    _ transform: @escaping @Sendable (Value) throws(Failure) -> Other
  ) -> ValueReader<Other> {
    ValueReader<Other> { text, name throws(Failure) in try transform(read(text, name)) }
  }
}

extension Failure {
  /// The failure for a value that an option does not take.
  fileprivate init(option name: String, _ text: String, takes allowed: String) {
    self.init(.usage, "--\(name) is '\(text)'; it takes \(allowed).")
  }
}

extension ValueReader<String> {
  /// Any text.
  package static var text: ValueReader { ValueReader { text, _ in text } }
}

extension ValueReader<Int> {
  package static func wholeNumber(_ range: ClosedRange<Int>) -> ValueReader {
    one("a whole number from \(range.lowerBound) to \(range.upperBound)", range.value)
  }
}

extension ValueReader<Double> {
  package static func number(_ range: ClosedRange<Double>) -> ValueReader {
    one("a number \(range.words)", range.value)
  }
}

extension ValueReader<[Int]> {
  /// Whole numbers such as `1,16,64`.
  package static func wholeNumbers(_ range: ClosedRange<Int>) -> ValueReader {
    list("whole numbers from \(range.lowerBound) to \(range.upperBound)", range.value)
  }
}

extension ValueReader<[Double]> {
  /// Numbers such as `44100,48000`.
  package static func numbers(_ range: ClosedRange<Double>) -> ValueReader {
    list("numbers \(range.words)", range.value)
  }
}

extension ValueReader<[String]> {
  /// Names such as `kk,aa`.
  package static var names: ValueReader { list("names") { $0.isEmpty ? nil : $0 } }
}

extension ValueReader<[String: String]> {
  /// Orchestra macros such as `NOTES=4,DURATION=1`.
  package static var macros: ValueReader {
    ValueReader { text, name throws(Failure) in
      var macros: [String: String] = [:]
      for text in try ValueReader<[String]>.names.read(text, name) {
        guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
          throw Failure(option: name, text, takes: "NAME=VALUE")
        }
        macros[String(text[..<equals])] = String(text[text.index(after: equals)...])
      }
      return macros
    }
  }
}

extension ClosedRange where Bound: LosslessStringConvertible {
  /// The text as a number; nil if it is none, or outside this range.
  fileprivate func value(_ text: String) -> Bound? {
    Bound(text).flatMap { contains($0) ? $0 : nil }
  }
}

extension ClosedRange<Double> {
  fileprivate var words: String { String(format: "from %g to %g", lowerBound, upperBound) }
}
