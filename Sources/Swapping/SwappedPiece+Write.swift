import Foundation
import HarnessBase

extension SwappedPiece {
  /// The files that a piece with other names would have: the CSD, and beside it the included files that
  /// change, named after it. All else stays as it is.
  private struct Plan {
    /// Paths by the files' numbers.
    var places: [Int: String]

    init(_ piece: SwappedPiece, _ names: [Call: String], as csd: String) {
      let files = piece.files
      var changed = Set(names.keys.map(\.file))
      changed.insert(0)
      // What includes a changed file changes too.
      var isComplete = false
      while !isComplete {
        let more = files.indices.filter { number in
          !changed.contains(number)
            && files[number].includes.values.contains(where: changed.contains)
        }
        changed.formUnion(more)
        isComplete = more.isEmpty
      }
      places = [0: csd]
      let stem = (csd as NSString).deletingPathExtension
      for number in changed.sorted() where number > 0 {
        let name = (files[number].path as NSString).lastPathComponent
        let place = "\(stem)-\(name)"
        places[number] = places.values.contains(place) ? "\(stem)-\(number)-\(name)" : place
      }
    }
  }

  /// Writes the piece with calls by other names, and beside it the included files that change.
  ///
  /// - Parameters:
  ///   - final: the CSD's path when it is not that of the file which is written; then included files
  ///     are named after it, and found beside it.
  /// - Returns: the paths of the included files that were written.
  @discardableResult
  package func write(
    _ names: [Call: String], to csd: String, as final: String? = nil
  ) throws(Failure) -> [String] {
    let places = Plan(self, names, as: final ?? csd).places
    for path in places.values where files.contains(where: { $0.path == path }) {
      throw Failure(
        .usage, "'\(path)' is a file of the piece itself, which stays as it is; name another one.")
    }
    for (number, place) in places {
      let file = files[number]
      let calls = names.filter { $0.key.file == number }
      let words = Dictionary(uniqueKeysWithValues: calls.map { ($0.key.token, $0.value) })
      var bytes: [UInt8] = []
      var copied = 0
      for (index, token) in file.tokens.enumerated() {
        var text: String?
        if let included = file.includes[index], let place = places[included] {
          text = final == nil ? place : (place as NSString).lastPathComponent
        } else {
          text = words[index]
        }
        guard let text else { continue }
        bytes += file.bytes[copied..<token.range.lowerBound]
        bytes += text.utf8
        copied = token.range.upperBound
        // Csound knows its own functions when a blank stands before the parenthesis, others not.
        if token.kind == .word, let parenthesis = parenthesis(file, index) { copied = parenthesis }
      }
      bytes += file.bytes[copied...]
      let path = number == 0 ? csd : place
      do {
        try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
      } catch {
        throw Failure(.unwritableOutput, "'\(path)' cannot be written.")
      }
    }
    return places.filter { $0.key > 0 }.map(\.value).sorted()
  }
}
