import Foundation
import HarnessBase
import Rendering
import Testing

extension PackagingTests {
  /// A program that plays a piece with a distributed plugin; `output` has double-precision samples.
  struct GivenPlayer {
    var target: BuildTarget
    var play: (_ options: [String]) throws -> Ending
  }

  /// A player for each Csound and processor that is available here.
  static func players() throws -> [GivenPlayer] {
    var players = [
      GivenPlayer(target: .tools) {
        try run(
          "/usr/bin/csound", $0,
          environment: ["OPCODE6DIR64": "/nonexistent", "CS_USER_PLUGINDIR": "/nonexistent"])
      }
    ]
    if Csound7.lack == nil {
      players.append(
        GivenPlayer(target: BuildTarget(.seven, .own)) { try Csound7.play($0) })
    }
    if TargetTests.lack == nil {
      let csound = try DebianCsound(for: .arm64)
      players.append(
        GivenPlayer(target: BuildTarget(.six, .arm64)) {
          try run(
            csound.words[0], csound.words.dropFirst() + $0,
            environment: ["OPCODE6DIR64": csound.plugins, "CS_USER_PLUGINDIR": "/nonexistent"])
        })
    }
    return players
  }

  @Test("A package given away has a plugin for each Csound and processor, and each plays")
  func packagedForAll() throws {
    let package = try Self.released()
    let processors: [Processor] = TargetTests.lack == nil ? [.x86_64, .arm64] : [.own]
    let csounds: [CsoundVersion] = Csound7.lack == nil ? [.six, .seven] : [.six]
    let names: [String] = processors.map(\.rawValue)
    try package.command(
      "package", "--out", "given", "--arch",
      names.joined(separator: ","), "--csound",
      csounds.count == 2 ? "both" : "6"
    ).good().says("on \(names.joined(separator: " and ")).")
    let given = package.directory + "/given"
    let manifest = try JSONDecoder().decode(Manifest.self, file: given + "/risset.json")
    let targets = csounds.flatMap { csound in processors.map { BuildTarget(csound, $0) } }
    let plugins: [String] = targets.map { $0.plugin(givenAwayOf: "echoes") }
    #expect(manifest.binaries.map(\.url) == plugins)
    let platforms: [String] = targets.map { "linux-" + $0.processor.appleName }
    #expect(manifest.binaries.map(\.platform) == platforms)
    let versions: [String] = targets.map { $0.csound == .six ? ">=6.18<7.0" : ">=7.0" }
    #expect(manifest.binaries.map(\.csound_version) == versions)
    for target in targets {
      let file = given + "/" + target.plugin(givenAwayOf: "echoes")
      #expect(LibraryFile.machine(of: file) == target.processor.machine)
    }
    for processor in processors {
      let deb = try #require(
        Files.names(in: given).first { $0.hasSuffix("_\(processor.debianName).deb") })
      let tree = try temporaryDirectory()
      try run("/usr/bin/dpkg-deb", ["--extract", given + "/" + deb, tree]).good()
      let plugin =
        "\(tree)/usr/lib/\(processor.gnuName)-linux-gnu/csound/plugins64-6.0/libechoes.so"
      #expect(LibraryFile.machine(of: plugin) == processor.machine)
    }
    for player in try Self.players() {
      try playsLater(player, given + "/" + player.target.plugin(givenAwayOf: "echoes"))
    }
    try Files.remove(given)
  }

  /// Expects the sound of LATER to be that of a product.
  func playsLater(_ player: GivenPlayer, _ plugin: String) throws {
    let directory = try temporaryDirectory()
    try """
    instr 1
      anoise rand 0.5, 0.5, 1
      alater LATER anoise, 0.25
      outs alater, 0.25 * anoise
    endin
    """.csd(score: "i1 0 0.1", ksmps: 64, channels: 2).save(to: directory + "/piece.csd")
    try player.play([
      "-d", "--opcode-lib=\(plugin)", "-W", "--format=double", "-o", directory + "/out.wav",
      directory + "/piece.csd",
    ]).good("\(player.target)")
    let samples = try Sound(readingFrom: directory + "/out.wav").samples
    try #require(samples.count == 2 * 4800, "\(player.target)")
    let channels: [[Double]] = [0, 1].map { first in
      stride(from: first, to: samples.count, by: 2).map { samples[$0] }
    }
    #expect(channels[0] == channels[1] && !channels[0].contains(0), "\(player.target)")
  }
}

