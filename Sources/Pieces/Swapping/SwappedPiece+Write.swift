import CommandKit
import Foundation
import Rendering
import HarnessBase

extension SwappedPiece {
  /// The files to write for a piece with other names: the CSD, and beside it the included files that
  /// change, named after the CSD. Other included files stay where they are.
  private struct Plan {
    /// The paths of these files, by the files' numbers.
    var places: [Int: String]

    init(_ piece: SwappedPiece, _ names: [Call: String], as csd: String) {
      let files = piece.files
      var changed = Set(names.keys.map(\.file))
      changed.insert(0)
      // A file that includes a changed file changes too.
      var isComplete = false
      while !isComplete {
        let more = files.indices.filter { number in
          !changed.contains(number)
            && files[number].includes.values.contains { changed.contains($0.file) }
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

  /// What an included file that was written ends with, so that it may be written again.
  private static let mark = Array("\n; Written by opcodekit.\n".utf8)

  /// Writes the piece with calls by other names, and beside it the included files that change.
  ///
  /// - Parameter beside: whether the CSD includes the other files by name from its own directory, so
  /// that   all of them can be moved, instead of by their paths.
  /// - Parameter definitions: user-defined opcodes of the CSD itself that are left out, with what is written instead.
  /// - Returns: the paths of the files that were written, the CSD last.
  @discardableResult
  package func write(
    _ names: [Call: String], to csd: String, includingBeside beside: Bool = false,
    leavingOut definitions: [String: String] = [:]
  ) throws(Failure) -> [String] {
    let places = Plan(self, names, as: csd).places
    var outputs: [Int: OutputFile] = [:]
    for (number, place) in places {
      outputs[number] = try OutputFile(place, inputs: files.map(\.path))
      // The user has named only the CSD.
      guard
        number == 0 || FileManager.default.contents(atPath: place)?.hasSuffix(Self.mark) != false
      else {
        throw .unwritableOutput(
          "'\(place)' would be written beside the CSD, and is there already; move it away, or name another CSD."
        )
      }
    }
    guard outputs.count == 1 || outputs[0]!.isReplaced else {
      throw .usage(
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
      for (index, token) in file.tokens.enumerated() where token.range.lowerBound >= copied {
        var text: String?
        if number == 0, !definitions.isEmpty, let (end, instead) = definition(index, definitions) {
          bytes += file.bytes[copied..<token.range.lowerBound] + instead.utf8
          copied = end
          continue
        }
        if let included = file.includes[index] {
          // The name of an unchanged file counts from the folder of the file that names it, which moves.
          let place = places[included.file] ?? (number > 0 ? included.place : nil)
          let isMoved = beside && places[included.file] != nil
          text = isMoved ? (place! as NSString).lastPathComponent : place
        } else {
          text = words[index]
        }
        guard let text else { continue }
        bytes += file.bytes[copied..<token.range.lowerBound]
        bytes += text.utf8
        copied = token.range.upperBound
        // Csound allows a blank before the parenthesis for its own functions only, so it is removed.
        if token.kind == .word, let parenthesis = parenthesis(file, index) { copied = parenthesis }
      }
      bytes += file.bytes[copied...]
      if number > 0, !bytes.hasSuffix(Self.mark) { bytes += Self.mark }
      if number == 0, beside,
        let head = OrchestraAndScore.source(of: file.path)?.head,
        let place = bytes.firstRange(of: Array(head.utf8))
      {
        bytes.replaceSubrange(place, with: "<CsInstruments>\n".utf8)
      }
      try outputs[number]!.write(Data(bytes))
    }
    return numbers.map { places[$0]! }
  }

  /// Where a definition in the CSD ends that begins with this token, and what is written instead of it.
  private func definition(_ index: Int, _ definitions: [String: String]) -> (Int, String)? {
    let file = files[0]
    let rest = file.tokens[index...].lazy.filter { $0.kind != .space }
    guard rest.first?.kind == .word, file.text(rest.first!) == "opcode",
      let instead = rest.dropFirst().first.flatMap({ definitions[file.text($0)] }),
      let end = rest.first(where: { $0.kind == .word && file.text($0) == "endop" })
    else { return nil }
    return (end.range.upperBound, instead)
  }
}

extension Collection<UInt8> {
  fileprivate func hasSuffix(_ end: [UInt8]) -> Bool { suffix(end.count).elementsEqual(end) }
}
