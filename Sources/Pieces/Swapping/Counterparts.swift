import Comparing
public import Linting

/// Which of Csound's own opcodes have a counterpart that takes the same arguments.
public struct Counterparts: Sendable {
  /// The counterpart's name by the built-in opcode's name.
  public private(set) var subjects: [String: String]
  /// The signatures that the pack registers.
  private let own: [Signature]

  public init(subjects: [String: String], own: [Signature] = []) {
    (self.subjects, self.own) = (subjects, own)
  }

  /// The pairs whose rival is built into every Csound and whose two opcodes have an overload in common.
  ///
  /// - Parameters:
  ///   - builtins: what Csound registers.
  ///   - own: what the pack registers.
  public init(_ pairings: [Pairing], builtins: [Signature], own: [Signature]) {
    self.init(subjects: [:], own: own)
    for pairing in pairings where pairing.rivalSource == nil && pairing.pattern?.rival == nil {
      let rivals = builtins.filter { $0.opcode == pairing.rival }
      let haveCommonForm = own.contains { subject in
        subject.opcode == pairing.subject && rivals.contains { $0.takesTheSame(as: subject) }
      }
      if haveCommonForm { subjects[pairing.rival] = pairing.subject }
    }
  }

  /// Only the pairs in which one of the opcodes has one of these names.
  public func only(_ names: [String]) -> Counterparts {
    var copy = self
    copy.subjects = subjects.filter { names.contains($0.key) || names.contains($0.value) }
    return copy
  }

  /// Whether a built-in's counterpart has an overload that fits a compiled call, as far as type strings
  /// tell. They do not tell what `x` stands for and which optional arguments are given.
  package func mayTake(_ call: CompiledCall, of rival: String) -> Bool {
    own.contains { $0.opcode == subjects[rival] && $0.mayTake(call) }
  }
}

extension Signature {
  /// Whether a call with all the arguments of this signature fits the other one, too, which may have more optional
  /// arguments.
  fileprivate func takesTheSame(as other: Signature) -> Bool {
    putsOutTheSame(as: other.outputs) && inputs.count <= other.inputs.count
      && zip(inputs, other.inputs).allSatisfy { $0 == $1 || Self.isFree($0) || Self.isFree($1) }
      && other.inputs.dropFirst(inputs.count).allSatisfy { Self.optional[$0] != nil }
  }

  private func putsOutTheSame(as others: String) -> Bool {
    outputs == others || (outputs.hasPrefix("m") && others.hasPrefix("m"))
  }

  /// Whether a letter of a type string stands for i, k and a alike.
  private static func isFree(_ letter: Character) -> Bool { letter == "x" }

  /// For each letter of an optional argument, the letter of the required argument of the same type.
  private static let optional: [Character: Character] = [
    "o": "i", "p": "i", "q": "i", "v": "i", "j": "i", "h": "i", "m": "i",
    "O": "k", "P": "k", "V": "k", "J": "k", "z": "k",
  ]

  fileprivate func mayTake(_ call: CompiledCall) -> Bool {
    let (own, others) = (Array(inputs), Array(call.inputs))
    let common = min(own.count, others.count)
    let areAlike = zip(own, others).allSatisfy { mine, theirs in
      let (mine, theirs) = (Self.optional[mine] ?? mine, Self.optional[theirs] ?? theirs)
      return mine == theirs || Self.isFree(mine) || Self.isFree(theirs)
        // A k-rate argument takes an i-time value, too.
        || (mine == "k" && theirs == "i")
    }
    return putsOutTheSame(as: call.outputs) && areAlike
      && (own[common...] + others[common...]).allSatisfy { Self.optional[$0] != nil }
  }
}
