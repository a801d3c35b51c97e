import Foundation

/// A page of the documentation: Markdown that reads well on its own and is one of DocC's articles.
public struct Article: Sendable {
  /// A fenced block.
  public struct Block: Sendable {
    /// The word after the opening fence, such as `swift` or `sh`; empty for a transcript.
    public var language: String
    public var text: String
    /// The line of its fence, from 1.
    public var line: Int
    /// The file that the block shows: the last file name in backquotes since the block before.
    public var file: String?
  }

  public struct Heading: Sendable {
    public var level: Int
    public var text: String

    /// Its fragment in Markdown links: small letters, digits and hyphens.
    public var fragment: String {
      String(
        text.lowercased().compactMap { letter in
          letter == " " ? "-" : letter.isLetter || letter.isNumber || letter == "-" ? letter : nil
        })
    }

    /// Its fragment in DocC's links.
    var anchor: String { text.replacing(" ", with: "-") }
  }

  public struct Link: Sendable {
    public var text: String
    public var target: String
    /// From 1.
    public var line: Int
  }

  /// Relative to the project's root.
  public let path: String
  public let text: String
  public private(set) var blocks: [Block] = []
  public private(set) var headings: [Heading] = []
  public private(set) var links: [Link] = []

  /// The file name without folder and extension, which DocC uses.
  public var name: String {
    ((path as NSString).lastPathComponent as NSString).deletingPathExtension
  }

  public init(path: String, text: String) {
    (self.path, self.text) = (path, text)
    var file: String?
    var open: Block?
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      if line.hasPrefix("```") {
        if let block = open {
          blocks.append(block)
          (open, file) = (nil, nil)
        } else {
          open = Block(
            language: String(line.dropFirst(3)), text: "", line: index + 1, file: file)
        }
      } else if open != nil {
        open?.text += line + "\n"
      } else {
        read(line, number: index + 1)
        file = line.matches(of: Self.fileName).last.map { String($0.output.1) } ?? file
      }
    }
  }

  private mutating func read(_ line: Substring, number: Int) {
    let signs = line.prefix { $0 == "#" }
    if !signs.isEmpty, line.dropFirst(signs.count).first == " " {
      headings.append(
        Heading(level: signs.count, text: String(line.dropFirst(signs.count + 1))))
    }
    links += line.matches(of: Self.link).map {
      Link(text: String($0.output.1), target: String($0.output.2), line: number)
    }
  }

  private nonisolated(unsafe) static let link = /\[((?:[^\[\]]|\[\])*)\]\(([^()\s]+)\)/
  private nonisolated(unsafe) static let fileName = /`([^`\s]+\.(?:swift|csd|json|cpp|dsp|c|h))`/

  /// The text with `change` applied to each line outside fenced blocks.
  func mapProse(_ change: (String) -> String) -> String {
    var isFenced = false
    return text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      if line.hasPrefix("```") {
        isFenced.toggle()
        return String(line)
      }
      return isFenced ? String(line) : change(String(line))
    }.joined(separator: "\n")
  }
}
