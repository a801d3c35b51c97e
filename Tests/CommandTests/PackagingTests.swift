import Foundation
import Rendering
import Testing

@Suite("What package makes to distribute", .serialized)
struct PackagingTests: PackageSuite {
  static let shared = Result { try AuthorPackage() }

  static let license = "Do As You Like License\n\nDo as you like.\n"

  /// A package with one opcode, an example of it and a commit.
  static func released() throws -> AuthorPackage {
    let package = try adding("LATER", "a", "ak")
    guard !Files.exist(package.directory + "/.git") else {
      return package
    }
    try package.write(license, to: "LICENSE")
    try package.write("<CsoundSynthesizer>; of LATERAL", to: "csd/OTHER.csd")
    try package.commit()
    return package
  }

  @Test("package makes the same bytes of the same commit in folders of different names")
  func packaged() throws {
    let package = try Self.released()
    let folder = package.directory + "/build/package"
    try? Files.remove(folder)
    let made = try package.command(
      "package", "--csound", "6", "--arch", ownProcessor.rawValue, "--url",
      "https://echoes.org/1.0"
    ).good()
    let glibc = try neededGlibc(folder + "/" + BuildTarget.tools.plugin(givenAwayOf: "echoes"))
    made.says(
      " of Ada Lovelace <ada@place.org>; runs with Csound 6.18 and glibc \(glibc) or newer on \(ownProcessor.rawValue)."
    )
    let sums = try run("/usr/bin/sha256sum", ["-c", "SHA256SUMS"], directory: folder).good()
    let deb = try #require(Files.names(in: folder).first { $0.hasSuffix(".deb") })
    let archive = try #require(Files.names(in: folder).first { $0.hasSuffix(".tar.gz") })
    #expect(
      Set(sums.output.split(separator: "\n").map { "\($0.prefix { $0 != ":" })" }) == [
        deb, archive, BuildTarget.tools.plugin(givenAwayOf: "echoes"), "risset.json",
        "doc/LATER.md",
        "examples/LATER.csd", "README.md", "INSTALL.md", "LICENSE",
      ])
    let page = try String(file: folder + "/INSTALL.md")
    let plugin = BuildTarget.tools.plugin(givenAwayOf: "echoes")
    expectWords(
      page, "# Installing echoes 0~", "1 opcode for Csound", "`apt install ./\(deb)`",
      "put `\(plugin)` into", "examples/LATER.csd -odac", "- [LATER](doc/LATER.md): ")
    try checkManifest(folder + "/risset.json", glibc)
    try checkDebianPackage(folder + "/" + deb, glibc)
    try checkArchive(folder + "/" + archive)

