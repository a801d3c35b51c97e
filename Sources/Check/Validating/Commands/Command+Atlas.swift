import CommandKit
import Foundation
import HarnessBase

extension Command {
  private static let page = Option(
    name: "output", letter: "o", value: "FILE",
    help: "The page; atlas.html unless given. It links what --keep of versions has written.")

  static let atlas = Command(
    name: "atlas", operands: "FILE.json …",
    summary:
      "Make a page to search from results of versions: what changed, in which opcode, since when.",
    options: [page]
  ) { arguments throws(Failure) in
    guard !arguments.operands.isEmpty else {
      throw Failure(
        .usage, "atlas needs results of versions; write them with versions --json FILE.")
    }
    let path = URL(fileURLWithPath: arguments[page] ?? "atlas.html").standardizedFileURL.path
    let output = try OutputFile(path, inputs: arguments.operands)
    defer { output.discard() }
    let atlas = try Atlas(readingFrom: arguments.operands, directory: path.parentPath)
    try writing(output.part) {
      try atlas.text.write(toFile: output.part, atomically: false, encoding: .utf8)
    }
    try output.finish()
    print("\(atlas.summary)\nWrote \(arguments[page] ?? "atlas.html").")
    return .success
  }
}
