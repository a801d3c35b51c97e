import Foundation
public import HarnessBase

extension ControllerMap {
  /// The path of the file that keeps the controllers of a piece: `piece.cc` beside `piece.csd`.
  public static func path(beside piece: String) -> String {
    OrchestraAndScore.stem(of: piece) + ".cc"
  }

  /// Reads a file of entries, one a line.
  public init(file path: String) throws(Failure) {
    try requireReadableFile(path)
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw .badInput("'\(path)' is no text.")
    }
    let lines = text.split(whereSeparator: \.isNewline)
    do throws(Failure) {
      self = lines.isEmpty ? Self() : try Self(lines.joined(separator: ","))
    } catch {
      throw .badInput("'\(path)' holds no controllers. \(error.message)")
    }
  }

  /// Writes the entries, one a line. If it fails, an existing file stays as it is.
  public func write(to path: String) throws(Failure) {
    try OutputFile(path).write(Data(entries.map { $0.text + "\n" }.joined().utf8))
  }
}
