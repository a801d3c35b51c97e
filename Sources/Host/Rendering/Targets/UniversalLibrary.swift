import Foundation
import HarnessBase

/// A file that holds a dylib for each kind of processor, of which macOS loads the right one.
package enum UniversalLibrary {
  /// The parts begin on pages of the processor with the largest, 2^14 bytes.
  private static let alignment = 14

  /// Writes a universal file of 64-bit Mach-O files.
  package static func write(_ parts: [String], to path: String) throws(Failure) {
    try writing(path) {
      let contents = try parts.map { try Data(contentsOf: URL(fileURLWithPath: $0)) }
      var header = number(0xCAFE_BABE) + number(contents.count)
      var body = Data()
      for content in contents {
        let page = 1 << alignment
        let start = (body.count / page + 1) * page
        body += Data(count: start - page - body.count) + content
        // The kind of processor and its version, as the part itself has them, in the other byte order.
        header += Data(content[4..<8].reversed()) + Data(content[8..<12].reversed())
        header += number(start) + number(content.count) + number(alignment)
        body += Data(count: (page - body.count % page) % page)
      }
      try FileManager.default.createDirectory(
        atPath: path.parentPath, withIntermediateDirectories: true)
      try (header + Data(count: (1 << alignment) - header.count) + body)
        .write(to: URL(fileURLWithPath: path))
    }
  }

  private static func number(_ value: Int) -> Data {
    Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) })
  }
}
