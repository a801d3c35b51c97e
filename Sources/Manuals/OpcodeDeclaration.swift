import HarnessBase

/// An overload that a struct with `@Opcode` declares.
public struct OpcodeDeclaration: Sendable {
  /// The struct.
  public let type: String
  /// The name with its suffix.
  public let overload: String
  /// The file.
  public let path: String

  /// What the Swift files in a directory and below declare.
  public static func all(in directory: String) throws(Failure) -> [OpcodeDeclaration] {
    try OpcodeSource.all(in: directory).flatMap { source in
      source.declared.map {
        OpcodeDeclaration(type: $0.type, overload: $0.name, path: source.path)
      }
    }
  }
}
