import Foundation

/// The sections of a CSD, which is no XML: what stands between two tags on it.
enum CsdSection {
  /// What is in the first section of a name, whatever its letters' case; nil where there is none. One that is
  /// not ended goes to the end.
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
