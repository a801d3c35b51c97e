/// What stands in an orchestra for a line that is taken out.
///
/// A variable that nothing else assigns is set when the note begins, which is free: a signal to a
/// tenth of full scale, because silence is cheap for many opcodes, a control to 1; where something else
/// assigns it, the line is left out.
public struct LineRemoval: Equatable {
  /// Why a line cannot be taken out.
  public struct Refusal: Error, Equatable {
    public let reason: String
  }

  /// What a statement computes, and where it stands.
  public struct Statement {
    let body: String
    let file: Int
    let line: Int
    let outputs: [String]

    public init(body: String, file: Int, line: Int, outputs: [String]) {
      self.body = body
      self.file = file
      self.line = line
      self.outputs = outputs
    }
  }

  public let replacement: String

  /// Words of lines without which other lines would run, or the piece would be another one.
  private static let directing: Set<String> = [
    "if", "then", "else", "elseif", "endif", "while", "until", "for", "do", "od", "goto", "igoto",
    "kgoto", "cggoto", "cigoto", "ckgoto", "cngoto", "cnkgoto", "cingoto", "tigoto", "rigoto",
    "timout", "reinit", "rireturn", "return", "loop_lt", "loop_le", "loop_gt", "loop_ge", "turnoff",
    "turnoff2", "turnoff3", "exitnow", "ihold", "instr", "endin", "opcode", "endop", "xin", "xout",
    "setksmps", "event", "event_i", "schedule", "schedulek", "schedkwhen", "schedkwhennamed",
    "scoreline", "scoreline_i", "evalstr", "compileorc", "compilestr", "delayr",
  ]

  /// The line is one of `code`, counted from 1; `statements` are all of the piece.
  public init(line: Int, in code: [String], statements: [Statement]) throws(Refusal) {
    func refuse(_ reason: String) -> Refusal { Refusal(reason: reason) }
    let here = statements.filter { $0.file == 0 && $0.line == line }
    guard code.indices.contains(line - 1), !here.isEmpty else {
      throw refuse("it is in another file")
    }
    let text = code[line - 1].drop(while: \.isWhitespace)
    let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init)
    if let word = words.first(where: Self.directing.contains) {
      throw refuse("'\(word)' decides what else runs")
    }
    if text.hasPrefix("#") || text.hasPrefix("$") { throw refuse("it is a macro") }
    if text.contains(/^\w+:(\s|$)/) { throw refuse("it has a label") }
    let before = line >= 2 ? code[line - 2] : ""
    for part in [before, code[line - 1]]
    where part.reversed().first(where: { !$0.isWhitespace }) == "\\" {
      throw refuse("it goes on over several lines")
    }
    let bodies = Set(here.map(\.body))
    var outputs: [String] = []
    for name in here.flatMap(\.outputs) where !name.hasPrefix("#") && !outputs.contains(name) {
      outputs.append(name)
    }
    guard outputs.allSatisfy(words.contains) else { throw refuse("a macro is in it") }
    let open = outputs.filter { name in
      !statements.contains {
        $0.outputs.contains(name) && ($0.file, $0.line) != (0, line)
          && (name.hasPrefix("g") || bodies.contains($0.body))
      }
    }
    for name in open {
      let type = name.drop { $0 == "g" }.first
      if text.contains("\(name)[") { throw refuse("'\(name)' is an array") }
      switch type {
      case "a", "k": break
      case "i", "p": throw refuse("it works when notes begin, which other lines need")
      default: throw refuse("nothing free can stand for '\(name)'")
      }
    }
    let values = open.map { $0.drop { $0 == "g" }.first == "a" ? "0dbfs / 10" : "1" }
    replacement =
      open.isEmpty
      ? "" : open.joined(separator: ", ") + " init " + values.joined(separator: ", ")
  }
}
