import TypeLetters

extension NewOpcode {
  /// A CSD that plays the opcode for three seconds.
  var orchestra: String {
    var lines: [String] = []
    let given = inputs.filter { !$0.isOptional }
    var words: [String] = []
    for (index, input) in given.enumerated() {
      let (line, word) = source(of: input, number: index + 1)
      if let line { lines.append(line) }
      words.append(word)
    }
    let results = outputs.map(result)
    lines.append(
      [results.map(\.name).joined(separator: ", "), name, words.joined(separator: ", ")]
        .filter { !$0.isEmpty }.joined(separator: " "))
    lines += results.map(\.sound)
    let body = lines.map { "  " + $0 }.joined(separator: "\n")
    return """
      <CsoundSynthesizer>
      <CsInstruments>
      ; \(name), three seconds of it.
      sr = 48000
      ksmps = 32
      nchnls = 1
      0dbfs = 1

      instr 1
      \(body)
      endin
      </CsInstruments>
      <CsScore>
      i1 0 3
      </CsScore>
      </CsoundSynthesizer>

      """
  }

  /// The line that makes an input, if it needs one, and the word for the input in the call.
  private func source(of input: Argument, number: Int) -> (line: String?, word: String) {
    let word = "\(input.field)\(number)"
    let pitch = 110 * (number + 1)
    if input.item.isArray {
      return switch input.item.letter {
      case "a":
        (
          "a\(word)[] init 2\n  a\(word)[0] vco2 0.2, \(pitch)\n  a\(word)[1] vco2 0.2, \(pitch * 3 / 2)",
          "a\(word)"
        )
      case "k", "i":
        ("\(input.item.letter)\(word)[] fillarray 0.5, 0.8", "\(input.item.letter)\(word)")
      default: ("S\(word)[] fillarray \"one\", \"two\"", "S\(word)")
      }
    }
    return switch input.item.letter {
    case "a", "y": ("a\(word) vco2 0.3, \(pitch)", "a\(word)")
    case "k", "x", "z": ("k\(word) line 0.2, p3, 1", "k\(word)")
    case "f":
      ("a\(word) vco2 0.3, \(pitch)\n  f\(word) pvsanal a\(word), 1024, 256, 1024, 1", "f\(word)")
    case "S", "W": (nil, "\"\(input.field)\"")
    case "Z": ("k\(word) line 0.2, p3, 1\n  a\(word) vco2 0.3, \(pitch)", "k\(word), a\(word)")
    default: (nil, "0.7")
    }
  }

  /// The variable of an output, and the line that plays or prints it.
  private func result(_ output: Argument) -> (name: String, sound: String) {
    let (letter, before, after) =
      switch output.item.letter {
      case "a", "m": ("a", "out ", "")
      case "k", "z": ("k", "out oscili(0.3, 220 * (1 + ", "))")
      case "i", "I": ("i", "out oscili(0.3, 220 * (1 + ", "))")
      case "f", "F": ("f", "out pvsynth(", ")")
      default: ("S", "prints ", "")
      }
    let word = letter + output.field
    guard output.item.isArray else { return (word, before + word + after) }
    return (word + "[]", before + word + "[0]" + after)
  }

  /// `arguments.json` with the table that the opcode reads, added to what is there already.
  func arguments(after existing: String?) -> String {
    let names = inputs.dropLast().map { "{ \"name\": \"\($0.name)\" }, " }.joined()
    let table = "{ \"name\": \"ifn\", \"table\": \"8192, 10, 1\" }"
    let entry = "  \"\(name)\": { \"inputs\": [\(names)\(table)] }\n}\n"
    guard let existing, let end = existing.lastIndex(of: "}"), existing.contains(":") else {
      return "{\n" + entry
    }
    let before = existing[..<end]
    return before.prefix(through: before.lastIndex { !$0.isWhitespace } ?? before.startIndex)
      + ",\n" + entry
  }

  /// A pairing that compares the opcode with the same in Csound's language; nil if the standard orchestra cannot
  /// provide its arguments.
  var pairing: String? {
    let isSimple = (outputs + inputs).allSatisfy { !$0.item.isArray && !$0.isVariadic }
    guard isSimple, outputs.count == 1, "ak".contains(outputs[0].item.letter),
      inputs.allSatisfy({ "akxiopqvjhOPVJ".contains($0.item.letter) })
    else { return nil }
    let given = inputs.filter { !$0.isOptional }
    let signals = given.filter { $0.item.letter == "a" }
    func word(_ argument: Argument) -> String {
      guard argument.item.letter == "a" else { return argument.name }
      return signals.count > 1
        ? "ain\(signals.firstIndex { $0.field == argument.field }! + 1)" : "ain"
    }
    let out = outputs[0].item.letter == "a" ? "aout" : "kout"
    let factors = given.filter { $0.item.letter != "a" }
    guard out == "aout" || signals.isEmpty && factors.allSatisfy({ $0.item.letter != "x" }) else {
      return nil
    }
    var product = factors.map(word)
    var before = ""
    if !signals.isEmpty {
      product.insert(
        signals.count > 1 ? "(\(signals.map(word).joined(separator: " + ")))" : word(signals[0]),
        at: 0)
    } else if out == "aout" {
      before = readsTable ? "" : "aphase phasor 220\\n"
      product.insert(readsTable ? "poscil(1, 220)" : "sin(2 * $M_PI * aphase)", at: 0)
    }
    let value = product.isEmpty ? "1" : product.joined(separator: " * ")
    let controls = factors.map { "\"\($0.field)\": [0.2, 1]" }.joined(separator: ", ")
    let call = "\(out) \(name)\(given.isEmpty ? "" : " ")\(given.map(word).joined(separator: ", "))"
    return """
      {
        "subject": "\(name)",
        "rival": "\(name)_in_Csound",
        "call": "\(call)",
        "rivalCall": "\(before)\(out) = \(value)"\(controls.isEmpty ? "" : ",\n  \"controls\": { \(controls) }")
      }

      """
  }
}
