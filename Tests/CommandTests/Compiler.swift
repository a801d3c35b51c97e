import Foundation

/// The compiler's messages about a module that consists of these files and uses the kit. It is compiled like the
/// package, up to the stage that the options name.
func compilerErrors(of sources: [String: String], _ options: String...) throws -> String {
  let directory = try temporaryDirectory()
  defer { try? Files.remove(directory) }
  for (name, text) in sources {
    try text.save(to: directory + "/" + name)
  }
  let modules = try Files.names(in: root + "/Sources/Kit").map { root + "/Sources/Kit/" + $0 }
    .filter { Files.exist($0 + "/module.modulemap") }
  let products = (tool as NSString).deletingLastPathComponent
  let ending = try run(
    "/usr/bin/env",
    ["swiftc", "-parse-as-library"] + options
      + ["-module-name", "Echoes", "-I", products + "/Modules"]
      + ["-load-plugin-executable", products + "/OpcodeMacros-tool#OpcodeMacros"]
      + modules.flatMap { ["-I", $0] } + sources.keys.sorted(), directory: directory)
  return ending.errors
}
