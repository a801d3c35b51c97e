import Foundation
import Sounds
import Testing

/// The author's guide, followed to the letter.
@Suite("The author's guide", .serialized)
struct GuideTests {
  /// One fenced block: a file to write, or commands to run.
  enum Step {
    case file(name: String, text: String)
    case commands(String)
  }

  /// The blocks in order. A file's name is the last word in backquotes before its block.
  static func steps() throws -> [Step] {
    let guide = try String(contentsOfFile: root + "/Sources/OpcodeKit/Guide.md", encoding: .utf8)
    let parts = guide.components(separatedBy: "```")
    return try stride(from: 1, to: parts.count, by: 2).map { index in
      let block = parts[index]
      let newline = try #require(block.firstIndex(of: "\n"))
      let text = String(block[block.index(after: newline)...])
      guard block[..<newline] != "sh" else { return .commands(text) }
      let names = parts[index - 1].matches(of: /`([^`\s]+\.(?:swift|csd))`/)
      return .file(
        name: String(try #require(names.last, "no name before \(text)").output.1), text: text)
    }
  }

  @Test("Every file compiles, every command works, and what it plays is heard")
  func followed() throws {
    let directory = try temporaryDirectory()
    defer { try? FileManager.default.removeItem(atPath: directory) }
    var commandCount = 0
    for step in try Self.steps() {
      switch step {
      case .file(let name, let text):
        let path = directory + "/" + name
        try FileManager.default.createDirectory(
          atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.replacingOccurrences(of: "../OpcodeKit", with: root)
          .write(toFile: path, atomically: true, encoding: .utf8)
      case .commands(let text):
        for command in text.split(separator: "\n") {
          let ending = try run("/bin/sh", ["-c", String(command)], directory: directory)
          try #require(ending.exitCode == 0, "\(command)\n\(ending.output)\(ending.errors)")
          commandCount += 1
          guard let name = command.firstMatch(of: /-o (\S+)/)?.output.1 else { continue }
          let sound = try Sound(readingFrom: directory + "/" + name)
          #expect(sound.samples.map(abs).max()! > 0.1)
          try FileManager.default.removeItem(atPath: directory + "/" + name)
        }
      }
    }
    #expect(commandCount == 7)
  }
}
