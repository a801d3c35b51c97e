import CommandKit
import Foundation
import HarnessBase

extension Command {
  private static let page = Option(
    name: "output", letter: "o", value: "FILE",
    help: "The page; atlas.html unless given. It links what --keep of versions has written.")

  private static let recorded = Option(
    name: "record", value: "FILE",
    help: "Also keep what has changed in a small file, without sounds; of one FILE.json only.")

  private static let history = Option(
    name: "history", value: "DIR",
    help: "A clone of Csound's sources: name its commits whose subject has a changed opcode.")

  static let atlas = Command(
    name: "atlas", operands: "[FILE.json …]",
    summary:
      "Make a page to search from results of versions: what changed, in which opcode, since when.",
    options: [page, recorded, history]
  ) { arguments throws(Failure) in
    let paths =
      arguments.operands.isEmpty ? try Atlas.recorded(in: Project.kit) : arguments.operands
    guard arguments[recorded] == nil || arguments.operands.count == 1 else {
      throw .usage(
        "--record keeps one file, \(arguments.operands.count) given; name one FILE.json.")
    }
    let path = URL(fileURLWithPath: arguments[page] ?? "atlas.html").standardizedFileURL.path
    let output = try OutputFile(path, inputs: paths)
    defer { output.discard() }
    let kept = try FileExport(arguments, recorded)
    let atlas = try Atlas(
      readingFrom: paths, directory: path.parentPath, history: arguments[history])
    try writing(output.part) {
      try atlas.text.write(toFile: output.part, atomically: false, encoding: .utf8)
    }
    try output.finish()
    try kept?.write(atlas.steps[0].record)
    print("\(atlas.summary)\nWrote \(arguments[page] ?? "atlas.html").")
    return .success
  }
}
