extension Int {
  /// The number with a noun in singular or plural, such as `1 opcode` or `7 opcodes`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
