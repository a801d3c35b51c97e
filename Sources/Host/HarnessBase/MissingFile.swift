import Foundation

/// Files that a piece asks for and that Csound does not find, such as samples.
public enum MissingFile {
  /// Csound's messages that name a file it cannot read. That of `fin` is also that of opcodes that write, so that its
  /// opcode counts.
  private nonisolated(unsafe) static let messages: [Regex<(Substring, Substring)>] = [
    /\w+: ([^:]+): failed to open file/,
    /ftable \d+: Failed to open file ([^,]+?)(?:,|\.? *$)/,
    /soundin cannot open ([^:]+):/,
    /diskinfo cannot open ([^,]+)/,
    /\(opcode fin[ik]?\b.*error opening file '([^']+)'/,
    /\(opcode readk\d?\b.*[Cc]annot open ([^,]+)/,
    /(?:CONVOLVE|PVOC|convolve|pvoc) cannot load ([^,]+)/,
    /unable to open pvocex file ([^:]+):/,
    /cannot open SoundFont file "([^"]+)"/,
    /[Cc]annot open #include'd file ([^,]+)/,
  ]

  /// The name of the missing file that Csound's messages tell of; nil if they tell of none, or of a file that is there
  /// but cannot be read; with `butThere` the name of such a file.
  public static func name(
    in messages: String, of piece: String, butThere: Bool = false
  ) -> String? {
    for line in messages.split(separator: "\n")
    where line.contains("open") || line.contains("cannot load") {
      for message in Self.messages {
        guard let match = line.firstMatch(of: message) else { continue }
        let name = match.1.trimmingCharacters(in: .whitespaces)
        if isThere(name, for: piece) == butThere { return name }
      }
    }
    return nil
  }

  /// Whether a file is where Csound looks: in the current directory, beside the piece and in the directories that these
  /// environment variables name.
  private static func isThere(_ name: String, for piece: String) -> Bool {
    let files = FileManager.default
    guard !name.hasPrefix("/") else { return files.fileExists(atPath: name) }
    let environment = ProcessInfo.processInfo.environment
    var directories = [files.currentDirectoryPath] + OrchestraAndScore.folders(of: piece)
    for variable in ["SSDIR", "SFDIR", "SADIR", "INCDIR"] {
      let named = (environment[variable] ?? "").split { $0 == ":" || $0 == ";" }
      directories += named.map(String.init)
    }
    return directories.contains { files.fileExists(atPath: $0 + "/" + name) }
  }

  /// The failure of a piece that asks for the file.
  public static func failure(_ name: String, of piece: String) -> Failure {
    Failure.missingInput(
      "'\(piece)' asks for the file '\(name)', which is missing; put it beside the CSD, or name its folder in the"
        + " environment variable SSDIR (INCDIR for #include).")
  }
}
