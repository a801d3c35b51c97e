import CGetopt
import Foundation
import HarnessBase

/// The words after a command, sorted into options and operands, and the options' values.
package struct Arguments {
  package let command: String
  /// What each option was given, by its name; for a switch it is empty.
  package private(set) var given: [String: String] = [:]
  /// The value of each option of the command, as `CommandOption` reads it.
  private var values: [String: any Sendable] = [:]
  package private(set) var operands: [String] = []

  /// Fails where a word is no option of the command's, or where an option does not take its value.
  package init(
    of command: String, options: [any CommandOption], words: [String]
  ) throws(Failure) {
    self.command = command
    try sort(words, options)
    for option in options { values[option.name] = try option.parsed(given[option.name]) }
  }

  private mutating func sort(
    _ words: [String], _ options: [any CommandOption]
  ) throws(Failure) {
    let words = ([command] + words).map { strdup($0) }
    let names = options.map { strdup($0.name) }
    defer { for string in words + names { free(string) } }
    var pointers = words + [nil]
    var table = zip(options, names).map { item, name in
      option(name: name, has_arg: item.value == nil ? 0 : 1, flag: nil, val: 0)
    }
    table.append(option())
    // A leading ':' tells a missing value from an unknown option.
    let letters =
      ":"
      + options.compactMap { item in
        item.letter.map { String($0) + (item.value == nil ? "" : ":") }
      }.joined()

    getopt_restart()
    while true {
      var index: Int32 = 0
      let result = getopt_long(Int32(words.count), &pointers, letters, &table, &index)
      if result == -1 { break }
      let word = String(cString: words[max(1, Int(getopt_index()) - 1)]!)
      switch Character(UnicodeScalar(UInt8(result))) {
      case "?":
        throw Failure(
          .usage,
          "'\(word)' is no option of '\(command)'; ./opcodekit \(command) --help lists them.")
      case ":":
        throw Failure(.usage, "'\(word)' needs a value; see ./opcodekit \(command) --help.")
      case let letter:
        let chosen = result == 0 ? options[Int(index)] : options.first { $0.letter == letter }!
        guard given[chosen.name] == nil else {
          throw Failure(
            .usage,
            "--\(chosen.name) is given twice; give it once. ./opcodekit \(command) --help explains it."
          )
        }
        given[chosen.name] = getopt_value().map { String(cString: $0) } ?? ""
      }
    }
    operands = pointers[Int(getopt_index())..<words.count].map { String(cString: $0!) }
  }

  /// The value of the command's option of this name: the one that was given, or else its standard. Where the
  /// command has no such option, the standard of this one.
  package subscript<Value>(option: Option<Value>) -> Value {
    guard let value = values[option.name] else { return option.standard }
    guard let value = value as? ParsedValue<Value> else {
      fatalError("'\(command)' has an option --\(option.name) of another type than is read.")
    }
    return value.value
  }

  /// Whether an option was given.
  package func has(_ option: any CommandOption) -> Bool { given[option.name] != nil }

  /// Those of the options that were given.
  package func given(_ options: any CommandOption...) -> [any CommandOption] {
    options.filter(has)
  }

  /// Whether the plugin is not one that was asked for, but that of the package the tool is used in or the
  /// kit's own.
  package private(set) var takesBuiltPlugin = false

  /// What was given, without that plugin, which lies elsewhere on another machine.
  var askedFor: [String: String] {
    given.filter { !takesBuiltPlugin || $0.key != Option.plugin.name }
  }

  /// Takes the opcodes from the plugin that was built of the package the tool is used in, or of the kit's own.
  package mutating func take(builtPlugin path: String) {
    given[Option.plugin.name] = path
    values[Option.plugin.name] = ParsedValue<String?>(value: path)
    takesBuiltPlugin = true
  }

  /// The one operand there must be, `what` for the user.
  package func operand(_ what: String) throws(Failure) -> String {
    try requireOperands(atMost: 1)
    guard let operand = operands.first else {
      throw Failure(
        .usage, "'\(command)' needs \(what); see ./opcodekit \(command) --help.")
    }
    return operand
  }

  /// Throws when there are more operands than the command takes.
  package func requireOperands(atMost limit: Int) throws(Failure) {
    guard operands.count <= limit else {
      throw Failure(
        .usage,
        "'\(operands[limit])' is one word too many; see ./opcodekit \(command) --help.")
    }
  }
}
