/// The values that a Cabbage instrument's widgets give to channels before it plays.
///
/// Without them most effects are silent: their levels are channels nobody has set.
struct WidgetValues {
  /// By channel.
  private(set) var values: [String: Double] = [:]

  /// Reads the `<Cabbage>` section of a CSD: `channel("level"), range(0, 1, 0.5)` or
  /// `channel("on"), value(1)`.
  init(of csd: String) {
    guard let section = csd.firstMatch(of: /<Cabbage>(?s:(.*?))<\/Cabbage>/) else { return }
    for line in section.1.split(whereSeparator: \.isNewline) {
      guard !line.drop(while: \.isWhitespace).hasPrefix(";"),
        let channel = line.firstMatch(of: /\bchannel\(\s*"([^"]+)"\s*\)/)
      else { continue }
      let range = line.firstMatch(of: /\brange\(([^)]*)\)/)?.1.split(separator: ",")
      let third = range.flatMap { $0.count > 2 ? $0[2] : nil }
      guard let text = line.firstMatch(of: /\bvalue\(([^)]*)\)/)?.1 ?? third,
        let value = Double(text.filter { !$0.isWhitespace })
      else { continue }
      values[String(channel.1)] = value
    }
  }
}
