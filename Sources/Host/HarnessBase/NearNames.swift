/// Suggestions for a name that does not exist.
package enum NearNames {
  /// The known names nearest to `name`, sorted; empty if even the nearest differs too much.
  package static func of(_ name: String, among known: Set<String>) -> [String] {
    let distances = known.map { ($0, editDistance($0.lowercased(), name.lowercased())) }
    let nearest = distances.map(\.1).min() ?? .max
    return nearest <= max(2, name.count / 3)
      ? distances.filter { $0.1 == nearest }.map(\.0).sorted() : []
  }

  /// The sentence for a name that does not exist, with suggestions. `what` begins it, such as
  /// `No opcode`.
  package static func unknown(_ what: String, _ name: String, _ known: Set<String>) -> String {
    let near = of(name, among: known)
    let advice =
      !near.isEmpty
      ? "did you mean \(near.joined(separator: " or "))?"
      : known.isEmpty
        ? "there is none."
        : known.count > 80
          ? "none of the \(known.count) known names is similar."
          : "known are \(known.sorted().joined(separator: ", "))."
    return "\(what) is called '\(name)'; \(advice)"
  }

  /// How many letters must be inserted, removed or changed to turn one word into the other
  /// (Levenshtein's distance).
  package static func editDistance(_ first: String, _ second: String) -> Int {
    let second = Array(second)
    var row = Array(0...second.count)
    for (i, letter) in first.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, other) in second.enumerated() {
        let changed = diagonal + (letter == other ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(changed, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[second.count]
  }
}
