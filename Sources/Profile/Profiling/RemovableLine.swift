/// A line of a piece whose performance passes can be left out while the piece plays.
///
/// Its last results stay in its variables, so that other lines continue with those values.
public struct RemovableLine: Equatable {
  /// Why a line cannot be left out.
  public struct Refusal: Error, Equatable {
    public let reason: String
  }

  /// Words of lines that branch.
  private static let branching: Set<String> = [
    "if", "elseif", "while", "until", "for", "goto", "igoto", "kgoto", "cggoto", "cigoto", "ckgoto",
    "cngoto", "cnkgoto", "cingoto", "tigoto", "rigoto", "timout", "loop_lt", "loop_le", "loop_gt",
    "loop_ge",
  ]
  /// The branching words, and others whose removal would change which code runs or which notes play.
  private static let directing: Set<String> = branching.union([
    "then", "else", "endif", "do", "od", "reinit", "rireturn", "return", "turnoff", "turnoff2",
    "turnoff3", "exitnow", "ihold", "instr", "endin", "opcode", "endop", "xin", "xout", "setksmps",
    "event", "event_i", "schedule", "schedulek", "schedkwhen", "schedkwhennamed", "scoreline",
    "scoreline_i", "evalstr", "compileorc", "compilestr", "delayr",
  ])
  /// Opcodes whose output is a trigger: nonzero in a k-cycle, it starts something else.
  private static let starting: Set<String> = [
    "metro", "metro2", "trigger", "changed", "changed2", "seqtime", "seqtime2", "timedseq", "dust",
    "gausstrig", "trigseq", "splitrig",
  ]

  /// The line's statements, each by the index of its body and its own index there.
  public let statements: [VariantsJob.Statement]

  /// - Parameters:
  ///   - code: the line without comments and strings; nil if it was compiled during the performance.
  ///   - calls: the line's statements.
  ///   - deciding: the words of lines that branch, among them the variables in conditions.
  public init(code: String?, calls: [Profile.Call], deciding: Set<String>) throws(Refusal) {
    func refuse(_ reason: String) -> Refusal { Refusal(reason: reason) }
    guard let code else { throw refuse("it was compiled in performance") }
    let words =
      Self.words(of: code)
      + calls.filter { !$0.isOfExpression }.map(\.opcode)
    if let word = words.first(where: Self.directing.contains) {
      throw refuse("'\(word)' decides what else runs")
    }
    if let word = words.first(where: Self.starting.contains) {
      throw refuse("what '\(word)' says starts something else")
    }
    let trimmed = code.drop(while: \.isWhitespace)
    if trimmed.contains(/^\w+:(\s|$)/) { throw refuse("it has a label") }
    if let output = calls.flatMap(\.outputs).first(where: deciding.contains) {
      throw refuse("'\(output)' decides what else runs")
    }
    guard calls.contains(where: { $0.passes > 0 }) else {
      throw refuse("it works when notes begin only")
    }
    if let spectrum = calls.flatMap(\.outputs).first(where: { $0.drop { $0 == "g" }.first == "f" })
    {
      throw refuse("what comes after '\(spectrum)' works on new spectra only")
    }
    var statements: Set<VariantsJob.Statement> = []
    for call in calls {
      guard let body = call.bodyPlace else { throw refuse("it was compiled in performance") }
      statements.insert(.init(body: body, index: call.index))
    }
    self.statements = statements.sorted { ($0.body, $0.index) < ($1.body, $1.index) }
  }
}

extension RemovableLine {
  static func words(of code: String) -> [String] {
    code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
  }

  /// The words of all lines that branch, among them the variables in their conditions.
  static func deciding(in code: [String]) -> Set<String> {
    Set(
      code.map(words).filter { $0.contains(where: branching.contains) }.joined()
        .filter { !directing.contains($0) })
  }
}

extension Profile.Call {
  /// Whether the call's opcode is an operator.
  fileprivate var isOfExpression: Bool { opcode.first?.isLetter != true }
}
