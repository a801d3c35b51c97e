import HarnessBase

/// One of the parts that a command's work is shared in.
package struct Shard: Codable, Equatable, Sendable {
  /// From 1 to `count`.
  package var part = 1
  package var count = 1

  package static let shard = Option(
    name: "shard", value: "I/N",
    takes: .one("a part and their number, such as 1/4 to 4/4", Shard.init(text:)),
    standard: Shard(), help: "Do only the I-th of N parts of the work.")
  package static let results = Option(
    name: "results", value: "FILE",
    help: "Keep the results in a file; ./opcodekit merge makes one report of all such files.")
  package static let options: [any CommandOption] = [shard, results]

  /// The whole.
  package init() {}

  /// One such as `1/4`; nil where there is no such part.
  private init?(text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard numbers.count == 2, numbers[1] > 0, (1...numbers[1]).contains(numbers[0]) else {
      return nil
    }
    (part, count) = (numbers[0], numbers[1])
  }

  /// Whether the part has this unit of the work, counted from 0. Neighbours, which are often alike, go
  /// to different parts.
  package func holds(_ unit: Int) -> Bool { unit % count == part - 1 }

  /// Of how many parts this is which, for a heading; nothing for the whole.
  package var words: String { count > 1 ? ", part \(part) of \(count)" : "" }
}
