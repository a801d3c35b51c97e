import HarnessBase

/// Callgrind's counts of one library's instructions, read from one of its files.
struct AddressCounts {
  /// Calls that one instruction made.
  struct Call: Hashable {
    var source: UInt64
    /// The function's address, if it is in the same library.
    var target: UInt64?
    /// Its name by the library's own table; a guess where it has none.
    var name: String
  }

  /// How often each instruction ran, by its address in the file of the library.
  private(set) var own: [UInt64: Int] = [:]
  /// The instructions of all calls that one made, with what these called.
  private(set) var calls: [Call: Int] = [:]
  /// The functions of the library that others called, and all instructions of these calls.
  private(set) var entered: Set<UInt64> = []
  private(set) var total = 0

  /// Parses a file in Callgrind's format, with an address on each line of counts.
  init(_ text: String, of library: String) {
    // The text after an `ob=` is about one library, up to the next.
    var rest = Substring(text)
    while let start = rest.firstRange(of: "\nob=") {
      rest = rest[start.upperBound...]
      let section = rest[..<(rest.firstRange(of: "\nob=")?.lowerBound ?? rest.endIndex)]
      let isOwn = section.hasPrefix(library + "\n")
      if isOwn || section.contains("\ncob=\(library)\n") { read(section, isOwn, library) }
    }
  }

  private mutating func read(_ section: Substring, _ isOwn: Bool, _ library: String) {
    var (called, name) = (Substring?.none, Substring())
    var target: UInt64?
    for line in section.split(separator: "\n").dropFirst() {
      if line.hasPrefix("cob=") {
        called = line.dropFirst(4)
      } else if line.hasPrefix("cfn=") {
        name = line.dropFirst(4)
      } else if line.hasPrefix("calls=") {
        target = line.split(separator: " ").dropFirst().first.flatMap(Self.address)
      } else if line.hasPrefix("0x") {
        let words = line.split(separator: " ")
        guard words.count == 3, let address = Self.address(words[0]), let count = Int(words[2])
        else { continue }
        let isInside = called.map { $0 == library } ?? isOwn
        switch (target, isOwn) {
        case (nil, true): own[address, default: 0] += count
        case (nil, false): break
        case (let target?, true):
          let call = Call(source: address, target: isInside ? target : nil, name: String(name))
          calls[call, default: 0] += count
        case (let target?, false):
          guard isInside else { break }
          entered.insert(target)
          total += count
        }
        if target != nil { (called, target) = (nil, nil) }
      }
    }
  }

  private static func address(_ word: Substring) -> UInt64? {
    UInt64(word.dropFirst(2), radix: 16)
  }
}
