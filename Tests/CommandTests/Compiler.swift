import Foundation

/// What the compiler says of a module of these files that uses the kit, compiled as the package is but up
/// to where the options say.
func compilerErrors(of sources: [String: String], _ options: String...) throws -> String {
  let directory = try temporaryDirectory()
  defer { try? FileManager.default.removeItem(atPath: directory) }
  for (name, text) in sources {
    try text.write(toFile: directory + "/" + name, atomically: true, encoding: .utf8)
  }
  let modules = try FileManager.default.contentsOfDirectory(atPath: root + "/Sources/Kit")
    .map { root + "/Sources/Kit/" + $0 }
    .filter { FileManager.default.fileExists(atPath: $0 + "/module.modulemap") }
  let products = (tool as NSString).deletingLastPathComponent
  let ending = try run(
    "/usr/bin/env",
    ["swiftc", "-parse-as-library"] + options
      + ["-module-name", "Echoes", "-I", products + "/Modules"]
      + ["-load-plugin-executable", products + "/OpcodeMacros-tool#OpcodeMacros"]
      + modules.flatMap { ["-I", $0] } + sources.keys.sorted(), directory: directory)
  return ending.errors
}
