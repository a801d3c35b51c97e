/// The content of a pairing's file. Missing keys have a default or follow from the call.
struct PairingFile: Decodable {
  var group: String?
  var subject: String
  var subjectProduct: String?
  var rival: String?
  var rivalSource: String?
  var rivalLibraries: [String: String]?
  var rivalOpens: [String: String]?
  var accuracy: String?
  var orchestra: String?
  var call: Code?
  var rivalCall: Code?
  var controls: [String: ControlRange]?
  var tables: [String: String]?
  var tolerance: Double?
  var usesInstalledPlugins: Bool?
  var rates: [Variant]?
  var cases: [Case]?
  /// Cases in addition to the default cases or those in `cases`.
  var moreCases: [Case]?
  var sampleRates: [Double]?
  var ksmps: [Int]?
  var benchmark: Benchmark?
  var input: [String: String]?

  static let keys = [
    "": [
      "group", "subject", "subjectProduct", "rival", "rivalSource",
      "rivalLibraries", "rivalOpens", "accuracy", "orchestra", "call", "rivalCall", "controls",
      "tables", "tolerance", "usesInstalledPlugins", "rates", "cases", "moreCases",
      "sampleRates", "ksmps", "benchmark", "input",
    ],
    "rates": ["name", "macros"],
    "cases": caseKeys, "moreCases": caseKeys,
    "benchmark": [
      "macros", "sampleRate", "ksmps", "unit", "callsPerPass", "calls", "silence", "period",
    ],
  ]

  private static let caseKeys = ["name", "macros", "tolerance", "reason", "sampleRates"]

  /// One line of orchestra or a list of them.
  struct Code: Decodable {
    var lines: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let line = try? container.decode(String.self) {
        lines = line.split(separator: "\n").map(String.init)
      } else {
        lines = try container.decode([String].self)
      }
    }
  }

  /// A rate combination; without macros, the default rate combination of that name.
  struct Variant: Decodable {
    var name: String
    var macros: [String: String]?
  }

  /// A case; without macros, the default case of that name.
  struct Case: Decodable {
    var name: String
    var macros: [String: String]?
    var tolerance: Double?
    var reason: String?
    var sampleRates: [Double]?
  }

  struct Benchmark: Decodable {
    var macros: [String: String]?
    var sampleRate: Double?
    var ksmps: [Int]?
    var unit: Pairing.Unit?
    var callsPerPass: Int?
    var calls: Int?
    var silence: [String: String]?
    var period: Int?
  }
}

extension PairingFile {
  /// The calls of both opcodes; nil if the file names an orchestra instead.
  var pattern: CallPattern? {
    get throws(PairingProblem) {
      guard let call else {
        guard orchestra != nil else {
          throw PairingProblem(
            "it has neither 'call', a line that calls \(subject), nor 'orchestra', a CSD.")
        }
        let others = [
          ("rivalCall", rivalCall != nil), ("controls", controls != nil), ("tables", tables != nil),
          ("moreCases", moreCases != nil),
        ]
        if let (key, _) = others.first(where: \.1) {
          throw PairingProblem("'\(key)' goes with 'call', not with 'orchestra'.")
        }
        return nil
      }
      guard orchestra == nil else {
        throw PairingProblem("it has both 'call' and 'orchestra'; give only one of them.")
      }
      return try CallPattern(
        subject: subject, call: call.lines, rivalCall: rivalCall?.lines, controls: controls ?? [:],
        tables: tables ?? [:])
    }
  }

  func rates(_ pattern: CallPattern?) throws(PairingProblem) -> [Pairing.Variant] {
    guard let rates else { return try Self.require(pattern?.rates, "rates") }
    return try rates.map { item throws(PairingProblem) in
      if let macros = item.macros { return Pairing.Variant(name: item.name, macros: macros) }
      return try Self.known(item.name, in: pattern?.rates ?? [], \.name, "rates")
    }
  }

  func cases(_ pattern: CallPattern?) throws(PairingProblem) -> [Pairing.Case] {
    let known = pattern?.cases ?? []
    let list =
      if let cases { try self.cases(cases, known) } else {
        try Self.require(pattern?.cases, "cases")
      }
    return try list + self.cases(moreCases ?? [], known)
  }

  private func cases(
    _ cases: [Case], _ known: [Pairing.Case]
  ) throws(PairingProblem) -> [Pairing.Case] {
    try cases.map { item throws(PairingProblem) in
      var whole =
        if let macros = item.macros {
          Pairing.Case(name: item.name, macros: macros)
        } else {
          try Self.known(item.name, in: known, \.name, "cases")
        }
      whole.tolerance = item.tolerance
      whole.reason = item.reason
      whole.sampleRates = item.sampleRates
      return whole
    }
  }

  func benchmark(_ pattern: CallPattern?) throws(PairingProblem) -> Pairing.Benchmark {
    guard pattern != nil || benchmark != nil else { return try Self.require(nil, "benchmark") }
    var whole = pattern?.benchmark
    guard let benchmark else { return whole! }
    if whole == nil {
      whole = Pairing.Benchmark(
        macros: try Self.require(benchmark.macros, "benchmark.macros"), sampleRate: 48_000,
        ksmps: [1, 16, 64, 1024], unit: try Self.require(benchmark.unit, "benchmark.unit"))
    }
    whole!.macros.merge(benchmark.macros ?? [:]) { $1 }
    if let value = benchmark.sampleRate { whole!.sampleRate = value }
    if let value = benchmark.ksmps { whole!.ksmps = value }
    if let value = benchmark.unit { whole!.unit = value }
    if let value = benchmark.callsPerPass { whole!.callsPerPass = value }
    if let value = benchmark.calls { whole!.calls = value }
    if let value = benchmark.silence { whole!.silence = value.isEmpty ? nil : value }
    if let value = benchmark.period { whole!.period = value }
    return whole!
  }

  private static func require<Value>(
    _ value: Value?, _ key: String
  ) throws(PairingProblem) -> Value {
    guard let value else { throw PairingProblem("'\(key)' is missing.") }
    return value
  }

  /// The default item with the name of an entry that has no macros.
  private static func known<Item>(
    _ name: String, in items: [Item], _ itemName: (Item) -> String, _ key: String
  ) throws(PairingProblem) -> Item {
    guard let item = items.first(where: { itemName($0) == name }) else {
      guard !items.isEmpty else {
        throw PairingProblem("'macros' of '\(name)' in '\(key)' is missing.")
      }
      throw PairingProblem(
        "'\(name)' in '\(key)' has no 'macros' and is none of the kit's own, which are"
          + " '\(items.map(itemName).joined(separator: "', '"))'.")
    }
    return item
  }
}
