import HarnessBase

/// One of the parts into which a command's work is divided.
package struct Shard: Codable, Equatable, Sendable {
  /// From 1 to `count`.
  package var part = 1
  package var count = 1

  package static let shard = Option(
    name: "shard", value: "I/N",
    takes: .one("a part and the number of parts, such as 1/4 to 4/4", Shard.init(text:)),
    standard: Shard(), help: "Do only the I-th of N parts of the work.")
  package static let results = Option(
    name: "results", value: "FILE",
    help: "Keep the results in a file; ./opcodekit merge makes one report of all such files.")
  package static let options: [any CommandOption] = [shard, results]

  /// The whole work.
  package init() {}

  /// Reads a text such as `1/4`; nil if there is no such part.
  private init?(text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard numbers.count == 2, numbers[1] > 0, (1...numbers[1]).contains(numbers[0]) else {
      return nil
    }
    (part, count) = (numbers[0], numbers[1])
  }

  /// Whether the unit with this index, from 0, belongs to the part. Neighbouring units are often alike, so they go to
  /// different parts.
  package func holds(_ unit: Int) -> Bool { unit % count == part - 1 }

  /// Which part this is, for a heading: ", part 1 of 4"; empty for the whole.
  package var words: String { count > 1 ? ", part \(part) of \(count)" : "" }
}
