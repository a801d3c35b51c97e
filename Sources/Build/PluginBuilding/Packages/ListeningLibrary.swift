import Comparing
import Foundation
import HarnessBase
import Linting
import TypeLetters

/// What the page that plays the opcodes knows of them.
struct ListeningLibrary: Encodable {
  /// One form of an opcode: the overload that is played.
  struct Form: Encodable {
    var name: String
    var summary: String
    var syntax: String
    var overload: String
    /// The type letters, as the plugin registers them.
    var outputs: String
    var inputs: String
    /// The rate of each output and of each input: a, k or i.
    var outputRates: String
    var rates: String
    var arguments: [Input]
    var results: [Result]
    /// The place of the input that keys set: the frequency of an opcode that makes sound; nil where there is none.
    var pitch: Int?
  }

  struct Input: Encodable {
    enum Kind: String, Encodable { case signal, slider, number, table }

    var name: String
    var rate: String
    /// What the opcode's source says of it.
    var text: String?
    /// What the first sentence of that text says it is in, such as Hz.
    var unit: String?
    var kind: Kind
    /// The number it begins with; of a table, its number.
    var value: Double?
    /// The signal it begins with.
    var signal: String?
    var low: Double?
    var high: Double?
    var isWhole = false
    var isOptional = false
    /// Of a table, what `ftgen` makes it of.
    var table: String?
  }

  struct Result: Encodable {
    var name: String
    var rate: String
  }

  struct Table: Encodable {
    var number: Int
    /// With the guard point.
    var elements: [Float]
  }

  var opcodes: [Form] = []
  var tables: [Table] = []
  /// The opcodes that cannot be played there, sorted.
  var unplayed: [String] = []

  /// `pairings` give the ranges of arguments of which the argument file says nothing.
  init(
    of signatures: [Signature], _ manuals: [Manual], _ file: ArgumentFile, _ pairings: [Pairing],
    elements: (_ specifications: [String]) throws(Failure) -> [[Float]]
  ) throws(Failure) {
    var specifications: [String] = []
    for name in Set(signatures.map(\.opcode)).sorted() {
      // The page has no lines around a call.
      let own = signatures.filter {
        $0.opcode == name && Self.isPlayable($0) && file.entry($0).before == nil
          && file.entry($0).after == nil
      }
      let manual = manuals.first { $0.name == name }
      let forms = manual?.forms ?? []
      let described = Set(forms.flatMap(\.overloads))
      let groups =
        forms.map { form in (form as Manual.Form?, own.filter { form.overloads.contains($0.name) })
        }
        + [(nil, own.filter { !described.contains($0.name) })]
      // Of overloads with the same syntax, one that sounds, and whose controls are not audio.
      for (form, overloads) in groups {
        let chosen = overloads.min { Self.rank($0) < Self.rank($1) }
        guard let chosen else { continue }
        let ranges = pairings.first { $0.subject == name && $0.pattern != nil }?.pattern?.controls
        opcodes.append(
          Form(chosen, manual, form, file.entry(chosen), ranges ?? [:], &specifications))
      }
      if !opcodes.contains(where: { $0.name == name }) { unplayed.append(name) }
    }
    let made = try elements(specifications)
    tables = made.enumerated().map { Table(number: $0 + 1, elements: $1) }
  }

  private static func rank(_ signature: Signature) -> Int {
    (signature.outputs.contains(where: { "am".contains($0) }) ? 0 : 100)
      + signature.inputs.count { $0 == "a" }
  }

  /// Whether the page's engine can play it: it puts something out, and all arguments are numbers and signals.
  private static func isPlayable(_ signature: Signature) -> Bool {
    guard let outputs = places(signature.outputs, .outputs, repeated: 1),
      let inputs = places(signature.inputs, .inputs, repeated: 2)
    else { return false }
    return !outputs.isEmpty && outputs.count + inputs.count <= 60
  }

  /// The rate of each argument, a, k or i, and what is taken for it where it is left out; a letter that stands for any
  /// number of arguments is repeated. Nil where one is no number and no signal.
  fileprivate static func places(
    _ types: String, _ side: TypeString.Side, repeated: Int
  ) -> [(rate: String, fallback: Double?)]? {
    guard let items = TypeString(types)?.items else { return nil }
    var all: [(String, Double?)] = []
    for item in items {
      guard !item.isArray, let known = side.letter(of: item),
        let rate = ["a": "a", "k": "k", "i": "i", "ak": "k"][known.types]
      else { return nil }
      let count = known.isVariadic ? max(repeated, known.least ?? 0) : 1
      all += Array(repeating: (rate, known.fallback), count: count)
    }
    return all
  }
}

