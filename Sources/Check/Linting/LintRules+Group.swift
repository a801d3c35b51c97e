import Foundation

/// Rules about signatures of the same name, in the plugin and in Csound.
extension LintRules {
  private func earlier(_ index: Int) -> [Int] {
    (0..<index).filter {
      signatures[$0].opcode == signatures[index].opcode && !isHead(signatures[$0])
    }
  }

  /// The first earlier signature with the same name and the same types.
  private func twin(of index: Int) -> Int? {
    earlier(index).first {
      signatures[$0].outputs == signatures[index].outputs
        && signatures[$0].inputs == signatures[index].inputs
    }
  }

  func twice(_ index: Int) -> Finding? {
    guard let first = twin(of: index) else { return nil }
    let (old, new) = (signatures[first], signatures[index])
    if old.functions == new.functions, old.blockBytes == new.blockBytes, old.thread == new.thread {
      return .note(
        .signatureTwice, new,
        "\(new.subject) is registered twice with the same functions; once is enough.")
    }
    return .fault(
      .signatureTwice, new,
      "\(new.subject) has the types of '\(old.name)', registered before it, so it is never called:"
        + " Csound takes the first that fits. Give it other types or remove it.")
  }

  /// Finds a name with some overloads that have outputs and some that have none. Reported once for
  /// each name, at the first signature that differs.
  func mixedOutputs(_ index: Int) -> Finding? {
    let signature = signatures[index]
    let hasOutputs = !signature.outputs.isEmpty
    func isLike(_ other: Int) -> Bool { signatures[other].outputs.isEmpty != hasOutputs }
    let advice =
      " Csound's parser knows a name either with outputs or without, as the last registered has it;"
      + " calls of the other kind become syntax errors. Give one of them another name."
    let same = earlier(index)
    if let other = same.first(where: { !isLike($0) }) {
      guard same.allSatisfy({ isLike($0) == isLike(same[0]) }) else { return nil }
      return .fault(
        .overloadOutputsMixed, signature,
        "\(signature.subject) has \(hasOutputs ? "" : "no ")outputs, and"
          + " '\(signatures[other].name)' has \(hasOutputs ? "none" : "some").\(advice)")
    }
    guard same.isEmpty,
      let owner = judge.earlierOwner(of: signature.opcode, hasOutputs: !hasOutputs)
    else { return nil }
    let other =
      owner == .csound
      ? "Csound's own '\(signature.opcode)'" : "the '\(signature.opcode)' of \(words(for: owner))"
    let message =
      "\(signature.subject) has \(hasOutputs ? "" : "no ")outputs, and \(other) has"
      + " \(hasOutputs ? "none" : "some").\(advice)"
    return owner == .csound
      ? .fault(.overloadOutputsMixed, signature, message)
      : .note(.overloadOutputsMixed, signature, message)
  }

  /// Finds signatures that Csound never chooses, by asking its resolver about every kind of call.
  func reach(_ index: Int) -> [Finding] {
    let signature = signatures[index]
    guard let types = types[index], twin(of: index) == nil,
      !earlier(index).isEmpty || judge.hasEarlier(signature.opcode)
    else { return [] }
    func takers(_ calls: ConcreteCalls) -> [Judge.Answer: ConcreteCall] {
      Dictionary(calls.calls.map { (judge.answer(signature.opcode, $0), $0) }) { first, _ in first }
    }
    let calls = ConcreteCalls(types)
    guard calls.isComplete else { return [] }
    let found = takers(calls)
    guard found[.nobody] == nil else { return [] }
    guard found[.signature(index)] != nil else { return [unreachable(signature, Set(found.keys))] }
    let all = ConcreteCalls(types, everyRate: true, limit: 1024)
    let others = all.isComplete ? takers(all) : found
    return others.sorted { "\($0.key)" < "\($1.key)" }.compactMap { taker, call in
      partlyTaken(index, by: taker, call)
    }
  }

  private func unreachable(_ signature: Signature, _ takers: Set<Judge.Answer>) -> Finding {
    let names = takers.map(words).sorted().joined(separator: " and ")
    let message =
      "\(signature.subject) is never reached: \(names) \(takers.count == 1 ? "takes" : "take") every"
      + " call of it, and Csound takes the first that fits."
    if takers.contains(where: { if case .installed = $0 { true } else { false } }) {
      return .note(.shadowInstalled, signature, message + " Other machines may lack that plugin.")
    }
    if takers.contains(.csound) {
      return .fault(.shadowBuiltin, signature, message + " Take another name.")
    }
    return .fault(.shadowOverload, signature, message + " Register it before, or remove it.")
  }

  private func partlyTaken(
    _ index: Int, by taker: Judge.Answer, _ call: ConcreteCall
  ) -> Finding? {
    let signature = signatures[index]
    let example =
      "\(signature.subject): \(words(for: taker)) takes some of its calls, such as outputs"
      + " '\(call.outputs)', inputs '\(call.inputs)'"
    switch taker {
    case .csound:
      return .note(.shadowBuiltin, signature, example + "; take another name to have them all.")
    case .installed:
      return .note(
        .shadowInstalled, signature, example + ", where that plugin is installed.")
    case .signature(let other) where other != index:
      // A more specific overload that is registered first is how overloads should be ordered.
      guard let types = types[other] else { return nil }
      let calls = ConcreteCalls(types, everyRate: true, limit: 1024)
      guard calls.isComplete, !calls.calls.allSatisfy({ judge.takes(index, $0) }) else {
        return nil
      }
      return .note(
        .shadowOverload, signature, example + ", because it is registered first; is that intended?")
    default: return nil
    }
  }

  /// For a call written as a function, Csound compares the inputs only. So the more specific of two
  /// overloads must be registered first.
  func functionOrder(_ index: Int) -> Finding? {
    let signature = signatures[index]
    guard let own = types[index], own.outputs.items.count == 1 else { return nil }
    let calls = ConcreteCalls(own, everyRate: true, limit: 1024)
    guard calls.isComplete else { return nil }
    let taker = earlier(index).first { other in
      guard let types = types[other], !types.outputs.items.isEmpty else { return false }
      let others = ConcreteCalls(types, everyRate: true, limit: 1024)
      return others.isComplete && calls.calls.allSatisfy { judge.takesInputs(other, $0) }
        && !others.calls.allSatisfy { judge.takesInputs(index, $0) }
    }
    guard let taker, signatures[taker].outputs != signature.outputs else { return nil }
    return .note(
      .orderFunctionSyntax, signature,
      "\(signature.subject): written as a function, '\(signature.opcode)(…)' goes to"
        + " '\(signatures[taker].name)' (outputs '\(signatures[taker].outputs)'), which is"
        + " registered before and takes the same inputs; register '\(signature.name)' first.")
  }

  private func words(for taker: Judge.Answer) -> String {
    switch taker {
    case .signature(let index): signatures[index].subject
    case .csound: "Csound's own opcode"
    case .installed(let path):
      "the installed plugin '\((path as NSString).lastPathComponent)'"
    case .nobody: "nobody"
    }
  }
}

extension ConcreteCalls {
  fileprivate init(_ types: LintRules.Types, everyRate: Bool = false, limit: Int = 4096) {
    self.init(outputs: types.outputs, inputs: types.inputs, everyRate: everyRate, limit: limit)
  }
}
