import CGetopt
import Foundation
import HarnessBase
import Targets
import Workers

/// One option of a command, as `getopt_long` and the help text need it.
package struct Option: Equatable, Sendable {
  package let name: String
  package var letter: Character?
  /// What its value is called in the help; nil for a switch.
  package var value: String?
  package let help: String

  package init(name: String, letter: Character? = nil, value: String? = nil, help: String) {
    self.name = name
    self.letter = letter
    self.value = value
    self.help = help
  }

  package static let ksmps = Option(
    name: "ksmps", value: "LIST", help: "Only these ksmps, such as 1,64.")
  package static let rates = Option(
    name: "rates", value: "LIST", help: "Only these rates, such as kk,aa.")
  package static let sampleRate = Option(
    name: "sample-rate", value: "LIST", help: "Only these sample rates, such as 44100,96000.")
  package static let json = Option(
    name: "json", value: "FILE", help: "Also write the results as JSON.")
  package static let macros = Option(
    name: "omacro", value: "NAME=VALUE,…", help: "Set orchestra macros, separated by commas.")
  package static let junit = Option(
    name: "junit", value: "FILE", help: "Also write the results as JUnit XML.")
  package static let markdown = Option(
    name: "markdown", value: "FILE", help: "Also write a summary for a CI job's page.")
  package static let duration = Option(
    name: "duration", value: "SECONDS", help: "Stop after so much sound.")
  package static let oneRate = Option(
    name: "sample-rate", value: "HZ", help: "Render at this sample rate.")
  package static let oneKsmps = Option(name: "ksmps", value: "N", help: "Render at this ksmps.")
  package static let arguments = Option(
    name: "arguments", value: "FILE",
    help: "What is known of arguments; PLUGIN.arguments.json beside a plugin unless given.")
  package static let sources = Option(
    name: "sources", value: "DIR",
    help: "Read the Swift files in this directory and below, not the tool's or the package's.")
  /// What `timeLimit` of the arguments reads.
  package static func timeLimit(_ standard: Double = WorkerPool.defaultTimeLimit) -> Option {
    Option(
      name: "time-limit", value: "SECONDS",
      help: "Stop what gives no sign of life for so long; \(Int(standard)) unless given.")
  }
  package static let arch = Option(
    name: "arch", value: "PROCESSOR",
    help:
      "Play on this kind of processor, \(Processor.names), emulated where this machine is not one.")
  package static let playedCsound = Option(
    name: "csound", value: "6|7",
    help: "Play with this Csound: 7 is the release that PyPI has, in a process of its own.")
  package static let toolCsound = Option(
    name: "csound", value: "6|7",
    help: "Do it in this Csound: 7 is the release that PyPI has, with a tool built for it.")
  package static let plugin = Option(
    name: "plugin", value: "FILE",
    help: "Take the opcodes from this plugin, not from the tool or the package.")
}

/// The words after a command, sorted into options and operands.
package struct Arguments {
  package let command: String
  package private(set) var values: [String: String] = [:]
  package private(set) var operands: [String] = []

  package init(of command: String, options: [Option], words: [String]) throws(Failure) {
    self.command = command
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
        guard values[chosen.name] == nil else {
          throw Failure(
            .usage,
            "--\(chosen.name) is given twice; give it once. ./opcodekit \(command) --help explains it."
          )
        }
        values[chosen.name] = getopt_value().map { String(cString: $0) } ?? ""
      }
    }
    operands = pointers[Int(getopt_index())..<words.count].map { String(cString: $0!) }
  }

  package subscript(option: Option) -> String? { values[option.name] }

  /// Whether the plugin is not one that was asked for, but that of the package the tool is used in or the
  /// kit's own.
  package private(set) var takesBuiltPlugin = false

  /// The values without that plugin, which lies elsewhere on another machine.
  var askedFor: [String: String] {
    values.filter { !takesBuiltPlugin || $0.key != Option.plugin.name }
  }

  /// Takes the opcodes from the plugin that was built of the package the tool is used in, or of the kit's own.
  package mutating func take(builtPlugin path: String) {
    values[Option.plugin.name] = path
    takesBuiltPlugin = true
  }

  /// The whole numbers of an option such as `1,16,64`.
  package func wholeNumbers(_ option: Option, _ allowed: ClosedRange<Int>) throws(Failure) -> [Int]?
  {
    try list(option, Self.words("whole numbers", allowed), Self.number(in: allowed))
  }

  /// The numbers of an option such as `44100,48000`.
  package func numbers(_ option: Option, _ allowed: ClosedRange<Double>) throws(Failure)
    -> [Double]?
  {
    try list(option, Self.words("numbers", allowed), Self.number(in: allowed))
  }

  /// The names of an option such as `kk,aa`.
  package func names(_ option: Option) throws(Failure) -> [String]? {
    try list(option, "names") { $0.isEmpty ? nil : $0 }
  }

  /// The orchestra macros of `--omacro`.
  package func macros() throws(Failure) -> [String: String]? {
    guard let words = try names(.macros) else { return nil }
    var macros: [String: String] = [:]
    for text in words {
      guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
        throw Failure(.usage, "--omacro is '\(text)'; it takes NAME=VALUE.")
      }
      macros[String(text[..<equals])] = String(text[text.index(after: equals)...])
    }
    return macros
  }

  private func list<Element: Hashable>(
    _ option: Option, _ allowed: String, _ parse: (String) -> Element?
  ) throws(Failure) -> [Element]? {
    guard let text = self[option] else { return nil }
    var seen: [Element] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let element = parse(part.trimmingCharacters(in: .whitespaces)) else {
        throw Failure(
          .usage, "--\(option.name) is '\(text)'; it takes \(allowed), separated by commas.")
      }
      if !seen.contains(element) { seen.append(element) }
    }
    return seen
  }

  /// One number of an option.
  package func number(_ option: Option, _ allowed: ClosedRange<Double>) throws(Failure) -> Double? {
    try one(option, Self.words("a number", allowed), Self.number(in: allowed))
  }

  /// One whole number of an option.
  package func wholeNumber(_ option: Option, _ allowed: ClosedRange<Int>) throws(Failure) -> Int? {
    try one(option, Self.words("a whole number", allowed), Self.number(in: allowed))
  }

  private func one<Element>(
    _ option: Option, _ allowed: String, _ parse: (String) -> Element?
  ) throws(Failure) -> Element? {
    guard let text = self[option] else { return nil }
    guard let element = parse(text) else {
      throw Failure(.usage, "--\(option.name) is '\(text)'; it takes \(allowed).")
    }
    return element
  }

  /// Reads a number of a range.
  private static func number<Bound: LosslessStringConvertible>(
    in allowed: ClosedRange<Bound>
  ) -> (String) -> Bound? {
    { Bound($0).flatMap { allowed.contains($0) ? $0 : nil } }
  }

  private static func words<Bound>(_ kind: String, _ allowed: ClosedRange<Bound>) -> String {
    func short(_ bound: Bound) -> String {
      (bound as? Double).map { String(format: "%g", $0) } ?? "\(bound)"
    }
    return "\(kind) from \(short(allowed.lowerBound)) to \(short(allowed.upperBound))"
  }

  /// Seconds without a sign of life after which a worker is stopped.
  package func timeLimit(_ standard: Double = WorkerPool.defaultTimeLimit) throws(Failure) -> Double
  {
    try number(.timeLimit(), 0.1...86_400) ?? standard
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