extension ListeningLibrary.Form {
  fileprivate init(
    _ signature: Signature, _ manual: Manual?, _ form: Manual.Form?, _ entry: ArgumentFile.Entry,
    _ ranges: [String: ControlRange], _ specifications: inout [String]
  ) {
    name = signature.opcode
    summary = manual?.summary ?? signature.opcode
    (overload, outputs, inputs) = (signature.name, signature.outputs, signature.inputs)
    syntax = form?.syntax.text ?? "\(signature.name) \(signature.outputs) \(signature.inputs)"
    let outs = ListeningLibrary.places(outputs, .outputs, repeated: entry.outputs ?? 1)!
    // As many as the argument file knows, for a letter that stands for any number.
    let least = ListeningLibrary.places(inputs, .inputs, repeated: 0)!.count
    let ins = ListeningLibrary.places(
      inputs, .inputs, repeated: entry.inputs.count > least ? entry.inputs.count - least : 2)!
    outputRates = outs.map(\.rate).joined()
    rates = ins.map(\.rate).joined()
    let names = form?.syntax.inputs.map(\.name) ?? []
    arguments = []
    for (place, (rate, fallback)) in ins.enumerated() {
      let data = place < entry.inputs.count ? entry.inputs[place] : nil
      let name = place < names.count ? names[place] : data?.name ?? "input \(place + 1)"
      let text = form?.text(of: name)
      var input = ListeningLibrary.Input(
        name: name, rate: rate, text: text, unit: text.flatMap(Self.unit), kind: .number,
        value: data?.typical ?? fallback ?? 1, isOptional: fallback != nil)
      if let table = data?.table {
        if !specifications.contains(table) { specifications.append(table) }
        input.kind = .table
        input.table = table
        input.value = Double(specifications.firstIndex(of: table)! + 1)
      } else if rate == "a", data?.typical == nil {
        input.kind = .signal
        // The right channel has the sound of the left one.
        let isFirst = !arguments.contains { $0.kind == .signal }
        input.signal = isFirst || name.hasSuffix("R") ? "plucks" : "sine"
        input.value = nil
      } else if let low = data?.low, let high = data?.high, low < high {
        input.setRange(low, high, at: data?.typical ?? fallback)
      } else if let range = ranges[name.bare] ?? ranges[name],
        case .number(let low) = range.start, case .number(let high) = range.end, low < high
      {
        input.setRange(low, high, at: fallback)
      }
      arguments.append(input)
    }
    if outputRates.contains("a"), !arguments.contains(where: { $0.kind == .signal }) {
      pitch = arguments.firstIndex {
        $0.unit == "Hz" || $0.text == nil && ["cps", "freq"].contains($0.name.bare)
      }
    }
    let resultNames = form?.syntax.outputs.map(\.name) ?? []
    results = outs.enumerated().map { place, output in
      ListeningLibrary.Result(
        name: place < resultNames.count ? resultNames[place] : "output \(place + 1)",
        rate: output.rate)
    }
  }
}

extension ListeningLibrary.Form {
  /// What the first sentence of a text says a number is in.
  private static func unit(in text: String) -> String? {
    let first = text.prefix(upTo: text.firstRange(of: ". ")?.lowerBound ?? text.endIndex)
    let units =
      /\b(?:in|many) (Hz|dB|seconds|milliseconds|samples|cycles|semitones|octaves|degrees|metres|cents)\b/
    return (try? units.ignoresCase().firstMatch(in: first)).map { String($0.1) }
  }
}

extension ListeningLibrary.Input {
  fileprivate mutating func setRange(_ low: Double, _ high: Double, at typical: Double?) {
    kind = .slider
    (self.low, self.high) = (low, high)
    // Where the range is wide, its geometric middle is nearer to ordinary use.
    let middle = low > 0 && high > 10 * low ? (low * high).squareRoot() : (low + high) / 2
    value = min(max(typical ?? middle, low), high)
    isWhole =
      rate == "i" && high - low <= 32 && [low, high, value!].allSatisfy { $0 == $0.rounded() }
  }
}

extension String {
  /// A name of an argument without the letter of its rate.
  fileprivate var bare: String { String(dropFirst()) }
}

extension Manual.Form {
  /// What the source says of an argument.
  fileprivate func text(of name: String) -> String? {
    arguments.first { argument in
      argument.names.split(separator: ", ").contains { $0 == name }
    }?.text
  }
}
