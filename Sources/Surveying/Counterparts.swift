import Comparing
import Linting

/// Which of Csound's own opcodes have a counterpart that takes the same arguments.
public struct Counterparts: Sendable {
  /// The counterpart by the built-in's name.
  public private(set) var subjects: [String: String]

  public init(subjects: [String: String]) { self.subjects = subjects }

  /// The pairs whose rival every Csound has and whose two opcodes have a form in common.
  ///
  /// - Parameters:
  ///   - builtins: what Csound registers.
  ///   - own: what the pack registers.
  public init(_ pairings: [Pairing], builtins: [Signature], own: [Signature]) {
    self.init(subjects: [:])
    for pairing in pairings where pairing.rivalSource == nil && pairing.pattern?.rival == nil {
      let rivals = builtins.filter { $0.opcode == pairing.rival }
      let haveCommonForm = own.contains { subject in
        subject.opcode == pairing.subject && rivals.contains { $0.takesTheSame(as: subject) }
      }
      if haveCommonForm { subjects[pairing.rival] = pairing.subject }
    }
  }

  /// Only those of the names, of rivals or of subjects.
  public func only(_ names: [String]) -> Counterparts {
    var copy = self
    copy.subjects = subjects.filter { names.contains($0.key) || names.contains($0.value) }
    return copy
  }
}

extension Signature {
  /// Whether a call with all its arguments fits both.
  fileprivate func takesTheSame(as other: Signature) -> Bool {
    let areVariadic = outputs.hasPrefix("m") && other.outputs.hasPrefix("m")
    return (outputs == other.outputs || areVariadic) && inputs.count == other.inputs.count
      && zip(inputs, other.inputs).allSatisfy { $0 == $1 || Self.isFree($0) || Self.isFree($1) }
  }

  /// Whether a letter of a type string stands for i, k and a alike.
  private static func isFree(_ letter: Character) -> Bool { letter == "x" }
}
