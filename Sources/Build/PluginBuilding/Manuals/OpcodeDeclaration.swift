import HarnessBase

/// An overload that a struct with `@Opcode` declares.
public struct OpcodeDeclaration: Sendable {
  /// The struct.
  public let type: String
  /// The name with its suffix.
  public let overload: String
  /// The call that registers it.
  public let registration: String
  /// The file.
  public let path: String
  /// Whether there are struct arguments, which Csound 6 has not.
  public let hasStructs: Bool

  /// What the Swift files in a directory and below declare.
  public static func all(in directory: String) throws(Failure) -> [OpcodeDeclaration] {
    try OpcodeSource.all(in: directory).flatMap { source in
      source.declared.map {
        OpcodeDeclaration(
          type: $0.type, overload: $0.name,
          registration: "register\($0.type)(\($0.kind.map { "\($0).self, " } ?? "")in: &registry)",
          path: source.path,
          hasStructs: ($0.outputs + $0.inputs).contains(":"))
      }
    }
  }

  /// What each overload does, by its name with suffix, as the Swift files in a directory and below say.
  public static func summaries(in directory: String) throws(Failure) -> [String: String] {
    let registrations = try OpcodeSource.all(in: directory).flatMap(\.registrations)
    return Dictionary(registrations.map { ($0.name, $0.summary) }) { $1 }
  }

  /// Whether Swift files in a directory and below make functions that Csound looks for in a plugin.
  public static func isPlugin(_ directory: String) throws(Failure) -> Bool {
    try OpcodeSource.texts(in: directory).contains {
      $0.text.contains(/@Plugin\b|\bcsound_(opcode|fgen)_init\b|\bcsoundModuleCreate\b/)
    }
  }
}
