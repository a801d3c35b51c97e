import Foundation

/// Runs a test on random texts. The number of texts can be set, and the text under test is kept in a file for after a
/// crash.
public struct FuzzRun {
  /// The environment variable with the number of cases: `OPCODEKIT_FUZZ=100000 swift test --filter Fuzz`.
  public static let variable = "OPCODEKIT_FUZZ"

  public let count: Int
  private let file: String

  public init(_ name: String, usually count: Int) {
    self.count = ProcessInfo.processInfo.environment[Self.variable].flatMap { Int($0) } ?? count
    file = NSTemporaryDirectory() + "fuzz-\(name)-\(getpid()).txt"
  }

  /// Tests each text; a text holds `things` cases. Prints the name of a file first, which holds the text under test if
  /// the process crashes.
  public func run(
    per things: Int = 1, _ text: (Int) throws -> String, _ body: (String) throws -> Void
  ) throws {
    let count = (count + things - 1) / things
    print("\(count) texts at random; one that crashes this process is kept in \(file)")
    for number in 0..<count {
      let text = try text(number)
      _ = FileManager.default.createFile(atPath: file, contents: Data(text.utf8))
      try body(text)
    }
    unlink(file)
  }
}
