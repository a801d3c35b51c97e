import Foundation
import TestSupport
import Testing

@Suite("The kit's manifest on machines of other kinds")
struct ManifestTests {
  /// The toolchain's directory `usr`.
  static let toolchain = Result {
    let found = try run("/usr/bin/env", ["bash", "-c", "readlink -f \"$(command -v swiftc)\""])
    return URL(fileURLWithPath: found.output).deletingLastPathComponent()
      .deletingLastPathComponent().path
  }

  /// The manifest as a program, which Swift's package manager makes of it and runs.
  static let program = Result {
    let library = try toolchain.get() + "/lib/swift/pm/ManifestAPI"
    let program = try temporaryDirectory() + "/manifest"
    try run(
      "/usr/bin/env",
      [
        "swiftc", "-I", library, "-L", library, "-lPackageDescription", "-Xlinker", "-rpath",
        "-Xlinker", library, "-swift-version", "6", "-package-description-version", "6.3.0",
        root + "/Package.swift", "-o", program,
      ]
    ).good()
    return program
  }

  /// Evaluates the manifest in a program that finds itself, or not, with this PATH. Returns the options of the target of
  /// macros.
  func evaluated(findsItself: Bool, path: String) throws -> String {
    let program = try Self.program.get()
    let ending = try run(
      "/usr/bin/bash",
      [
        "-c", "exec -a \"$0\" \"$1\" -fileno 1 -context '{\"packageDirectory\":\"/\"}'",
        findsItself ? program : "/nowhere", program,
      ], environment: ["PATH": path]
    ).good()
    let manifest = try #require(
      JSONSerialization.jsonObject(with: Data(ending.output.utf8)) as? [String: Any])
    #expect((manifest["errors"] as? [Any])?.isEmpty == true)
    #expect(ending.output.contains("OpcodeMacros"))
    return ending.output
  }

  @Test("The toolchain is found by the program, or else on the PATH, or else not at all")
  func toolchain() throws {
    let usr = try Self.toolchain.get()
    let host = "\"-I\",\"\(usr)/lib/swift/host\""
    #expect(try evaluated(findsItself: true, path: "/bin").contains(host))
    #expect(try evaluated(findsItself: false, path: "/bin:\(usr)/bin").contains(host))
    #expect(try evaluated(findsItself: false, path: "C:\\Windows;\(usr)/bin").contains(host))
    #expect(try !evaluated(findsItself: false, path: "/bin").contains("\"-I\""))
  }
}
