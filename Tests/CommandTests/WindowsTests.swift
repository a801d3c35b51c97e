import Foundation
import HarnessBase
import Rendering
import TestSupport
import Testing

@Suite("Plugins for Windows", .serialized)
struct WindowsTests {
  /// Why plugins for Windows cannot be built and played here; nil if they can.
  static let lack: String? = {
    guard runsAllTests else { return onlyWithAll }
    guard case .failure(let failure) = player, failure.kind == .unavailable else { return nil }
    return leftOut("The tests of plugins for Windows", failure)
  }()

  static let player = Result { () throws(Failure) in try WindowsPlayer(kit: root) }

  static let plugin = Result { () throws -> String in
    let ending = try opcodekit("build", "--os", "windows", "--csound", "7").good()
    #expect(
      ending.output.contains(
        /^build\/opcodes-csound7\.dll: for Csound 7\.0 on 64-bit Windows, \d+ bytes, depends on the C library of/
      ), "\(ending.output)")
    return root + "/build/opcodes-csound7.dll"
  }

  /// Plays with Csound 7 for Windows.
  static func play(_ words: [String], in directory: String) throws -> Ending {
    let player = try player.get()
    return try run(
      player.words[0], player.words.dropFirst() + words, environment: player.environment,
      directory: directory)
  }

  @Test(
    "The DLL needs only the C library of Windows and shows three functions, and each function can be unwound",
    .unless(lack))
  func needs() throws {
    let library = try LibraryFile(Self.plugin.get())
    #expect(library.text.contains("file format coff-x86-64"))
    let exports = library.text.matches(of: /\n +\d+ +0x\w+ +(\S+)/).map { String($0.1) }
    #expect(exports == ["csoundModuleInfo", "csound_fgen_init", "csound_opcode_init"])
    #expect(!library.needs.isEmpty)
    for name in library.needs {
      #expect(name.hasPrefix("api-ms-win-crt-") || name == "KERNEL32.dll", "\(name)")
    }
    // The unwind tables, of 12 bytes. The code for every processor and that for AVX2 have some 600 each.
    let tables = library.text.firstMatch(of: /\nEntry 3 \w+ (\w+)/).flatMap { Int($0.1, radix: 16) }
    #expect(try #require(tables) > 1000 * 12)
  }

  @Test(
    "From a recording every opcode sounds in Csound 7 for Windows as in that for Linux",
    .unless(lack))
  func recorded() throws {
    let recording = try Recording()
    try Csound7.play(recording.words(Csound7.pack.get(), "here.wav")).good()
    try Self.play(recording.words(try Self.plugin.get(), "there.wav"), in: root).good()
    // Windows and Linux round sines, powers and exponentials differently in their last bit.
    try recording.requireSame("here.wav", "there.wav", below: -240)
  }

  @Test(
    "An author's package with C code plays there: from a folder with a space and an accent, after a reset, in two engines, on threads",
    .unless(lack))
  func package() throws {
    let above = try temporaryDirectory() + "/Le été"
    let directory = above + "/Echo"
    try Files.makeDirectories(above)
    try opcodekit("new", directory, "--with-c", "--opcode", "WARM").good()
    // A frame of many pages, for which Windows must be asked.
    try """
    #include "CEcho.h"
    double cecho_product(double sample, double factor) {
      volatile char large[200000];
      large[0] = 1; large[199999] = 2;
      return sample * factor * (large[0] + large[199999]) / 3;
    }

    """.save(to: directory + "/Sources/CEcho/echo.c")
    func build(_ words: String...) throws -> Ending {
      try opcodekit(["build", "--csound", "7"] + words, directory: directory)
    }
    try build().good()
    try build("--os", "windows").good()
    let piece = try #require(try Files.names(in: directory + "/csd").first)
    func words(_ plugin: String, _ name: String) -> [String] {
      [
        "-d", "-m0", "--opcode-lib=\(directory)/build/\(plugin)", "-W", "--format=double", "-o",
        "\(name).wav", "csd/\(piece)",
      ]
    }
    // Csound for Windows finds a piece in such a folder only by a relative path.
    let linux = try CsoundLibrary("7", kit: root)
    try run(
      linux.words[0], linux.words.dropFirst() + words("libecho-csound7.so", "linux"),
      environment: linux.environment, directory: directory
    ).good()
    let plugin = "echo-csound7.dll"
    try Self.play(
      words(plugin, "1") + ["--then", "-j2"] + words(plugin, "2") + ["--beside"]
        + words(plugin, "3"), in: directory
    ).good()
    let sounds = try ["linux", "1", "2", "3"].map {
      try Sound(readingFrom: "\(directory)/\($0).wav").samples
    }
    #expect(sounds[0].contains { abs($0) > 0.01 })
    #expect(sounds[1] == sounds[2] && sounds[1] == sounds[3])
    try #require(sounds[0].count == sounds[1].count)
    #expect(zip(sounds[0], sounds[1]).allSatisfy { abs($0 - $1) < 1e-12 })

    // A type that has another size on Windows.
    let header = directory + "/Sources/CEcho/include/CEcho.h"
    let text = try String(file: header)
    try text.replacing("#endif\n", with: "struct rates { long first; };\n#endif\n").save(to: header)
    try build("--os", "windows").refused(
      65, "Sources/CEcho/include/CEcho.h:11 has a type that is smaller on Windows")
    try text.save(to: header)

    // A function that Windows does not have.
    try
      "#include \"CEcho.h\"\nint fork(void);\ndouble cecho_product(double s, double f) { return s * f + fork(); }\n"
      .save(to: directory + "/Sources/CEcho/echo.c")
    try build("--os", "windows").refused(
      65, "the linker says 'undefined symbol: fork'. Windows has no such function")
  }

  @Test(
    "The structs of Csound that plugins use have the same layout on Windows and Linux",
    .unless(lack), arguments: CsoundVersion.allCases)
  func layouts(csound: CsoundVersion) throws {
    let clang = try #require(programOfSwift("clang"))
    let headers = try CsoundHeaders(of: csound, kit: root).compilerWords(for: .windows)
      .filter { $0.hasPrefix("-I") }
    let source = try temporaryDirectory() + "/layouts.c"
    try "#include \"\(root)/Sources/Kit/CCsound/CCsound.h\"\n".save(to: source)
    let words = ["-w", "-fsyntax-only", "-Xclang", "-fdump-record-layouts-complete", source]
    let dumps = try [
      ["--target=x86_64-unknown-linux-gnu"],
      [
        "--target=x86_64-w64-windows-gnu", "-isystem", "/usr/x86_64-w64-mingw32/include", "-D_UCRT",
      ],
    ].map { target in
      let ending = try run(clang, target + headers + words).good()
      return records(ending.output)
    }
    let used = [
      "struct CSOUND_", "struct insds", "struct opds", "struct oentry", "struct instr",
      "struct auxch", "struct pvsdat",
    ]
    for name in used { #expect(dumps[0][name] != nil, "\(name) of Csound \(csound.release)") }
    // Not used by plugins: a file's properties, and the argument lists of C.
    let shared = Set(dumps[0].keys).intersection(dumps[1].keys)
      .subtracting(["struct sflib_info"]).filter { !$0.contains("unnamed") }
    #expect(shared.count > 60)
    for name in shared { #expect(dumps[0][name] == dumps[1][name], "\(name)") }
  }

  /// Clang's descriptions of structs, by name, without the types of function pointers.
  private func records(_ dump: String) -> [String: String] {
    var records: [String: String] = [:]
    for part in dump.components(separatedBy: "*** Dumping AST Record Layout").dropFirst() {
      let lines = part.split(separator: "\n").map {
        $0.replacing(/\(\*\)\(.*\)/, with: "(*)").replacing(/\s+/, with: " ")
      }
      let name = lines[0].split(separator: "|").last.map { $0.trimmingPrefix(" ") } ?? ""
      records[String(name)] = lines.joined(separator: "\n")
    }
    return records
  }

  /// Headers whose names begin with Host are for tools, which run on Linux only.
  @Test("The kit's headers declare nothing with a type that is smaller on Windows")
  func widths() throws {
    let folder = root + "/Sources/Kit/CCsound"
    for name in try Files.names(in: folder)
    where name.hasSuffix(".h") && !name.hasPrefix("Host") {
      let text = try String(file: "\(folder)/\(name)")
      for line in text.split(separator: "\n") {
        // A cast of an argument of printf is right.
        let code = line.replacing(/\/\/.*|"[^"]*"|\(long\)|long long/, with: "")
        #expect(!code.contains(/\b(long|wchar_t)\b/), "\(name): \(line)")
      }
    }
  }

  @Test("Without Wine it says which Debian package has it")
  func lacking() throws {
    let nowhere = try temporaryDirectory()
    let noWine = #expect(throws: Failure.self) {
      try WindowsPlayer(kit: nowhere, wine: nowhere + "/wine64", path: nowhere)
    }
    #expect(noWine?.kind == .unavailable)
    #expect(noWine?.message.contains("recommends wine64.") == true)
  }

  @Test("A plugin for another system knows the processor's level")
  func levels() throws {
    guard Processor.own == .x86_64 else { return }
    let directory = try temporaryDirectory()
    try """
    int printf(const char *, ...);
    int opcodekit_has_level(const char *);
    int main(int count, char **words) {
      for (int index = 1; index < count; index++)
        if (opcodekit_has_level(words[index])) printf("%s\\n", words[index]);
      return 0;
    }

    """.save(to: directory + "/main.c")
    try run(
      try #require(Clang.path),
      ["-o", "levels", "main.c", root + "/Sources/Kit/CCsound/foreign.c"], directory: directory
    ).good()
    let said = try run(directory + "/levels", Processor.x86_64.levels)
    #expect(said.output.split(separator: "\n").map(String.init) == Processor.executableLevels)
  }
}
