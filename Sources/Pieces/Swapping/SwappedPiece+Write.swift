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
  /// - Parameter beside: whether included files are found beside the CSD, wherever both are moved to,
  ///   and not by their paths.
  /// - Returns: the paths of the files that were written, the CSD last.
  @discardableResult
  package func write(
    _ names: [Call: String], to csd: String, includingBeside beside: Bool = false
  ) throws(Failure) -> [String] {
    let places = Plan(self, names, as: csd).places
    var outputs: [Int: OutputFile] = [:]
    for (number, place) in places {
      outputs[number] = try OutputFile(place, inputs: files.map(\.path))
    }
    guard outputs.count == 1 || outputs[0]!.isReplaced else {
      throw Failure(
        .usage,
        "The piece includes files that change too, which cannot be written beside '\(csd)'; name a regular"
          + " file.")
    }
    let numbers = places.keys.sorted(by: >)
    for number in numbers {
      let file = files[number]
      let calls = names.filter { $0.key.file == number }
      let words = Dictionary(uniqueKeysWithValues: calls.map { ($0.key.token, $0.value) })
      var bytes: [UInt8] = []
      var copied = 0
      for (index, token) in file.tokens.enumerated() {
        var text: String?
        if let included = file.includes[index], let place = places[included] {
          text = beside ? (place as NSString).lastPathComponent : place
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
      try outputs[number]!.write(Data(bytes))
    }
    return numbers.map { places[$0]! }
  }
}
