import Foundation
import HarnessBase
import Rendering
import TestSupport
import Testing

@Suite("Plugins for arm64", .serialized)
struct TargetTests {
  /// What this machine lacks to build and play plugins for arm64; nil if nothing.
  static let lack: String? = {
    guard runsAllTests else { return onlyWithAll }
    do throws(Failure) {
      let target = BuildTarget(.six, .arm64)
      guard target.processor != .own else { return "this machine is one" }
      _ = try CrossCompiler(for: target)
      _ = try DebianCsound(for: .arm64)
      return nil
    } catch {
      return error.message
    }
  }()

  static let plugin = Result { () throws -> String in
    try opcodekit("build", "--arch", "arm64").good().says("build/libopcodes-arm64.so: ")
    return root + "/build/libopcodes-arm64.so"
  }

  @Test("It is for arm64, needs only libc, libm and the loader, of glibc 2.29", .unless(lack))
  func needs() throws {
    let file = try LibraryFile(Self.plugin.get())
    #expect(LibraryFile.machine(of: try Self.plugin.get()) == Processor.arm64.machine)
    #expect(Set(file.needs).isSubset(of: ["libm.so.6", "libc.so.6", "ld-linux-aarch64.so.1"]))
    #expect(file.newest("GLIBC_") == "2.29")
  }

  @Test(
    "From a recording every opcode makes the same samples as on this machine, to the last bit",
    .unless(lack))
  func recorded() throws {
    let recording = try Recording()
    try run(
      "/usr/bin/csound", recording.words(try standalonePlugin.get(), "here.wav")
    ).good()
    let csound = try DebianCsound(for: .arm64)
    try run(
      csound.words[0],
      csound.words.dropFirst() + recording.words(try Self.plugin.get(), "there.wav"),
      environment: ["OPCODE6DIR64": csound.plugins, "CS_USER_PLUGINDIR": "/nonexistent"]
    ).good()
    try recording.requireSame("here.wav", "there.wav")
  }

  @Test(
    "An opcode agrees there with its rival, with one in C too, which is built for it",
    .unless(lack))
  func pairs() throws {
    _ = try Self.plugin.get()
    try opcodekit(
      "compare", "STATEVAR", "ONEPOLE-c", "--arch", "arm64", "--ksmps", "64", "--sample-rate",
      "48000", "--rates", "k,kk"
    ).good().says("ONEPOLE against onepole_c")
    // This rival is another filter, so the comparison must fail.
    try opcodekit(
      "render", "csd/ONEPOLE.csd", "--arch", "arm64", "--omacro", "OPCODE=NO_SUCH", "-o",
      try temporaryDirectory() + "/x.wav"
    ).refused(65, "Csound cannot play")
  }

  @Test("Csound's own mton is wrong there where NOTENAME is right", .unless(lack))
  func noteNames() throws {
    _ = try Self.plugin.get()
    let path = try """
    instr 1
      Sown NOTENAME 60
      Srival mton 60
      kown init strchar(Sown) / 128
      krival init strchar(Srival) / 128
      out upsamp(kown), upsamp(krival)
    endin
    """.csd(score: "i1 0 0.1", ksmps: 64, channels: 2).saved()
    let wav = try temporaryDirectory() + "/names.wav"
    try opcodekit("render", path, "--arch", "arm64", "-o", wav).good()
    let frame = try Sound(readingFrom: wav).samples.prefix(2).map { UInt8($0 * 128) }
    #expect(String(decoding: frame, as: UTF8.self) == "43")
  }

