import Foundation

/// What the part of a dylib for one kind of processor says about itself: 64-bit Mach-O.
package struct MachLibrary {
  /// Mach-O's number of the processor.
  package private(set) var processor = 0
  /// The name by which programs that are linked with it look for it.
  package private(set) var name = ""
  /// The libraries it needs.
  package private(set) var needs: [String] = []
  /// The oldest macOS it runs on, such as `11.0`.
  package private(set) var oldest = ""
  package private(set) var isSigned = false
  /// The names of the functions it shows, and of those that it takes from other libraries, each with `_`.
  package private(set) var exports: [String] = []
  package private(set) var imports: [String] = []

  /// The parts of a universal file, or the only one; empty if it is no Mach-O file.
  package static func parts(of path: String) -> [MachLibrary] {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else { return [] }
    let file = Bytes(data: data)
    guard file.big(0) == 0xCAFE_BABE else { return MachLibrary(file).map { [$0] } ?? [] }
    return (0..<file.big(4)).compactMap { index in
      let entry = 8 + 20 * index
      let (start, size) = (file.big(entry + 8), file.big(entry + 12))
      guard start + size <= data.count else { return nil }
      return MachLibrary(Bytes(data: Data(data[start..<start + size])))
    }
  }

  private init?(_ file: Bytes) {
    guard file.small(0) == 0xFEED_FACF else { return nil }
    processor = file.small(4)
    var command = 32
    for _ in 0..<file.small(16) {
      switch file.small(command) {
      case 0xD: name = file.text(command + file.small(command + 8))
      case 0xC: needs.append(file.text(command + file.small(command + 8)))
      case 0x1D: isSigned = true
      case 0x32:
        let version = file.small(command + 12)
        oldest = "\(version >> 16).\(version >> 8 & 0xFF)"
      case 2:
        let (symbols, names) = (file.small(command + 8), file.small(command + 16))
        for index in 0..<file.small(command + 12) {
          let entry = symbols + 16 * index
          let kind = file.small(entry + 4) & 0xFF
          let symbol = file.text(names + file.small(entry))
          // External: defined in a section, or not at all.
          if kind & 0xEF == 0x0F { exports.append(symbol) }
          if kind & 0xEF == 0x01 { imports.append(symbol) }
        }
      default: break
      }
      command += file.small(command + 4)
    }
  }
}

private struct Bytes {
  let data: Data

  private func number(_ place: Int) -> [UInt8] {
    guard place >= 0, place + 4 <= data.count else { return [0, 0, 0, 0] }
    return Array(data[place..<place + 4])
  }

  func big(_ place: Int) -> Int { number(place).reduce(0) { $0 << 8 | Int($1) } }

  func small(_ place: Int) -> Int { number(place).reversed().reduce(0) { $0 << 8 | Int($1) } }

  func text(_ place: Int) -> String {
    guard place < data.count else { return "" }
    return String(decoding: data[place...].prefix { $0 != 0 }, as: UTF8.self)
  }
}
