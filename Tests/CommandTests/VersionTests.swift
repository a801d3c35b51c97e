import Foundation
import HarnessBase
import TestSupport
import Testing

@Suite("A package that depends on a version of the kit", .onlyAmongAll)
struct VersionTests {
  /// The kit's files as they are now, in a repository of their own with the tag 1.0.0.
  static func taggedKit(in directory: String) throws -> String {
    let kit = directory + "/OpcodeKit"
    try run(
      "/usr/bin/bash",
      [
        "-ec",
        """
        mkdir "$0"
        git ls-files -z --cached --others --exclude-standard | tar --null -T - -cf - | tar -xf - -C "$0"
        cd "$0"
        git init -q
        git add -A
        git -c user.name=Nobody -c user.email=nobody@example.org commit -qm 'The kit'
        git tag 1.0.0
        """, kit,
      ]
    ).good()
    return kit
  }

  @Test("It builds in a home without any cache, and its opcode plays")
  func builds() throws {
    let directory = try temporaryDirectory()
    let kit = try Self.taggedKit(in: directory)
    let package = directory + "/Echoes"
    try opcodekit("new", package, "--url", "file://" + kit, "--tag", "1.0.0").good()
    let home = directory + "/home"
    try Files.makeDirectories(home)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    try run(
      "/usr/bin/env", ["-i", "HOME=" + home, "PATH=" + path, "swift", "build"], directory: package
    ).good()
    let resolved = try String(file: package + "/Package.resolved")
    #expect(resolved.contains(#""version" : "1.0.0""#))
    try run(
      "/usr/bin/csound",
      ["--opcode-lib=.build/debug/libechoes.so", "csd/GAIN.csd", "-o", "gain.wav"],
      directory: package
    ).good()
    #expect(try Sound(readingFrom: package + "/gain.wav").samples.map(abs).max()! > 0.1)
  }
}
