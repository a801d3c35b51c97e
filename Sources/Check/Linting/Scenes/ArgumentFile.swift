import Foundation
import HarnessBase

/// Information about one argument of an opcode that its type letter does not give.
public struct ArgumentData: Codable, Equatable, Sendable {
  public var name: String?
  /// A value for ordinary use.
  public var typical: Double?
  /// Other values, each of which chooses other code.
  public var values: [Double]?
  /// The documented range.
  public var low: Double?
  public var high: Double?
  /// The argument is the number of a table: its size, GEN routine and arguments, as `ftgen` takes
  /// them after the time, such as `8192, 10, 1`.
  public var table: String?
  /// A valid string, and another valid string to which it can change during performance.
  public var string: String?
  public var otherString: String?
  /// The elements of an array.
  public var array: [Double]?
  /// Whether an audio argument is a control: it has a typical value.
  package var isControl: Bool { typical != nil }
}

/// Information about the arguments of opcodes, read from a JSON file.
public struct ArgumentFile: Codable, Sendable {
  package struct Entry: Codable, Sendable {
    /// One element for each input, in order. There may be fewer; nothing is known about the rest.
    package var inputs: [ArgumentData] = []
    /// The number of outputs to call it with, if the opcode takes any number.
    package var outputs: Int?
    /// Lines for the orchestra's header, such as `zakinit 8, 8`.
    package var header: [String]?
    /// Lines directly before and after the call that it needs, such as those that begin and end a delay line with taps.
    package var before, after: [String]?
    /// Lines after the call that read what it changes, such as a channel, into `aread`.
    package var reads: [String]?
    /// Whether it self-oscillates at some values within its ranges, like some resonant filters.
    package var oscillates: Bool?
  }

  /// The entries by the name of an opcode, of an overload, or by an opcode and its inputs, `table(xiooo)`. The last takes
  /// precedence, then the overload's.
  private var entries: [String: Entry] = [:]
  private var path = ""

  private enum CodingKeys: String, CodingKey { case entries }

  public init() {}

  public init(readingFrom path: String) throws(Failure) {
    self.path = path
    entries = try DataFile.read(
      [String: Entry].self, from: path,
      as: "an argument file, a JSON object of opcode names, each with a list 'inputs' of objects"
        + " with \(Self.inputKeys.joined(separator: ", "))")
    guard let (opcode, key) = Self.unknownKey(in: path) else { return }
    throw .badInput(
      "'\(path)' is no argument file: '\(opcode)' has an unknown key '\(key)'; an opcode has"
        + " \(Self.opcodeKeys.joined(separator: ", ")), an input"
        + " \(Self.inputKeys.joined(separator: ", ")).")
  }

  private static let opcodeKeys = [
    "inputs", "outputs", "header", "before", "after", "reads", "oscillates",
  ]
  private static let inputKeys = [
    "name", "typical", "values", "low", "high", "table", "string", "otherString", "array",
  ]

  /// The first unknown key, which is probably misspelt, and the opcode it belongs to.
  private static func unknownKey(in path: String) -> (opcode: String, key: String)? {
    let data = FileManager.default.contents(atPath: path) ?? Data()
    let whole = (try? JSONSerialization.jsonObject(with: data)) as? [String: [String: Any]] ?? [:]
    for (opcode, entry) in whole.sorted(by: { $0.key < $1.key }) {
      for key in entry.keys.sorted() where !opcodeKeys.contains(key) { return (opcode, key) }
      for input in entry["inputs"] as? [[String: Any]] ?? [] {
        for key in input.keys.sorted() where !inputKeys.contains(key) { return (opcode, key) }
      }
    }
    return nil
  }

  /// Fails if the file names an opcode or an overload that none of the signatures has, since the name is
  /// probably misspelt.
  public func requireNames(among signatures: [Signature]) throws(Failure) {
    let known = Set(signatures.flatMap { [$0.opcode, $0.name, "\($0.opcode)(\($0.inputs))"] })
    guard let name = entries.keys.filter({ !known.contains($0) }).min() else { return }
    let opcodes = Set(signatures.map(\.opcode)).sorted()
    let some = opcodes.prefix(30).joined(separator: ", ")
    let rest = opcodes.count > 30 ? " and \(opcodes.count - 30) more" : ""
    throw .badInput(
      "'\(path)' names '\(name)', which is none of the opcodes; there are \(some)\(rest).")
  }

  /// The opcodes it has entries for.
  package var opcodes: Set<String> {
    Set(entries.keys.map { String($0.prefix { !".(".contains($0) }) })
  }

  /// Whether there is an entry for an opcode.
  package func knows(_ opcode: String) -> Bool { opcodes.contains(opcode) }

  /// The entry for a signature; an empty one if there is none.
  package func entry(_ signature: Signature) -> Entry {
    entries["\(signature.opcode)(\(signature.inputs))"] ?? entries[signature.name]
      ?? entries[signature.opcode] ?? Entry()
  }

  /// Copies the entries of an opcode and its overloads to another name.
  package mutating func copy(_ name: String, to other: String) {
    for (key, entry) in entries where key == name || key.hasPrefix(name + ".") {
      entries[other + key.dropFirst(name.count)] = entry
    }
  }
}
