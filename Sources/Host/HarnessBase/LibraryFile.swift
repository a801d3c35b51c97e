import Foundation

/// What the file of a shared library, or an object file, says about itself, for any processor: 64-bit
/// ELF, little-endian.
package struct LibraryFile {
  /// ELF's number of the processor (`e_machine`).
  package let machine: Int
  /// The libraries this one needs, such as `libm.so.6`.
  package let needs: [String]
  /// The symbol versions it needs from those libraries, such as `GLIBC_2.29`.
  package let versions: [String]

  /// Whether it has initialisers, which the dynamic loader runs when it loads the library.
  package let runsWhenLoaded: Bool

  /// Nil if the file is not 64-bit little-endian ELF.
  package init?(_ path: String) {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped),
      data.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1])
    else { return nil }
    let bytes = Bytes(data: data)
    guard let machine = bytes.number(at: 18, bytes: 2), let table = bytes.number(at: 40, bytes: 8),
      let entrySize = bytes.number(at: 58, bytes: 2), let count = bytes.number(at: 60, bytes: 2)
    else { return nil }
    var sections: [Section] = []
    for index in 0..<count {
      guard let section = Section(bytes, at: table + index * entrySize) else { return nil }
      sections.append(section)
    }
    self.machine = machine
    runsWhenLoaded = sections.contains { Section.initializers.contains($0.kind) }
    (needs, versions) = (bytes.needs(sections), bytes.versions(sections))
  }

  /// The newest version it needs of a family such as `GLIBC_`, as `major.minor` alone, such as `2.29`.
  package func newest(_ family: String) -> String? {
    versions.filter { $0.hasPrefix(family) }.map { String($0.dropFirst(family.count)) }
      .max { $0.compare($1, options: .numeric) == .orderedAscending }
  }
}

/// The type, place and size of a section.
private struct Section {
  /// The types of the dynamic section and of the section with the symbol versions that are needed.
  static let (dynamic, neededVersions) = (6, 0x6FFF_FFFE)

  /// The types of sections with functions that are called when the library is loaded.
  static let initializers = [14, 16]

  let kind, start, size: Int
  /// The index of the section that holds this section's names.
  let names: Int

  init?(_ bytes: Bytes, at place: Int) {
    guard let kind = bytes.number(at: place + 4, bytes: 4),
      let start = bytes.number(at: place + 24, bytes: 8),
      let size = bytes.number(at: place + 32, bytes: 8),
      let names = bytes.number(at: place + 40, bytes: 4)
    else { return nil }
    (self.kind, self.start, self.size, self.names) = (kind, start, size, names)
  }
}

private struct Bytes {
  let data: Data

  func number(at place: Int, bytes: Int) -> Int? {
    guard place >= 0, place <= data.count - bytes else { return nil }
    let number = data[place..<place + bytes].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(exactly: number)
  }

  func text(at place: Int) -> String? {
    guard data.indices.contains(place) else { return nil }
    return String(decoding: data[place...].prefix { $0 != 0 }, as: UTF8.self)
  }

  private func name(_ offset: Int?, of section: Section, _ sections: [Section]) -> String? {
    guard let offset, sections.indices.contains(section.names) else { return nil }
    return text(at: sections[section.names].start + offset)
  }

  func needs(_ sections: [Section]) -> [String] {
    guard let section = sections.first(where: { $0.kind == Section.dynamic }) else { return [] }
    return stride(from: section.start, to: section.start + section.size, by: 16).compactMap {
      guard number(at: $0, bytes: 8) == 1 else { return nil }
      return name(number(at: $0 + 8, bytes: 8), of: section, sections)
    }
  }

  func versions(_ sections: [Section]) -> [String] {
    guard let section = sections.first(where: { $0.kind == Section.neededVersions }) else {
      return []
    }
    var found: [String] = []
    var file: Int? = section.start
    while let place = file, let count = number(at: place + 2, bytes: 2),
      let first = number(at: place + 8, bytes: 4), let next = number(at: place + 12, bytes: 4)
    {
      var version = place + first
      for _ in 0..<count {
        if let name = name(number(at: version + 8, bytes: 4), of: section, sections) {
          found.append(name)
        }
        guard let step = number(at: version + 12, bytes: 4), step > 0 else { break }
        version += step
      }
      file = next > 0 ? place + next : nil
    }
    return found
  }
}
