import Foundation
import HarnessBase

/// The file that tells Swift's package manager what else the compilers of another system are told.
struct Toolset: Encodable {
  struct Tool: Encodable { var extraCLIOptions: [String] }
  private var schemaVersion = "1.0"
  private var cCompiler, swiftCompiler: Tool

  init(c: [String], swift: [String]) {
    (cCompiler, swiftCompiler) = (Tool(extraCLIOptions: c), Tool(extraCLIOptions: swift))
  }

  /// Writes `toolset.json` into a build directory, unless it is the same. Returns its path.
  func write(into directory: String) throws(Failure) -> String {
    let path = directory + "/toolset.json"
    try makeDirectory(directory)
    try writing(path) {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      let text = try encoder.encode(self)
      if FileManager.default.contents(atPath: path) != text {
        try text.write(to: URL(fileURLWithPath: path), options: .atomic)
      }
    }
    return path
  }
}
