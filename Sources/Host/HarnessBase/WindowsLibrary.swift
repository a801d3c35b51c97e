import Foundation

/// What the file of a DLL says about itself: 64-bit PE.
package struct WindowsLibrary {
  /// PE's number of the processor; 0x8664 is x86-64.
  package let machine: Int
  /// The functions it takes from other libraries, by the library's name.
  package let imports: [String: [String]]
  /// The names that other programs can look up.
  package let exports: [String]
  /// How many functions have an unwind table.
  package let unwindTableCount: Int

  /// Nil if the file is not 64-bit PE.
  package init?(_ path: String) {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)),
      let image = Image(data)
    else { return nil }
    machine = image.machine
    (imports, exports) = (image.imports, image.exports)
    unwindTableCount = image.directory(3).size / 12
  }
}

/// The parts of a PE file. Places are offsets in the file; addresses are relative to the image's base.
private struct Image {
  private let data: Data
  private let sections: [(address: Int, size: Int, place: Int)]
  private let directories: Int
  let machine: Int

  init?(_ data: Data) {
    self.data = data
    func read(_ place: Int, _ bytes: Int) -> Int { Self.number(data, place, bytes) }
    let header = read(0x3C, 4)
    // "PE\0\0", and the number of the 64-bit format.
    guard data.starts(with: Data("MZ".utf8)), read(header, 4) == 0x4550,
      read(header + 24, 2) == 0x20B
    else { return nil }
    machine = read(header + 4, 2)
    directories = header + 24 + 112
    let table = header + 24 + read(header + 20, 2)
    sections = (0..<read(header + 6, 2)).map { index in
      let entry = table + 40 * index
      return (read(entry + 12, 4), read(entry + 16, 4), read(entry + 20, 4))
    }
  }

  private static func number(_ data: Data, _ place: Int, _ bytes: Int) -> Int {
    guard place >= 0, place <= data.count - bytes else { return 0 }
    return Int(
      truncatingIfNeeded: data[place..<place + bytes].reversed().reduce(UInt64(0)) {
        $0 << 8 | UInt64($1)
      })
  }

  private func number(at address: Int, _ bytes: Int = 4) -> Int {
    place(of: address).map { Self.number(data, $0, bytes) } ?? 0
  }

  private func place(of address: Int) -> Int? {
    sections.first { ($0.address..<$0.address + $0.size).contains(address) }
      .map { address - $0.address + $0.place }
  }

  private func text(at address: Int) -> String {
    guard let place = place(of: address) else { return "" }
    return String(decoding: data[place...].prefix { $0 != 0 }, as: UTF8.self)
  }

  /// One of the tables that the header lists.
  func directory(_ index: Int) -> (address: Int, size: Int) {
    (
      Self.number(data, directories + 8 * index, 4),
      Self.number(data, directories + 8 * index + 4, 4)
    )
  }

  var exports: [String] {
    let table = directory(0).address
    guard table != 0 else { return [] }
    return (0..<number(at: table + 24)).map {
      text(at: number(at: number(at: table + 32) + 4 * $0))
    }
  }

  var imports: [String: [String]] {
    var imports: [String: [String]] = [:]
    var entry = directory(1).address
    while entry != 0, number(at: entry + 12) != 0 {
      let names = number(at: entry)
      var functions: [String] = []
      while case let name = number(at: names + 8 * functions.count, 8), name != 0 {
        functions.append(text(at: name + 2))
      }
      imports[text(at: number(at: entry + 12)), default: []] += functions
      entry += 20
    }
    return imports
  }
}
