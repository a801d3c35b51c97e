import HarnessBase

/// One option of a command: its name, letter and help, and how its value is read.
///
/// A command reads a value of the option's own type, `arguments[option]`: an `Option<Int>` has a standard
/// value, an `Option<Int?>` is nil unless given, an `Option<Bool>` is a switch.
package struct Option<Value: Sendable>: CommandOption {
  package let name: String
  package let letter: Character?
  package let value: String?
  package let help: String
  /// The value where the option is not given.
  package let standard: Value
  private let read: @Sendable (String) throws(Failure) -> Value

  /// An option with a standard value.
  package init(
    name: String, letter: Character? = nil, value: String, takes reader: ValueReader<Value>,
    standard: Value, help: String
  ) {
    (self.name, self.letter, self.value, self.help) = (name, letter, value, help)
    self.standard = standard
    read = { text throws(Failure) in try reader.read(text, name) }
  }

  /// An option that is nil unless given.
  package init<Given>(
    name: String, letter: Character? = nil, value: String, takes reader: ValueReader<Given>,
    help: String
  ) where Value == Given? {
    (self.name, self.letter, self.value, self.help) = (name, letter, value, help)
    standard = nil
    read = { text throws(Failure) in try reader.read(text, name) }
  }

  package func parsed(_ text: String?) throws(Failure) -> any Sendable {
    guard let text else { return ParsedValue(value: standard) }
    return ParsedValue(value: try read(text))
  }
}

extension Option<Bool> {
  /// A switch: true where it is given.
  package init(name: String, help: String) {
    (self.name, letter, value, self.help) = (name, nil, nil, help)
    standard = false
    read = { _ in true }
  }
}

extension Option<String?> {
  /// An option that takes any text, such as a path.
  package init(name: String, letter: Character? = nil, value: String, help: String) {
    self.init(name: name, letter: letter, value: value, takes: .text, help: help)
  }
}

/// An option with a value of any type, for the list of a command's options.
package protocol CommandOption: Sendable {
  var name: String { get }
  var letter: Character? { get }
  /// What its value is called in the help; nil for a switch.
  var value: String? { get }
  var help: String { get }

  /// Whether it may be given several times; its text then has a line for each.
  var repeats: Bool { get }

  /// Reads the text as a value, or takes the standard value if there is no text; returns a `ParsedValue`. Fails with a
  /// message if the option does not allow the value.
  func parsed(_ text: String?) throws(Failure) -> any Sendable
}

extension CommandOption {
  package var repeats: Bool { false }

  /// The option as the help shows it: `-o, --output FILE`.
  package var usage: String {
    (letter.map { "-\($0), " } ?? "") + "--\(name)" + (value.map { " \($0)" } ?? "")
  }
}

/// The value of an option, in a dictionary of values of many types.
struct ParsedValue<Value: Sendable>: Sendable {
  let value: Value
}
