/// A line of a piece that can be left out while the piece plays: its statements' performance passes.
///
/// What it has computed last stays, so that other lines go on with values as they were.
public struct RemovableLine: Equatable {
  /// Why a line cannot be left out.
  public struct Refusal: Error, Equatable {
    public let reason: String
  }

  /// Words of lines that go on with one line or another.
  private static let branching: Set<String> = [
    "if", "elseif", "while", "until", "for", "goto", "igoto", "kgoto", "cggoto", "cigoto", "ckgoto",
    "cngoto", "cnkgoto", "cingoto", "tigoto", "rigoto", "timout", "loop_lt", "loop_le", "loop_gt",
    "loop_ge",
  ]
  /// More words without which other lines would run, or the piece would be another one.
  private static let directing: Set<String> = branching.union([
    "then", "else", "endif", "do", "od", "reinit", "rireturn", "return", "turnoff", "turnoff2",
    "turnoff3", "exitnow", "ihold", "instr", "endin", "opcode", "endop", "xin", "xout", "setksmps",
    "event", "event_i", "schedule", "schedulek", "schedkwhen", "schedkwhennamed", "scoreline",
    "scoreline_i", "evalstr", "compileorc", "compilestr", "delayr",
  ])
  /// Opcodes whose value starts something else in the k-cycle in which it is not 0.
  private static let starting: Set<String> = [
    "metro", "metro2", "trigger", "changed", "changed2", "seqtime", "seqtime2", "timedseq", "dust",
    "gausstrig", "trigseq", "splitrig",
  ]

  /// Its statements, by the place of their body and their own.
  public let statements: [VariantsJob.Statement]

  /// - Parameters:
  ///   - code: the line without comments and strings, nil where it was compiled in performance.
  ///   - calls: its statements.
  ///   - deciding: the words of lines that go on with one line or another.
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

  /// The words of lines that go on with one line or another: among them are the variables that say with
  /// which.
  static func deciding(in code: [String]) -> Set<String> {
    Set(
      code.map(words).filter { $0.contains(where: branching.contains) }.joined()
        .filter { !directing.contains($0) })
  }
}

extension Profile.Call {
  /// Whether its opcode is an operator.
  fileprivate var isOfExpression: Bool { opcode.first?.isLetter != true }
}