    let other = try temporaryDirectory() + "/elsewhere"
    try run("/usr/bin/git", ["clone", "-q", package.directory, other]).good()
    // Another process with a different umask and a different time zone.
    let again = try run(
      "/bin/sh",
      [
        "-c",
        "umask 077; exec \"$0\" package --csound 6 --arch \(ownProcessor.rawValue)"
          + " --url https://echoes.org/1.0 --out given",
        tool,
      ],
      environment: ["OPCODEKIT_ROOT": root, "TZ": "Asia/Tokyo"], directory: other
    ).good()
    #expect(!again.errors.contains("is in no commit"), "\(again.errors)")
    let texts = try [folder, other + "/given"].map {
      try String(file: $0 + "/SHA256SUMS")
    }
    #expect(texts[0] == texts[1])
  }

  struct Manifest: Decodable {
    struct Binary: Decodable {
      var platform, url, csound_version, build_platform: String
      var extractpath: String?
    }
    var name, version, short_description, long_description, author, email, license, doc: String
    var opcodes: [String]
    var binaries: [Binary]
  }

  /// Checks the keys that risset's documentation asks for, and their values.
  func checkManifest(_ path: String, _ glibc: String) throws {
    let manifest = try JSONDecoder().decode(Manifest.self, file: path)
    #expect(manifest.name == "echoes" && manifest.version == "0.0.0" && manifest.doc == "doc")
    #expect(manifest.opcodes == ["LATER"] && manifest.long_description.hasPrefix("LATER: "))
    #expect(manifest.author == "Ada Lovelace" && manifest.email == "ada@place.org")
    #expect(manifest.license == "Do As You Like License")
    let binary = try #require(manifest.binaries.first)
    #expect(
      binary.platform == "linux-" + ownProcessor.appleName && binary.csound_version == ">=6.18<7.0"
    )
    #expect(
      binary.url == "https://echoes.org/1.0/" + BuildTarget.tools.plugin(givenAwayOf: "echoes"))
    #expect(binary.build_platform == "Linux with glibc \(glibc) or newer")
  }

  /// Checks an archive for Linux: one folder of its own name, with the plugin, the pages and their sums.
  func checkArchive(_ path: String) throws {
    let listed = try run("/usr/bin/tar", ["--list", "--verbose", "--numeric-owner", "-zf", path])
    let lines = listed.output.split(separator: "\n")
    #expect(
      lines.allSatisfy { $0.contains(#/^(drwxr-xr-x|-rw-r--r--) 0/0\s/#) }, "\(listed.output)")
    let place = try temporaryDirectory()
    #expect(try run("/usr/bin/tar", ["-xzf", path, "-C", place]).exitCode == 0)
    let folder = place + "/" + (path as NSString).lastPathComponent.dropLast(7)
    let page = try checkUnpacked(folder, has: [BuildTarget.tools.plugin(givenAwayOf: "echoes")])
    #expect(page.contains("for Csound on Linux;"), "\(page)")
    #expect(page.contains("glibc") && !page.contains("apt install"), "\(page)")
  }

  /// Checks what an archive has: the plugin, the pages and their sums. Returns the page on installing it.
  func checkUnpacked(_ folder: String, has plugins: [String]) throws -> String {
    let sums = try run("/usr/bin/sha256sum", ["-c", "SHA256SUMS"], directory: folder).good()
    #expect(
      Set(sums.output.split(separator: "\n").map { "\($0.prefix { $0 != ":" })" })
        == Set(
          plugins + ["doc/LATER.md", "examples/LATER.csd", "README.md", "INSTALL.md", "LICENSE"]))
    let page = try String(file: folder + "/INSTALL.md")
    for plugin in plugins { #expect(page.contains("put `\(plugin)` into"), "\(page)") }
    return page
  }

  func checkDebianPackage(_ path: String, _ glibc: String) throws {
    let fields = try run("/usr/bin/dpkg-deb", ["--field", path]).output
    for line in [
      "Package: csound-echoes", "Architecture: \(ownProcessor.debianName)",
      "Maintainer: Ada Lovelace <ada@place.org>",
      "Depends: libc6 (>= \(glibc)), libcsound64-6.0 (>= 1:6.18)",
      "Description: Csound opcode LATER",
    ] {
      #expect(fields.contains(line + "\n"), "\(fields)")
    }
    let root = try temporaryDirectory()
    #expect(try run("/usr/bin/dpkg-deb", ["--extract", path, root]).exitCode == 0)
    let plugins = root + systemLibraries + "/csound/plugins64-6.0"
    // Csound was built to look for plugins in that folder.
    let csound = try String(
      decoding: Data(file: systemLibraries + "/libcsound64.so.6.0"),
      as: UTF8.self)
    #expect(csound.contains(plugins.dropFirst(root.count)))
    try run(
      "/usr/bin/csound", ["-n", root + "/usr/share/doc/csound-echoes/examples/LATER.csd"],
      environment: ["CS_USER_PLUGINDIR": plugins]
    ).good()
  }

  @Test("A plugin takes nothing from the C library that is newer than 2.29")
  func needs() throws {
    let plugin = try standalonePlugin.get()
    let glibc = try neededGlibc(plugin)
    #expect(try !run("/usr/bin/objdump", ["-T", plugin]).output.contains("arc4random"))
    // Debuggers find the callers of an opcode: functions have unwind tables, some 600 in each of its levels.
    let frames = try run("/usr/bin/readelf", ["--debug-dump=frames", plugin]).good().output
    #expect(frames.ranges(of: " FDE ").count > 500)
    let built = try opcodekit(["build"] + standaloneOptions()).output
    #expect(built.contains(" bytes, glibc \(glibc) or newer, depends on "), "\(built)")
  }

  private static let otherProcessor = ownProcessor == .arm64 ? "x86-64" : "arm64"
  private static let refusals: [([String], Int32, String)] = [
    (["--cpu", "i386"], 64, "--cpu is 'i386'"),
    (["--arch", "mips"], 64, "--arch is 'mips'; it takes x86-64 or arm64."),
    (
      ["--arch", otherProcessor], 64,
      "a package always has the plugin for "
    ),
    (["--version", "1.0beta"], 64, "--version is '1.0beta'; it takes up to three numbers"),
    (["--maintainer", "Ada"], 64, "--maintainer is 'Ada'; it takes a name and an address"),
    (["--url", "here"], 64, "--url is 'here'"),
    (["--out", "."], 73, "in it, which no package put there"),
    (["--out", "Package.swift"], 73, "is no folder"),
    (["--out", "/proc/nowhere"], 73, "'/proc/nowhere' cannot be written"),
    (["--all", "--os", "web"], 64, "--all and --os exclude each other: --all builds for every"),
    (["--csound", "7"], 64, "--csound is 7; a package always has the plugin for Csound 6.18"),
    (["--csound", "8"], 64, "--csound is '8'; it takes 6, 7 or both"),
    (["more"], 64, "'more' is one word too many"),
  ]

  @Test("What 'package' cannot do, in a sentence", arguments: refusals)
  func packagingRefusals(words: [String], code: Int32, sentence: String) throws {
    let package = try Self.released()
    try package.command(["package"] + words).told(code, sentence)
    #expect(try package.parts().isEmpty)
  }

  @Test("A package needs git and dpkg-deb, a commit, and sources that build; changes are told")
  func packagingConditions() throws {
    let package = try Self.released()
    let tools = try temporaryDirectory()
    for (missing, others) in [("dpkg-deb", ["git"]), ("git", ["dpkg-deb"])] {
      let path = tools + "/" + missing
      try Files.makeDirectories(path)
      for name in others + ["env"] {
        try Files.link(path + "/" + name, to: "/usr/bin/" + name)
      }
      try opcodekit(
        ["package", "--arch", ownProcessor.rawValue], environment: ["PATH": path],
        directory: package.directory
      ).refused(69, "The command '\(missing)' is missing")
    }
    func give(_ words: String...) throws -> Ending {
      try package.command(
        ["package", "--csound", "6", "--arch", ownProcessor.rawValue, "--out", "given"] + words)
    }
    try give().good()
    let sums = try package.text("given/SHA256SUMS")

    let source = "Sources/Echoes/Later.swift"
    let text = try package.text(source)
    defer { try? package.write(text, to: source) }
    try package.write(text.replacing("let gain = ", with: "let gain = nothing * "), to: source)
    try give().refused(65, "cannot find 'nothing' in scope")
    #expect(try package.parts().isEmpty)
    #expect(try sums == package.text("given/SHA256SUMS"))

    try package.write(text + "\n", to: source)
    try give("--version", "2").good().says(
      "given/csound-echoes_2+dirty_\(ownProcessor.debianName).deb"
    ).tells("'Sources/Echoes/Later.swift' is in no commit")
    try Files.remove(package.directory + "/.git")
    try give().refused(65, "is in no git repository with a commit")
    try package.command(
      "package", "--csound", "6", "--arch", ownProcessor.rawValue, "--out", "given", "--version",
      "3", "--maintainer", "Ada <ada@place.org>"
    ).good().says(" 3 of Ada <ada@place.org>;").tells("there is no commit, so")
    try Files.remove(package.directory + "/given")
  }
}

extension AuthorPackage {
  /// Puts everything into a new repository with one commit, which is always the same.
  func commit() throws {
    try? Files.remove(directory + "/.git")
    let person = ["GIT_AUTHOR", "GIT_COMMITTER"].flatMap {
      [
        ("\($0)_NAME", "Ada Lovelace"), ("\($0)_EMAIL", "ada@place.org"),
        ("\($0)_DATE", "2026-01-02T03:04:05Z"),
      ]
    }
    try run(
      "/bin/sh", ["-ec", "git init -q; git add .; git commit -qm First"],
      environment: Dictionary(uniqueKeysWithValues: person), directory: directory
    ).good()
  }

  /// Half-written files that runs have left.
  func parts() throws -> [String] {
    ["", "/build"].flatMap {
      (try? Files.names(in: directory + $0)) ?? []
    }.filter { $0.contains(".part") }
  }
}
