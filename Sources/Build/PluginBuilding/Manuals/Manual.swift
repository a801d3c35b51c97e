import HarnessBase
import TypeLetters

/// The manual page of one opcode, read from the Swift files that define it, so that it says what
/// they say.
public struct Manual: Sendable {
  /// One argument of a form, or several that its struct declares and describes together.
  public struct Argument: Equatable, Sendable {
    /// As in the syntax, such as `ainL, ainR`.
    public var names: String
    public var isOutput: Bool
    /// The rates it can have, such as `a, k` or `k[]`.
    public var rates: String
    /// What Csound takes for it when it is left out; nil where it must be given.
    public var fallback: Double?
    public var text: String?
    /// How many arguments the row stands for, a list of any number counted as one.
    public var count: Int

    /// Whether another one's row can be this one's.
    func merges(_ other: Argument) -> Bool {
      text != nil && text == other.text && isOutput == other.isOutput && rates == other.rates
        && fallback == other.fallback
    }
  }

  /// A line of the syntax and the overloads it stands for.
  public struct Form: Sendable {
    public var syntax: Syntax
    /// The overloads' names with their suffixes.
    public var overloads: [String]
    public var arguments: [Argument]
  }

  /// What one source file says in its header.
  public struct Description: Sendable {
    /// The file, as it was found.
    public var path: String
    /// Lines of the syntax that call no opcode, such as a GEN routine's.
    public var otherSyntax: [String]
    public var comment: Comment
  }

  public var name: String
  /// What it does, in a line.
  public var summary: String
  /// Where Csound's manual would have it, such as `Signal Modifiers:Reverberation`, after the words
  /// `Category: ` on a line of the comment; nil where there is no such line.
  public var category: String?
  public var forms: [Form] = []
  public var descriptions: [Description] = []
  /// Where the source contradicts itself or says too little, a sentence each.
  public var problems: [String] = []

  /// The pages of all opcodes that Swift files in a directory and below register, by name.
  public static func all(in directory: String) throws(Failure) -> [Manual] {
    let sources = try OpcodeSource.all(in: directory)
    let names = Set(sources.flatMap { $0.registrations.map(\.opcode) })
    return names.sorted().map { Manual($0, sources) }
  }

  init(_ name: String, _ sources: [OpcodeSource]) {
    self.name = name
    let registrations = sources.flatMap(\.registrations).filter { $0.opcode == name }
    summary = registrations.map(\.summary).reduce(into: [String]()) { unique, text in
      if !text.isEmpty && !unique.contains(text) { unique.append(text) }
    }.joined(separator: "; ")
    for source in sources where source.unreadRegistrations > 0 {
      problems.append(
        "'\(source.path)' registers \(source.unreadRegistrations) overloads whose names and types cannot"
          + " be read from the text.")
    }
    let types = Set(registrations.map(\.type))
    var syntaxes: [Syntax] = []
    for source in sources {
      let isHome = source.arguments.keys.contains { types.contains($0) }
      guard isHome, let comment = source.comment(on: name) else { continue }
      syntaxes += addDescription(source.path, comment)
    }
    // A field without a comment has that of the same name in another struct of the opcode.
    var texts: [String: String] = [:]
    for source in sources {
      for field in types.sorted().compactMap({ source.arguments[$0] }).joined() {
        for name in field.names where texts[name] == nil { texts[name] = field.text }
      }
    }
    forms = syntaxes.map { Form(syntax: $0, overloads: [], arguments: []) }
    for registration in registrations {
      let fields = sources.lazy.compactMap { $0.arguments[registration.type] }.first
      add(registration, fields ?? [], texts)
    }
    for form in forms where form.overloads.isEmpty {
      problems.append("No overload has the syntax '\(form.syntax.text)'.")
    }
  }