extension PackagingTests {
  @Test(
    "A package given away for other systems has their plugins, which risset's manifest names by platform",
    .enabled(
      if: WindowsTests.lack == nil && MacTests.lack == nil && Csound7.lack == nil,
      Comment(rawValue: WindowsTests.lack ?? MacTests.lack ?? Csound7.lack ?? "")))
  func packagedForSystems() throws {
    let package = try Self.released()
    try package.command(
      "package", "--out", "given-systems", "--arch", Processor.own.rawValue, "--csound", "both",
      "--os", "windows,macos"
    ).good().says(", and on Windows and macOS.")
    let given = package.directory + "/given-systems"
    defer { try? Files.remove(given) }
    let archives = try Files.names(in: given).filter { $0.hasSuffix(".zip") }.map {
      String($0.dropLast(4))
    }.sorted()
    try #require(archives.count == 2)
    let (macos, windows) = (archives[0], archives[1])
    let plugin = BuildTarget.tools.plugin(givenAwayOf: "echoes")
    let glibc = try neededGlibc(given + "/" + plugin)
    let manifest = try JSONDecoder().decode(Manifest.self, file: given + "/risset.json")
    for (csounds, plugin, mark) in [
      (">=6.18<7.0", plugin, ""),
      (">=7.0", BuildTarget(.seven, .own).plugin(givenAwayOf: "echoes"), "-csound7"),
    ] {
      #expect(
        manifest.binaries.filter { $0.csound_version == csounds }.map {
          "\($0.platform) \($0.url) \($0.extractpath ?? "itself") \($0.build_platform)"
        } == [
          "linux-\(Processor.own.appleName) \(plugin) itself Linux with glibc \(glibc) or newer",
          "windows-x86_64 \(windows).zip \(windows)/echoes\(mark).dll Windows 10 or newer",
          "macos-x86_64 \(macos).zip \(macos)/libechoes\(mark).dylib macOS 11 or newer",
          "macos-arm64 \(macos).zip \(macos)/libechoes\(mark).dylib macOS 11 or newer",
        ])
    }
    try checkZip(given + "/\(windows).zip", has: ["echoes.dll", "echoes-csound7.dll"], in: given)
    try checkZip(
      given + "/\(macos).zip", has: ["libechoes.dylib", "libechoes-csound7.dylib"], in: given)
    let exports = try LibraryFile(given + "/echoes.dll").text.matches(of: /\n +\d+ +0x\w+ +\S+/)
    #expect(exports.count == 3)
    #expect(try LibraryFile(given + "/libechoes.dylib").machProcessors.count == 2)
    let mac = try MacPlayer(for: .seven, plugin: given + "/libechoes-csound7.dylib", kit: root)
    try playsLater(
      GivenPlayer(target: mac.target) {
        try run(mac.words[0], mac.words.dropFirst() + $0, environment: mac.environment)
      }, mac.loader)
    let page = try String(file: given + "/INSTALL.md")
    expectWords(
      page, "for Csound on Linux, Windows and macOS;",
      #"on 64-bit Windows: put `echoes.dll` into `%LOCALAPPDATA%\csound\6.0\plugins64`."#,
      #"put `echoes-csound7.dll` into `%LOCALAPPDATA%\csound\7.0\plugins64`."#)
    let sums = try String(file: given + "/SHA256SUMS")
    #expect(sums.contains("echoes.dll") && sums.contains("libechoes.dylib"))
  }

