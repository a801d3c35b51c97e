import Foundation

/// Finds the sections of a CSD by their tags. A CSD is not XML, so no XML parser can.
enum CsdSection {
  /// The text inside the first section with this name, in upper or lower case; nil if there is none. A section without
  /// an end tag goes to the end of the CSD.
  static func inside(_ name: String, of csd: String) -> String? {
    guard let whole = whole(name, of: csd), let begin = whole.firstIndex(of: ">") else {
      return nil
    }
    let inner = whole[whole.index(after: begin)...]
    let end = inner.range(of: "</\(name)>", options: [.caseInsensitive, .backwards])
    return String(inner[..<(end?.lowerBound ?? inner.endIndex)])
  }

  /// The section with its tags.
  static func whole(_ name: String, of csd: String) -> Substring? {
    let options: String.CompareOptions = [.caseInsensitive]
    guard let begin = csd.range(of: "<\(name)>", options: options) else { return nil }
    let rest = csd[begin.lowerBound...]
    let end = rest.range(of: "</\(name)>", options: options)
    return rest[..<(end?.upperBound ?? rest.endIndex)]
  }
}
