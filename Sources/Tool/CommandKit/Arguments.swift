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
  package var operands: [String] = []

  /// Fails if a word is no option of the command, if an option lacks its value or is given twice, or if it does not
  /// take the value given.
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
        throw .usage(
          "'\(word)' is no option of '\(command)'; ./opcodekit \(command) --help lists them.")
      case ":":
        throw .usage("'\(word)' needs a value; see ./opcodekit \(command) --help.")
      case let letter:
        let chosen = result == 0 ? options[Int(index)] : options.first { $0.letter == letter }!
        let text = getopt_value().map { String(cString: $0) } ?? ""
        if chosen.repeats, let before = given[chosen.name] {
          given[chosen.name] = before + "\n" + text
          continue
        }
        guard given[chosen.name] == nil else {
          throw .usage(
            "--\(chosen.name) is given twice; give it once. ./opcodekit \(command) --help explains it."
          )
        }
        given[chosen.name] = text
      }
    }
    operands = pointers[Int(getopt_index())..<words.count].map { String(cString: $0!) }
  }

  /// The option's value as given, or its standard value if it was not given or the command has no such option.
  package subscript<Value>(option: Option<Value>) -> Value {
    guard let value = values[option.name] else { return option.standard }
    guard let value = value as? ParsedValue<Value> else {
      fatalError("'\(command)' has an option --\(option.name) of another type than is read.")
    }
    return value.value
  }

  /// Whether an option was given.
  package func has(_ option: any CommandOption) -> Bool { given[option.name] != nil }

  /// The options among these that were given.
  package func given(_ options: any CommandOption...) -> [any CommandOption] {
    options.filter(has)
  }

  /// Whether the opcodes come from the plugin that the tool built, the package's or the kit's own, and not from one
  /// that `--plugin` names.
  package private(set) var takesBuiltPlugin = false

  /// What was given, without the path of the built plugin, which differs from machine to machine.
  var askedFor: [String: String] {
    given.filter { !takesBuiltPlugin || $0.key != Option.plugin.name }
  }

  /// Takes the opcodes from the plugin that was built for the current package, or from the kit's own.
  package mutating func take(builtPlugin path: String) {
    given[Option.plugin.name] = path
    values[Option.plugin.name] = ParsedValue<String?>(value: path)
    takesBuiltPlugin = true
  }

  /// Replaces each `x.orc`, with the `x.sco` behind it, by a CSD. `profile` shows lines of each file, so that its CSD
  /// includes the orchestra; other commands read definitions and panels in the CSD itself.
  package mutating func replaceOrchestras() throws(Failure) {
    let including = command == "profile"
    while let place = operands.firstIndex(where: { $0.hasSuffix(".orc") }) {
      let score = operands.dropFirst(place + 1).first.flatMap { $0.hasSuffix(".sco") ? $0 : nil }
      let csd = try OrchestraAndScore.csd(of: operands[place], score, including: including)
      operands.replaceSubrange(place...(score == nil ? place : place + 1), with: [csd])
    }
    if let path = given["against"], path.hasSuffix(".orc") {
      // Two versions of an orchestra play the same score.
      let score = operands.first.flatMap(OrchestraAndScore.source)?.score
      let csd = try OrchestraAndScore.csd(of: path, score, including: including)
      given["against"] = csd
      values["against"] = ParsedValue<String?>(value: csd)
    }
  }

  /// The only operand. Fails if there is none, or more than one; `what` says in the message what is needed.
  package func operand(_ what: String) throws(Failure) -> String {
    try requireOperands(atMost: 1)
    guard let operand = operands.first else {
      throw .usage("'\(command)' needs \(what); see ./opcodekit \(command) --help.")
    }
    return operand
  }

  /// Fails if there are more operands than the command takes.
  package func requireOperands(atMost limit: Int) throws(Failure) {
    guard operands.count <= limit else {
      throw .usage("'\(operands[limit])' is one word too many; see ./opcodekit \(command) --help.")
    }
  }
}
