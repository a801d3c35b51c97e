/// The calls of a subject and its rival, and what their arguments are. The orchestra that plays
/// both is written from this.
public struct CallPattern: Equatable, Sendable {
  /// A variable of the calls that the orchestra declares or computes.
  package struct Variable: Equatable, Sendable {
    package enum Kind: Equatable, Sendable {
      case output, signal
      /// A control, by its name without the letter of its rate.
      case control(String)
      case table(String)
    }

    package var name: String
    package var kind: Kind
    package var isArray: Bool

    /// The letter of its rate; `x` if each rate combination sets it.
    package var rate: Character { name.first! }
  }

  package let subject: CallCode
  /// Nil if the rival is called like the subject.
  package let rival: CallCode?
  package let controls: [String: ControlRange]
  package let tables: [String: String]
  /// The variables in order of appearance: those of the subject, then those that only the rival
  /// has.
  package let variables: [Variable]

  /// The length of the arrays in a call, in channels.
  package static let arrayLength = 8

  init(
    subject name: String, call: [String], rivalCall: [String]?, controls: [String: ControlRange],
    tables: [String: String]
  ) throws(PairingProblem) {
    subject = CallCode(call)
    rival = rivalCall.map(CallCode.init)
    self.controls = controls
    self.tables = tables
    guard subject.has(name) else { throw PairingProblem("'call' does not call \(name).") }
    try Self.check(controls, tables)
    let arrays = subject.arrays.union(rival?.arrays ?? [])
    var variables: [Variable] = []
    for (key, code) in [("call", subject), ("rivalCall", rival)] {
      guard let code else { continue }
      for name in code.writes + code.reads where !variables.contains(where: { $0.name == name }) {
        let kind = try Self.kind(of: name, in: code, key, controls, tables)
        guard let kind else { continue }
        variables.append(Variable(name: name, kind: kind, isArray: arrays.contains(name)))
      }
    }
    self.variables = variables
    try checkOutputs()
    try checkUse()
  }

  private static func check(
    _ controls: [String: ControlRange], _ tables: [String: String]
  ) throws(PairingProblem) {
    let names = (Array(controls.keys) + tables.keys).sorted()
    for name in names {
      guard name.wholeMatch(of: /[A-Za-z]\w*/.asciiOnlyWordCharacters()) != nil,
        !["in", "out"].contains(name)
      else { throw PairingProblem("'\(name)' cannot be the name of a control or a table.") }
      guard names.count(where: { $0.uppercased() == name.uppercased() }) == 1 else {
        throw PairingProblem("two of its controls and tables are called '\(name)'.")
      }
    }
    for (name, table) in tables.sorted(by: { $0.key < $1.key })
    where table.contains("\n") || !table.contains(",") {
      throw PairingProblem(
        "'tables.\(name)' is '\(table)'; it takes what follows 'ftgen', such as"
          + " \"0, 0, 8192, 10, 1\".")
    }
  }

  /// The kind of a variable; nil for one that the code itself assigns.
  private static func kind(
    of name: String, in code: CallCode, _ key: String, _ controls: [String: ControlRange],
    _ tables: [String: String]
  ) throws(PairingProblem) -> Variable.Kind? {
    if name.wholeMatch(of: /[aki]out\d*/) != nil { return .output }
    if name.wholeMatch(of: /[ak]in\d*/) != nil { return .signal }
    let bare = String(name.dropFirst())
    if name.contains(/^[akix]/), controls[bare] != nil { return .control(bare) }
    if name.hasPrefix("i"), tables[bare] != nil { return .table(bare) }
    if code.writes.contains(name) { return nil }
    guard name.count > 1, name.contains(/^[akix]/) else {
      throw PairingProblem(
        "'\(key)' has '\(name)', which is no signal, control or table; if the call needs it, give"
          + " an 'orchestra' instead.")
    }
    throw PairingProblem(
      "'\(name)' in '\(key)' has no range: give \"\(bare)\": [start, end] in 'controls'.")
  }

  private func checkOutputs() throws(PairingProblem) {
    let outputs = outputs.map(\.name)
    guard !outputs.isEmpty else {
      throw PairingProblem(
        "'call' has no output to compare: call it aout, kout or iout, or aout1, aout2 and so on.")
    }
    for (key, code) in [("call", subject), ("rivalCall", rival)] {
      guard let code else { continue }
      for name in outputs where !code.writes.contains(name) {
        throw PairingProblem("'\(key)' gives '\(name)' no value.")
      }
    }
  }

  /// Fails if a control or a table is not used by the calls, or if a control or table is an array.
  private func checkUse() throws(PairingProblem) {
    for name in controls.keys.sorted()
    where !variables.contains(where: { $0.kind == .control(name) }) {
      throw PairingProblem(
        "'controls' has '\(name)', which no call uses; there it is called k\(name), x\(name) or"
          + " i\(name).")
    }
    for name in tables.keys.sorted() where !variables.contains(where: { $0.kind == .table(name) }) {
      throw PairingProblem(
        "'tables' has '\(name)', which no call uses; there it is called i\(name).")
    }
    if let array = variables.first(where: { $0.isArray && ![.output, .signal].contains($0.kind) }) {
      throw PairingProblem(
        "'\(array.name)' is an array of controls; only signals and outputs can be arrays here.")
    }
  }

  // MARK: What the calls need

  package var outputs: [Variable] { variables.filter { $0.kind == .output } }
  package var signals: [Variable] { variables.filter { $0.kind == .signal } }

  /// The names of the controls in order of appearance.
  package var controlNames: [String] {
    var names: [String] = []
    for variable in variables {
      if case .control(let name) = variable.kind, !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// The rate letters with which a control appears in the calls.
  package func rates(of control: String) -> Set<Character> {
    Set(variables.filter { $0.kind == .control(control) }.map(\.rate))
  }

  /// Whether a control is used at i-time only, so that it is constant during a note.
  package func isInitTime(_ control: String) -> Bool { rates(of: control) == ["i"] }

  /// Whether the opcode runs at i-time only, so that each note is one call.
  package var isInitTime: Bool { outputs.allSatisfy { $0.rate == "i" } }

  package var hasAudioOutput: Bool { outputs.contains { $0.rate == "a" } }
  package var hasArrays: Bool { variables.contains(where: \.isArray) }
  package var audioSignals: [Variable] { signals.filter { $0.rate == "a" } }
  package var controlSignals: [Variable] { signals.filter { $0.rate == "k" } }
}
