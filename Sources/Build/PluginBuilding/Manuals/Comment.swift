/// A comment of whole lines, as paragraphs.
public struct Comment: Equatable, Sendable {
  public enum Block: Equatable, Sendable {
    /// Words that may be broken into other lines.
    case prose(String)
    /// Lines that stay as they are: indented by four spaces or more in the comment, or between lines of three grave
    /// accents.
    case verbatim([String])
    /// Items that begin with a hyphen in the comment.
    case list([String])
  }

  public private(set) var blocks: [Block] = []

  /// `lines` without the comment's slashes, and without the one space behind them.
  init(_ lines: [String]) {
    var isNew = true
    var isFenced = false
    for line in lines {
      guard !line.hasPrefix("```") else {
        isFenced.toggle()
        if isFenced { blocks.append(.verbatim([])) }
        isNew = true
        continue
      }
      if isFenced, case .verbatim(let old) = blocks.last {
        blocks[blocks.count - 1] = .verbatim(old + [line])
        continue
      }
      let indent = line.prefix { $0 == " " }.count
      let words = String(line.dropFirst(indent))
      if words.isEmpty {
        isNew = true
        continue
      }
      switch blocks.last {
      case .verbatim(let old) where indent >= 4:
        // An empty line between two equations stays.
        blocks[blocks.count - 1] = .verbatim(
          old + (isNew ? [""] : []) + [String(line.dropFirst(4))])
      case _ where indent >= 4:
        blocks.append(.verbatim([String(line.dropFirst(4))]))
      case .list(let items) where words.hasPrefix("- "):
        blocks[blocks.count - 1] = .list(items + [String(words.dropFirst(2))])
      case _ where words.hasPrefix("- "):
        blocks.append(.list([String(words.dropFirst(2))]))
      case .list(let items) where indent > 0 && !isNew:
        blocks[blocks.count - 1] = .list(items.dropLast() + [items[items.count - 1] + " " + words])
      case .prose(let text) where !isNew:
        blocks[blocks.count - 1] = .prose(text + " " + words)
      default: blocks.append(.prose(words))
      }
      isNew = false
    }
  }
}