  @Test(
    "package makes a package for Csound 7 alone, without a Debian package and without a word on 6",
    .unless(Csound7.lack))
  func packageForSeven() throws {
    let package = try Self.released()
    // As on a machine with Csound 7 only; the script builds the tool that makes packages.
    let ending = try run(
      root + "/opcodekit", ["package", "--csound", "7", "--arch", ownProcessor.rawValue],
      environment: ["OPCODEKIT_TOOL_CSOUND": "7"], directory: package.directory
    ).good().says("; runs with Csound 7.0 and glibc ")
    let folder = package.directory + "/build/package"
    let files = try Files.names(in: folder)
    let plugin = BuildTarget(.seven, .own).plugin(givenAwayOf: "echoes")
    #expect(files.filter { $0.hasSuffix(".so") } == [plugin])
    #expect(!files.contains { $0.hasSuffix(".deb") })
    let page = try String(file: folder + "/INSTALL.md")
    #expect(page.contains("`csound --opcode-lib=./\(plugin) examples/LATER.csd"), "\(page)")
    let manifest = try String(file: folder + "/risset.json")
    for text in [page, manifest, ending.output] { #expect(!text.contains("6.18"), "\(text)") }
  }

  /// Checks a ZIP file: one folder of its own name, with plugins of the package, the pages and their sums.
  func checkZip(_ path: String, has plugins: [String], in package: String) throws {
    let place = try temporaryDirectory()
    // Reads the archive's directory and each file's checksum.
    for words in [["-t", path], ["-e", path, place]] {
      let read = try run("/usr/bin/env", ["python3", "-m", "zipfile"] + words)
      #expect(
        read.exitCode == 0 && !read.output.contains("corrupted"), "\(read.output)\(read.errors)")
    }
    let folder = place + "/" + (path as NSString).lastPathComponent.dropLast(4)
    let page = try checkUnpacked(folder, has: plugins)
    for plugin in plugins {
      #expect(
        FileManager.default.contentsEqual(
          atPath: "\(folder)/\(plugin)", andPath: "\(package)/\(plugin)"))
    }
    #expect(!page.contains("glibc") && !page.contains(".so"), "\(page)")
  }

  @Test(
    "A package given away for the web has the plugin, which its page explains and risset's manifest leaves out",
    .unless(WebTests.lack))
  func packagedForWeb() throws {
    let package = try Self.released()
    func command(_ csound: String) throws -> Ending {
      try package.command(
        "package", "--out", "given-web", "--arch", Processor.own.rawValue, "--os", "web",
        "--csound", csound)
    }
    try command("6").refused(64, "--csound is 6; a plugin for the web is for Csound 7: say both.")
    try command("both").good()
    let given = package.directory + "/given-web"
    defer { try? Files.remove(given) }
    let file = try Data(file: given + "/echoes-csound7.wasm")
    #expect(file.starts(with: Data("\0asm".utf8)))
    let page = try String(file: given + "/INSTALL.md")
    expectWords(
      page, "in a web page: copy `echoes-csound7.wasm` into", "open `index.html` in a browser")
    let played = try run(
      "/usr/bin/env", ["node", root + "/Tests/Hosts/listen.mjs", given + "/index.html"])
    #expect(
      played.output.contains(/"overload":"LATER[^\n]*"said":"","ended":false/),
      "\(played.output)\(played.errors)")
    let manifest = try String(file: given + "/risset.json")
    #expect(!manifest.contains("wasm"))
    let sums = try String(file: given + "/SHA256SUMS")
    #expect(sums.contains("echoes-csound7.wasm"))
    let archive = try #require(try Files.names(in: given).first { $0.hasSuffix("-web.zip") })
    let listed = try run("/usr/bin/env", ["python3", "-m", "zipfile", "-l", given + "/" + archive])
      .says("/echoes-csound7.wasm ", "/index.html ")
    #expect(!listed.output.contains(".so"), "\(listed.output)")
  }
}
