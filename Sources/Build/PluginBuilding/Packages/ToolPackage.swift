import CommandKit
import Comparing
import Foundation
import HarnessBase
import Rendering

/// The tool for those who have no Swift: its programs with Swift's library inside, the pack's plugins, and the files that
/// commands read, as a Debian package and as an archive. Both hold one folder, in which everything lies where it does in a
/// clone; the programs are in `bin`. The script `opcodekit` and `isInstalled` know that folder.
package struct ToolPackage {
  private static let name = "opcodekit"

  let release: Release
  /// Of the plugins of the pack.
  let targets: [BuildTarget]

  /// What commands read, as git's patterns. What git ignores is left out, such as a panel's values beside a piece.
  private static let files = [
    "LICENSE", "Benchmarks/*.json", "Benchmarks/builtins", "Benchmarks/reference", "Opcodes", "csd",
    "Sources/Host/Rendering/Targets/fetch-csound7", "Sources/Live/Playing/Server/Page",
    "Sources/Tool/Script/*.txt", "Sources/Tool/Script/*.awk", "Sources/Tool/Script/completion.*",
    "Sources/Tool/opcodekit/Tool.docc/*.txt",
  ]

  /// Builds all parts, and writes the package and the archive into a folder.
  func write(to folder: PackageFolder) throws(Failure) {
    for target in targets {
      printError("opcodekit: building \(PluginBuild.pack.file(for: target))")
      try PluginBuild.pack.standalone(for: target)
    }
    var programs: [CsoundVersion: String] = [:]
    for csound in CsoundVersion.allCases {
      printError("opcodekit: building the tool for Csound \(csound.release)")
      programs[csound] = try Self.compiled(for: csound)
    }
    let scratch = try ScratchDirectory("tool")
    defer { scratch.remove() }
    let name = "\(Self.name)-\(release.version)-linux-\(Processor.own.rawValue)"
    let tree = try PackageFolder("\(scratch.path)/\(name)")
    try Self.fill(tree.part, programs: programs, targets: targets)
    try tree.finish()
    try SystemArchive.writeTar(of: name, release, in: scratch.path)
    try folder.copy("\(scratch.path)/\(name).tar.gz", to: "\(name).tar.gz")
    try writeDebian(of: tree.path, in: folder)
  }

  // MARK: The folder

  /// Puts everything into a folder: `programs` are the tool for each Csound.
  package static func fill(
    _ folder: String, programs: [CsoundVersion: String], targets: [BuildTarget]
  ) throws(Failure) {
    let kit = Project.kit
    func copy(_ source: String, to name: String) throws(Failure) {
      let target = "\(folder)/\(name)"
      try makeDirectory(target.parentPath)
      try writing(target) {
        try FileManager.default.copyItem(atPath: source, toPath: target)
        let isProgram = access(source, X_OK) == 0 && !name.hasSuffix(".so")
        chmod(target, isProgram ? 0o755 : 0o644)
      }
    }
    let kept = try kept(in: kit) + targets.map(PluginBuild.pack.file)
    for file in kept + ["opcodekit"] { try copy("\(kit)/\(file)", to: file) }
    let compiledC = try references()
    for file in compiledC { try copy("\(kit)/\(file)", to: file) }
    try CsoundLibrary.makePlayer()
    try copy(CsoundLibrary.player, to: "bin/player")
    let installed = programs.map { csound, program in
      (program, "bin/opcodekit" + (csound == .six ? "" : "-csound\(csound.rawValue)"))
    }
    for (program, name) in installed { try copy(program, to: name) }
    // Swift's hashes of modules, and the linker's of the program, tell in which directory they were compiled.
    for file in compiledC + ["bin/player"] + installed.map(\.1) {
      try ChildProcess.run(
        requiredProgramOfSwift("llvm-objcopy"),
        [
          "--strip-all", "--remove-section=.swift_modhash", "--remove-section=.note.gnu.build-id",
          "\(folder)/\(file)",
        ]
      ).require(.badInput, "llvm-objcopy: ")
    }
    let here = Provenance.current(root: kit)
    try writing(folder) {
      try "\(here.commit ?? "no commit")\n\(here.compiler)\n".write(
        toFile: "\(folder)/\(Provenance.versionFile)", atomically: true, encoding: .utf8)
    }
  }

  private static func kept(in kit: String) throws(Failure) -> [String] {
    let listed = try ChildProcess.run(
      "/usr/bin/env",
      ["git", "-C", kit, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]
        + files.map { ":(glob)" + $0 })
    try listed.require(.badInput, "git: ")
    return listed.output.split(separator: "\0").map(String.init)
  }

  /// The rivals in C, which need a compiler otherwise: for each level that an opcode of the pack is played at.
  private static func references() throws(Failure) -> [String] {
    var paths: [String] = []
    for pairing in try Pairing.all(in: Project.kit + "/Benchmarks").pairings {
      guard let source = pairing.rivalSource, source.hasSuffix(".c") else { continue }
      for level in Set([Processor.own.levels[0], Processor.playedLevel]) {
        let reference = ReferencePlugin(source, Project.kit, level: level)
        try reference.build()
        paths.append(String(reference.path.dropFirst(Project.kit.count + 1)))
      }
    }
    return paths
  }

  // MARK: The program

  /// Compiles the tool with Swift's library inside, and libwebsockets, whose number differs among Debians.
  private static func compiled(for csound: CsoundVersion) throws(Failure) -> String {
    let scratch = "\(Project.kit)/.build/tool" + (csound == .six ? "" : "-csound\(csound.rawValue)")
    let libraries = "/usr/lib/\(Processor.own.gnuName)-linux-gnu"
    let fixed = "\(scratch)/libraries", link = fixed + "/libwebsockets.a"
    try makeDirectory(fixed)
    try writing(link) {
      if dateWritten(link) == nil {
        try FileManager.default.createSymbolicLink(
          atPath: link, withDestinationPath: libraries + "/libwebsockets.a")
      }
    }
    var linked = ["-L\(fixed)", "-lssl", "-lcrypto", "-lcap"]
    var words: [String] = []
    var environment = ProcessInfo.processInfo.environment
    if csound == .seven {
      let published = PublishedCsound(kit: Project.kit)
      // The program looks for Csound beside itself; the script sets another place.
      environment[PluginBuild.csound7] = "$ORIGIN/csound7"
      words = ["-Xcc", "-I\(try published.headers())"]
      linked.append("-L\(try published.library())")
    }
    let finished = try ChildProcess.run(
      "/usr/bin/env",
      [
        "swift", "build", "-c", "release", "--product", "opcodekit", "--static-swift-stdlib",
        "--disable-index-store", "--package-path", Project.kit, "--scratch-path", scratch,
      ] + words + linked.flatMap { ["-Xlinker", $0] }, environment: environment)
    guard finished.isGood else {
      writeError(finished.output + finished.errors)
      throw .badInput("The tool cannot be compiled; the compiler's messages are above.")
    }
    return "\(scratch)/release/opcodekit"
  }

  // MARK: The Debian package

  private func writeDebian(of folder: String, in out: PackageFolder) throws(Failure) {
    let scratch = try ScratchDirectory("debian")
    defer { scratch.remove() }
    let tree = try PackageFolder(scratch.path + "/tree")
    let place = "usr/lib/\(Self.name)"
    for name in PackageFolder.contents(of: folder) {
      try tree.copy("\(folder)/\(name)", to: "\(place)/\(name)")
      if FileManager.default.isExecutableFile(atPath: "\(folder)/\(name)") {
        chmod("\(tree.part)/\(place)/\(name)", 0o755)
      }
    }
    let completions = [
      "bash": "bash-completion/completions/opcodekit", "zsh": "zsh/vendor-completions/_opcodekit",
      "fish": "fish/vendor_completions.d/opcodekit.fish",
    ]
    for (shell, place) in completions {
      try tree.copy(
        "\(Project.kit)/Sources/Tool/Script/completion.\(shell)", to: "usr/share/\(place)")
    }
    try tree.write(try manual(), to: "usr/share/man/man1/opcodekit.1")
    let packed = tree.part + "/usr/share/man/man1/opcodekit.1"
    try ChildProcess.run("/usr/bin/env", ["gzip", "-9n", packed]).require(.unavailable, "gzip: ")
    try makeDirectory(tree.part + "/usr/bin")
    try writing(out.path) {
      try FileManager.default.createSymbolicLink(
        atPath: tree.part + "/usr/bin/opcodekit",
        withDestinationPath: "../lib/\(Self.name)/opcodekit")
    }
    // They are there to be given away.
    try tree.write(
      "\(Self.name): binary-from-other-architecture [usr/lib/\(Self.name)/build/*]\n",
      to: "usr/share/lintian/overrides/\(Self.name)")
    try tree.write(copyright, to: "usr/share/doc/\(Self.name)/copyright")
    let depends = try packages(of: folder + "/bin/opcodekit")
    let file = "\(Self.name)_\(release.version)_\(Processor.own.debianName).deb"
    try DebianPackage.pack(tree, Self.name, release, to: "\(out.part)/\(file)") { kilobytes in
      """
      Package: \(Self.name)
      Version: \(release.version)
      Section: sound
      Priority: optional
      Architecture: \(Processor.own.debianName)
      Maintainer: \(release.maintainer)
      Installed-Size: \(kilobytes)
      Depends: \(depends.joined(separator: ", "))
      Recommends: gnuplot-nox
      Suggests: clang, python3-pip, valgrind
      Description: test, time and play opcodes and pieces of Csound
       Compares opcodes of plugins with those of Csound, times and validates them,
       profiles pieces, records how they sound and checks that they still do, and
       plays them with a panel in the browser. With it comes a pack of opcodes.
       To write opcodes takes Swift and the sources of OpcodeKit.

      """
    }
  }

  /// The Debian packages of the libraries that the program needs. Debian 13 has other names for some.
  private func packages(of program: String) throws(Failure) -> [String] {
    let library = try LibraryFile(program)
    var names: Set = ["csound", "openssl"]
    for file in library.needs where !["ld-linux", "libc.", "libm."].contains(where: file.hasPrefix)
    {
      let found = try ChildProcess.run("/usr/bin/env", ["dpkg-query", "--search", "*/\(file)"])
      guard let name = found.output.split(separator: ":").first.map(String.init) else {
        throw Failure.unavailable("'\(file)' is in no Debian package that is installed here.")
      }
      names.insert(name.hasSuffix("t64") ? String(name.dropLast(3)) : name)
    }
    return ["libc6 (>= \(library.newest("GLIBC_") ?? "2.36"))"]
      + names.sorted().map { $0.hasPrefix("lib") ? "\($0) | \($0)t64" : $0 }
  }

  private func manual() throws(Failure) -> String {
    let path = "\(Project.kit)/Sources/Tool/opcodekit/Tool.docc/help.txt"
    guard let help = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw .missingInput("'\(path)' cannot be read.")
    }
    let text = help.replacing("./opcodekit", with: "opcodekit").replacing("\\", with: "\\\\")
      .replacing("-", with: "\\-").split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" + $0 : String($0) }
      .joined(separator: "\n")
    return """
      .TH OPCODEKIT 1
      .SH NAME
      opcodekit \\- test, time and play opcodes and pieces of Csound
      .SH DESCRIPTION
      .nf
      \(text)
      .fi

      """
  }

  private var copyright: String {
    let license = (try? String(contentsOfFile: Project.kit + "/LICENSE", encoding: .utf8)) ?? ""
    return """
      Copyright: \(release.year) \(release.author), OpcodeKit.

      \(license)
      The programs have in them Swift's library with ICU (Copyright Apple Inc., the authors of the Swift project,
      Unicode, Inc.; Apache License 2.0 with Runtime Library Exception, Unicode License) and libwebsockets (Copyright
      2010-2022 Andy Green; MIT License).

      """
  }
}
