import Foundation
import HarnessBase
import Testing

@Suite("Programs that come with Swift")
struct ToolchainTests {
  let directory: String

  init() throws {
    let temporary = URL(fileURLWithPath: NSTemporaryDirectory()).resolvingSymlinksInPath().path
    directory = temporary + "/opcodekit-\(UUID().uuidString)"
    for folder in ["debian", "links", "toolchain/bin", "chooser"] {
      try FileManager.default.createDirectories("\(directory)/\(folder)")
    }
    try program("debian/ld.lld")
    try program("toolchain/bin/ld.lld")
    try program("toolchain/bin/swiftc")
    symlink("../toolchain/bin/swiftc", "\(directory)/links/swiftc")
    try program(
      "chooser/swiftc",
      #"echo '{"paths": {"runtimeResourcePath": "\#(directory)/toolchain/lib/swift"}}'"#)
  }

  private func program(_ name: String, _ script: String = "exit 1") throws {
    let path = "\(directory)/\(name)"
    try "#!/bin/sh\n\(script)\n".save(to: path)
    chmod(path, 0o755)
  }

  private func found(_ folders: String...) -> String? {
    programOfSwift("ld.lld", path: folders.map { "\(directory)/\($0)" }.joined(separator: ":"))?
      .replacing(directory + "/", with: "")
  }

  @Test("The linker is the toolchain's, whatever other one comes first on the PATH")
  func linker() {
    #expect(found("debian", "toolchain/bin") == "toolchain/bin/ld.lld")
    #expect(found("debian", "links") == "toolchain/bin/ld.lld")
  }

  @Test("A compiler that stands for several toolchains is asked for the one it chooses")
  func chooser() {
    #expect(found("debian", "chooser") == "toolchain/bin/ld.lld")
  }

  @Test("Where the toolchain has none, it is the one on the PATH")
  func elsewhere() {
    #expect(found("debian") == "debian/ld.lld")
    #expect(found("links", "chooser") == "toolchain/bin/ld.lld")
    unlink("\(directory)/toolchain/bin/ld.lld")
    #expect(found("links", "debian") == "debian/ld.lld")
    #expect(found("links") == nil)
  }
}