  @Test(
    "What cannot be, in a sentence",
    arguments: [
      (["build", "--arch", "mips"], 64, "--arch is 'mips'; it takes x86-64 or arm64."),
      (["build", "--arch", "arm64", "--cpu", "x86-64-v3"], 64, "for arm64 it takes armv8-a."),
      (
        ["build", "--arch", "arm64", "--cpu", "native"], 64,
        "this machine's processor is x86-64; for arm64 name a level: armv8-a."
      ),
      (
        ["build", "--csound", "7", "--cpu", "native"], 64, "--cpu native measures with Csound 6.18"
      ),
      (["build", "--all", "--cpu", "native"], 64, "--all and --cpu exclude each other"),
      (["build", "--all", "--arch", "arm64"], 64, "--all and --arch exclude each other"),
      (["build", "--costs", "--os", "web"], 64, "--costs and --os exclude each other"),
      (
        [
          "render", "csd/PORTK.csd", "--arch", "arm64", "--plugin", "Package.swift", "-o",
          NSTemporaryDirectory() + "/opcodekit-\(UUID()).wav",
        ], 65,
        "is no plugin for arm64"
      ),
      (["build", "--os", "beos"], 64, "'beos'; it takes linux, windows, macos or web."),
      (
        ["build", "--os", "windows", "--arch", "arm64"], 64,
        "--arch is 'arm64'; for Windows it takes x86-64."
      ),
      (
        ["build", "--os", "windows", "--cpu", "native"], 64,
        "--cpu is 'native'; for x86-64 it takes x86-64, "
      ),
      (["build", "--all", "--os", "windows"], 64, "--all and --os exclude each other"),
      (["build", "--os", "macos", "--arch", "arm64"], 64, "for macOS is for every processor."),
      (["build", "--os", "macos", "--cpu", "x86-64-v3"], 64, "for macOS is for every processor."),
      (["build", "--os", "web", "--arch", "arm64"], 64, "for the web is for every processor."),
      (["build", "--os", "web", "--cpu", "x86-64-v3"], 64, "for the web is for every processor."),
      (
        ["build", "--os", "web", "--csound", "6"], 64,
        "--csound is 6; for the web it takes 7: Csound 6 in a browser loads no plugins."
      ),
      (["build", "--os", "web", "--csound", "both"], 64, "is both; for the web it takes 7"),
    ])
  func mistakes(words: [String], code: Int32, sentence: String) throws {
    try opcodekit(words).refused(code, sentence)
  }

  @Test(
    "The kit's C is compiled for it, and what is the processor's own does its work there",
    .unless(lack))
  func processor() throws {
    let clang = try #require(Clang.path)
    let sources = root + "/Sources"
    let headers = ["Kit/CCsound", "Host/CHarness/include"]
      .map { "-I\(sources)/\($0)" }
    let words =
      try #require(try CrossCompiler(for: BuildTarget(.six, .arm64))).clangWords + headers
      + ["-Wno-unused-command-line-argument"]
    for module in ["CProcess", "CSwap", "CTrace", "CWatch"].map({ "Host/CHarness/" + $0 }) {
      let files = try Files.names(in: "\(sources)/\(module)").filter { $0.hasSuffix(".c") }.map {
        "\(sources)/\(module)/\($0)"
      }
      try run(clang, words + ["-fsyntax-only"] + files).good()
    }
    let program = try temporaryDirectory() + "/processor"
    let system = "/usr/aarch64-linux-gnu"
    try run(
      clang,
      words + [
        "-O2", "-o", program, root + "/Tests/Hosts/processor.c",
        sources + "/Host/CHarness/CTrace/sites.S",
        system + "/lib/crt1.o", "-lc", "-Wl,--dynamic-linker=/lib/ld-linux-aarch64.so.1",
      ]
    ).good()
    // A line of processor.c that is wrong is its exit code.
    try run("/usr/bin/env", ["qemu-aarch64-static", "-L", system, program]).good()
  }

  @Test(
    "Without the headers it says which Debian package has them",
    arguments: [
      (OperatingSystem.windows, "mingw-w64-x86-64-dev"), (.macos, "Building for macOS needs"),
      (.web, "recommends wasi-libc."),
    ])
  func lackingHeaders(system: OperatingSystem, words: String) throws {
    let nowhere = try temporaryDirectory()
    let target = BuildTarget(.seven, system == .windows ? .x86_64 : .own, system: system)
    let failure = #expect(throws: Failure.self) {
      try ForeignCompiler(for: target, kit: root, systems: nowhere)
    }
    #expect(failure?.kind == .unavailable)
    #expect(failure?.message.contains(words) == true)
  }

  @Test("Without the cross headers or an emulator it says which Debian package has them")
  func lacking() throws {
    let nowhere = try temporaryDirectory()
    let target = BuildTarget(.six, Processor.own == .arm64 ? .x86_64 : .arm64)
    let failure = #expect(throws: Failure.self) { try CrossCompiler(for: target, systems: nowhere) }
    #expect(failure?.kind == .unavailable)
    #expect(failure?.message.contains("apt-get install -y libc6-dev-arm64-cross") == true)
    let noQemu = #expect(throws: Failure.self) {
      try DebianCsound(for: .arm64, path: nowhere)
    }
    #expect(noQemu?.message.contains("apt-get install -y qemu-user-static") == true)
  }

  @Test("A plugin for the other processor is refused with a sentence", .unless(lack))
  func wrongProcessor() throws {
    try opcodekit(
      "render", "csd/PORTK.csd", "--plugin", try Self.plugin.get(), "-o",
      try temporaryDirectory() + "/x.wav"
    ).refused(65, "is for arm64 processors")
  }
}
