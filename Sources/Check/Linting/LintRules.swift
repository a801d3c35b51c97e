import TypeLetters

/// The rules for what a plugin registers. Each describes what Csound 6.18 does, not what its
/// documentation says.
struct LintRules {
  /// A signature's type strings, parsed.
  struct Types {
    var outputs: TypeString
    var inputs: TypeString
  }

  let signatures: [Signature]
  let isFromFramework: Bool
  let judge: Judge
  /// The type strings of each signature; nil if they have a fault, so that rules about types do not
  /// apply.
  private(set) var types: [Types?] = []
  private var typeFindings: [[Finding]] = []

  init(_ recording: Recording, judge: Judge) {
    signatures = recording.signatures
    isFromFramework = recording.isFromFramework
    self.judge = judge
    for signature in signatures {
      let findings = typeStrings(signature)
      typeFindings.append(findings)
      guard findings.isEmpty, let outputs = TypeString(signature.outputs),
        let inputs = TypeString(signature.inputs)
      else {
        types.append(nil)
        continue
      }
      types.append(Types(outputs: outputs, inputs: inputs))
    }
  }

  /// All findings, in the order of the signatures. `progress` is called for each signature.
  func findings(_ progress: () -> Void) -> [Finding] {
    signatures.indices.flatMap { index -> [Finding] in
      progress()
      let signature = signatures[index]
      guard !isHead(signature) || !hasSmallerOverload(index) else { return [] }
      let misnamed = name(signature)
      var findings = misnamed.asArray + typeFindings[index] + slots(signature) + size(index).asArray
      if let types = types[index] { findings += block(index, types) }
      if misnamed == nil {
        findings += twice(index).asArray + mixedOutputs(index).asArray
        findings += reach(index) + functionOrder(index).asArray
      }
      return findings
    } + frameworkSlots().asArray
  }

  /// Whether an entry is a header of the kind that Csound 5 put before a name's overloads. Csound
  /// ignores it.
  func isHead(_ signature: Signature) -> Bool {
    signature.outputs.isEmpty && signature.inputs.isEmpty && signature.slots.isEmpty
      && (Self.unnamedBytes..<Self.sizeLimit).contains(signature.blockBytes)
  }
}

extension Finding? {
  var asArray: [Finding] { map { [$0] } ?? [] }
}