  /// Reads the comment of a file; returns the opcode's lines of syntax.
  private mutating func addDescription(_ path: String, _ lines: [String]) -> [Syntax] {
    var head = lines.prefix { !$0.trimmingCharacters(in: .whitespaces).isEmpty }.map { $0 }
    var body = Array(lines.dropFirst(head.count))
    // `aout NAME ain: what it does.` goes on as a description in the same line.
    if let index = head.firstIndex(where: { $0.contains(": ") }) {
      let parts = head[index].split(separator: ":", maxSplits: 1)
      body = [parts[1].trimmingCharacters(in: .whitespaces)] + head[(index + 1)...] + body
      head = head[..<index] + [String(parts[0])]
    }
    for line in body where line.hasPrefix(Self.categoryMark) {
      add(category: line.dropFirst(Self.categoryMark.count).trimmingCharacters(in: .whitespaces))
    }
    body.removeAll { $0.hasPrefix(Self.categoryMark) }
    // Two to a line stand some spaces apart.
    let lines = head.flatMap { $0.split(separator: /\s{3,}/).map(String.init) }
    let syntaxes = lines.compactMap { Syntax($0, opcode: name) }
    let others = lines.filter { line in
      !syntaxes.contains { $0.text == line } && line.contains(/^f +#/)
    }
    descriptions.append(Description(path: path, otherSyntax: others, comment: Comment(body)))
    return syntaxes
  }

  private static let categoryMark = "Category: "

  private mutating func add(category other: String) {
    if let category, category != other {
      problems.append("'\(name)' has two categories, '\(category)' and '\(other)'.")
    }
    category = category ?? other
  }

  private mutating func add(
    _ overload: OpcodeSource.Registration, _ fields: [OpcodeSource.Field],
    _ texts: [String: String]
  ) {
    guard let outputs = TypeString(overload.outputs), let inputs = TypeString(overload.inputs)
    else {
      problems.append("The type strings of '\(overload.name)' cannot be read.")
      return
    }
    let index = forms.firstIndex { $0.syntax.fits(outputs: outputs, inputs: inputs) }
    guard let index else {
      problems.append(
        "'\(overload.name)' (outputs '\(overload.outputs)', inputs '\(overload.inputs)') has no line of"
          + " syntax in its file's header.")
      return
    }
    let syntax = forms[index].syntax
    let groups =
      (syntax.groups(of: outputs, .outputs) ?? []) + (syntax.groups(of: inputs, .inputs) ?? [])
    let letters = outputs.items + inputs.items
    guard fields.reduce(0, { $0 + $1.names.count }) == letters.count else {
      problems.append(
        "'\(overload.name)' has \(letters.count.counted("argument")) in its type strings, but its struct"
          + " '\(overload.type)' declares another number.")
      return
    }
    // Neighbours with the same comment are a row.
    var arguments: [Argument] = []
    let described = fields.flatMap { field in field.names.map { (name: $0, text: field.text) } }
    for (place, field) in described.enumerated() {
      let isOutput = place < outputs.items.count
      let side: TypeString.Side = isOutput ? .outputs : .inputs
      let letter = letters[place]
      let names = groups[place].map { $0.text + ($0.isRepeated ? ", …" : "") }
      let argument = Argument(
        names: names.joined(separator: ", "), isOutput: isOutput, rates: Self.rates(letter, side),
        fallback: side.isOptional(letter) ? letter.fallback : nil,
        text: field.text ?? texts[field.name], count: 1)
      if argument.text == nil {
        problems.append("'\(argument.names)' of '\(overload.name)' has no comment.")
      }
      if let last = arguments.last, last.merges(argument) {
        arguments[arguments.count - 1].names += ", " + argument.names
        arguments[arguments.count - 1].count += 1
      } else {
        arguments.append(argument)
      }
    }
    forms[index].overloads.append(overload.name)
    guard !forms[index].arguments.isEmpty else {
      forms[index].arguments = arguments
      return
    }
    guard forms[index].arguments.map(\.names) == arguments.map(\.names) else {
      problems.append(
        "'\(overload.name)' declares its arguments in other groups than '\(forms[index].overloads[0])'."
      )
      return
    }
    for place in arguments.indices {
      let both = [forms[index].arguments[place].rates, arguments[place].rates]
      forms[index].arguments[place].rates = Self.union(both.joined(separator: ", "))
    }
  }

  private static func rates(_ item: TypeString.Item, _ side: TypeString.Side) -> String {
    let letter = side.letter(of: item).flatMap { $0.isAnything ? nil : $0 }
    let types = letter?.types.map { String($0) } ?? [item.structure ?? String(item.letter)]
    let rate = types.joined(separator: ", ")
    return item.isArray ? rate + "[]" : rate
  }

  /// Each rate once, the fastest first.
  private static func union(_ rates: String) -> String {
    let unique = Set(rates.split(separator: ", ").map(String.init))
    let order = "akiSf"
    return unique.sorted { one, other in
      let places = [one, other].map { order.firstIndex(of: $0.first!) ?? order.endIndex }
      return places[0] == places[1] ? one < other : places[0] < places[1]
    }.joined(separator: ", ")
  }
}
