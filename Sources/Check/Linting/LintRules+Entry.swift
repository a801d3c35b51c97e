import CCsound
import TypeLetters

/// Rules about a single signature: its name, its type letters, its functions.
extension LintRules {
  static let reservedWords: Set<String> = [
    "if", "then", "ithen", "kthen", "elseif", "else", "endif", "fi", "until", "while", "do", "od",
    "enduntil", "goto", "igoto", "kgoto", "sr", "kr", "ksmps", "nchnls", "nchnls_i", "A4", "0dbfs",
    "instr", "endin", "opcode", "endop",
  ]

  /// Csound's function syntax copies the name into an array of this many bytes.
  static let functionNameBytes = 80

  func name(_ signature: Signature) -> Finding? {
    let name = signature.opcode
    if Self.reservedWords.contains(name) {
      return .fault(
        .nameUnparsable, signature,
        "\(signature.subject): '\(name)' is a word of Csound's language, so no orchestra can call"
          + " it; take another name.")
    }
    // A plugin may add overloads to operators, whose names are not words.
    let isOperator = name.hasPrefix("##") || name == "=" || name == ":cond"
    let isWord =
      name.first.map { !$0.isNumber } ?? false
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    guard isWord || isOperator else {
      return .fault(
        .nameUnparsable, signature,
        "\(signature.subject): Csound cannot parse the name '\(name)'; a name is a letter or '_',"
          + " then letters, digits or '_', then a '.' and a suffix if it has overloads.")
    }
    guard name.utf8.count >= Self.functionNameBytes, !signature.outputs.isEmpty else { return nil }
    return .fault(
      .nameTooLong, signature,
      "\(signature.subject): its name has \(name.utf8.count) characters, and with"
        + " \(Self.functionNameBytes) or more a call written as a function overwrites Csound's"
        + " stack; shorten it.")
  }

  func typeStrings(_ signature: Signature) -> [Finding] {
    [
      typeString(signature.outputs, .outputs, of: signature),
      typeString(signature.inputs, .inputs, of: signature),
    ].compactMap(\.self)
  }

  private func typeString(
    _ text: String, _ side: TypeString.Side, of signature: Signature
  ) -> Finding? {
    guard let types = TypeString(text) else {
      guard text.replacing("[]", with: "").contains(/[\[\]]/) else {
        return .fault(
          .typeLetter, signature,
          "\(signature.subject): '\(text)' has a colon that begins no struct, so no call is accepted; the"
            + " type of a struct of Csound 7 is ':', its name and ';'.")
      }
      let crashes = side == .outputs && text.contains(/\[(?!\])/)
      let result = crashes ? "a call of this name crashes Csound" : "no call is accepted"
      return .fault(
        .typeBrackets, signature,
        "\(signature.subject): '\(text)' has a bracket without its partner, and \(result); an array"
          + " is a letter and '[]'.")
    }
    var (optional, variadic): (TypeString.Item?, TypeString.Item?)
    for item in types.items {
      guard
        side.allows(item) && (item.letter != "K" || judge.hasLetterK)
          || item.isStruct && ccs_has_structs() != 0
      else {
        return .fault(
          .typeLetter, signature,
          "\(signature.subject): nothing in an orchestra goes with '\(item.text)' among the"
            + " \(side == .inputs ? "inputs" : "outputs"), so no call is accepted; use one of"
            + " Csound's type letters.")
      }
      let isVariadic = side.isVariadic(item)
      // A variadic letter may be repeated: outputs "mmmm" reserve four pointers.
      if let variadic, side == .inputs ? item != variadic : !isVariadic {
        return .fault(
          .typeAfterVariadic, signature,
          "\(signature.subject): '\(item.text)' stands after '\(variadic.text)', which takes all"
            + " that follows, so it is never checked and may be missing; put '\(variadic.text)'"
            + " last.")
      }
      if let optional, !isVariadic, !side.isOptional(item) {
        return .fault(
          .typeOptionalFirst, signature,
          "\(signature.subject): the optional '\(optional.text)' stands before '\(item.text)', which"
            + " must be given, so it can never be left out; put optional arguments after it.")
      }
      if side.isOptional(item) { optional = item }
      if isVariadic { variadic = item }
    }
    return nil
  }

  func slots(_ signature: Signature) -> [Finding] {
    // Csound 7 has no thread numbers; it calls the functions that are given.
    guard ccs_entries_have_threads() != 0 else { return [] }
    var called: Set<Signature.Slot> = []
    if signature.thread & 1 != 0 { called.insert(.initialize) }
    if signature.thread & 2 != 0 { called.insert(.perform) }
    if called.isEmpty {
      // Without a thread number, the type decides: a boolean result or, without a result, a boolean
      // first argument.
      if signature.outputs.isEmpty, ["b", "B"].contains(signature.inputs.first) { return [] }
      called = [signature.outputs.hasPrefix("b") ? .initialize : .perform]
    }
    let missing = [Signature.Slot.initialize, .perform].filter {
      called.contains($0) && !signature.slots.contains($0)
    }
    let run = Set(called.map(signature.function))
    let idle = signature.slots.filter {
      !called.contains($0) && !run.contains(signature.function($0))
    }
    return missing.map { slot in
      .fault(
        .slotNullCalled, signature,
        "\(signature.subject): with thread \(signature.thread) Csound calls the \(slot.words)"
          + " function, and none is given, so the first note with it ends the performance or crashes;"
          + " give one, or change the thread: \(Self.threads).")
    }
      + idle.compactMap { idleSlot($0, of: signature, performs: called.contains(.perform)) }
  }

  private static let threads = "thread 1 calls init, 2 performance, 3 both"

  private func idleSlot(
    _ slot: Signature.Slot, of signature: Signature, performs: Bool
  ) -> Finding? {
    let message =
      "\(signature.subject): its \(slot.words) function is never called with thread"
      + " \(signature.thread)"
    guard slot == .audio else {
      guard !isFromFramework else { return nil }
      return .fault(.slotNeverCalled, signature, "\(message); \(Self.threads).")
    }
    let advice = ", as Csound 6.18 never calls the third; give it as the second, with thread 3."
    // Without an audio argument, an audio function was never useful.
    let isAudible = (signature.outputs + signature.inputs).contains { "axsymMXNZ.?*".contains($0) }
    return performs && !isAudible
      ? .note(.slotNeverCalled, signature, message + advice)
      : .fault(.slotNeverCalled, signature, message + advice)
  }

  /// One note for all signatures of a plugin in C++.
  func frameworkSlots() -> Finding? {
    let idle = signatures.filter {
      ($0.thread & 3 == 1 && $0.slots.contains(.perform))
        || ($0.thread & 3 == 2 && $0.slots.contains(.initialize))
    }
    guard isFromFramework, let first = idle.first else { return nil }
    return .note(
      .slotNeverCalled, nil,
      "\(idle.count) signatures, first \(first.subject), give an init or performance function that"
        + " their thread never calls. Frameworks in C++ give both, whatever the opcode has; if yours"
        + " has it, mind the thread: \(Self.threads).")
  }
}

extension Signature.Slot {
  fileprivate var words: String { self == .perform ? "performance" : rawValue }
}
