import Comparing
public import Linting

/// Which of Csound's own opcodes have a counterpart that takes the same arguments.
public struct Counterparts: Sendable {
  /// The counterpart's name by the built-in opcode's name.
  public private(set) var subjects: [String: String]
  /// Csound's opcodes that work together, such as `delayr`, its taps and `delayw`: those of an instrument are swapped all
  /// or none.
  private(set) var groups: [Set<String>] = []
  /// The signatures that the pack registers.
  private let own: [Signature]

  public init(
    subjects: [String: String], groups: [Set<String>] = [], own: [Signature] = []
  ) {
    (self.subjects, self.groups, self.own) = (subjects, groups, own)
  }

  /// Opcodes without a counterpart that use the delay line of `delayr`, too.
  static let companions: Set<String> = ["deltapx", "deltapxw"]

  /// The pairs whose rival is built into every Csound and whose two opcodes have an overload in common. A pair whose calls
  /// have several lines that differ only in names is one for each of those names.
  ///
  /// - Parameters:
  ///   - builtins: what Csound registers.
  ///   - own: what the pack registers.
  public init(_ pairings: [Pairing], builtins: [Signature], own: [Signature]) {
    self.init(subjects: [:], own: own)
    func haveCommonForm(_ rival: String, _ subject: String) -> Bool {
      let rivals = builtins.filter { $0.opcode == rival }
      return own.contains { own in
        own.opcode == subject && rivals.contains { $0.takesTheSame(as: own) }
      }
    }
    for pairing in pairings where pairing.rivalSource == nil {
      var names = [pairing.rival: pairing.subject]
      if let rival = pairing.pattern?.rival {
        guard let renamed = rival.renamed(in: pairing.pattern!.subject) else { continue }
        names = renamed
      }
      guard names.allSatisfy({ haveCommonForm($0, $1) }) else { continue }
      subjects.merge(names) { one, _ in one }
      guard names.count > 1 else { continue }
      let joined = groups.filter { !$0.isDisjoint(with: names.keys) }
      groups.removeAll(where: joined.contains)
      groups.append(joined.reduce(Set(names.keys)) { $0.union($1) })
    }
  }

  /// The opcodes that are swapped together with one, itself included.
  package func group(of opcode: String) -> Set<String> {
    groups.first { $0.contains(opcode) } ?? [opcode]
  }

  /// Only the pairs in which one of the opcodes has one of these names.
  public func only(_ names: [String]) -> Counterparts {
    var copy = self
    let named = subjects.filter { names.contains($0.key) || names.contains($0.value) }.keys
    let wanted = named.reduce(Set<String>()) { $0.union(group(of: $1)) }
    copy.subjects = subjects.filter { wanted.contains($0.key) }
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
    // X is any number of further outputs, which most calls leave out.
    func required(_ letters: String) -> Substring { letters.prefix { $0 != "X" } }
    return required(outputs) == required(others)
      || (outputs.hasPrefix("m") && others.hasPrefix("m"))
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
