extension Int {
  /// So many of what a noun names, such as `1 opcode` or `7 opcodes`.
  package func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
