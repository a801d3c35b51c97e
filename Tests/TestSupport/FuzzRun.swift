import Foundation

/// How much is tried at random, and where what is being tried can be read after a crash.
public struct FuzzRun {
  /// Set it to try more: `OPCODEKIT_FUZZ=100000 swift test --filter Fuzz`.
  public static let variable = "OPCODEKIT_FUZZ"

  public let count: Int
  private let file: String

  public init(_ name: String, usually count: Int) {
    self.count = ProcessInfo.processInfo.environment[Self.variable].flatMap { Int($0) } ?? count
    file = NSTemporaryDirectory() + "fuzz-\(name)-\(getpid()).txt"
  }

  /// Tries each text, which holds so many things that are tried. One that ends the process is in a file
  /// afterwards, whose name is printed first.
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
