import Foundation
import HarnessBase
import Rendering
import TestSupport
import Testing

@Suite("Levels of processors in one plugin", .serialized)
struct ProcessorLevelTests: PackageSuite {
  static let shared = Result { try AuthorPackage() }

  /// An opcode that returns the processor level for which the C code of its package was compiled.
  private static let levelOpcode = """
    import CLevel
    import OpcodeKit

    /// ilevel LEVEL
    @Opcode("LEVEL", "The level of the processor it is compiled for")
    struct Level: InitOpcode {
      struct Arguments: BitwiseCopyable {
        let output: InitOutput
      }

      init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
        arguments.output.value = Double(compiled_level())
      }
    }
    """

  /// C code with a variable, and with a function that the linker would merge with others of the
  /// same name.
  private static let levelSource = """
    #include "CLevel.h"
    static int calls = 0;
    #ifdef __AVX2__
    static int level = 3;
    #else
    static int level = 1;
    #endif
    __attribute__((weak)) int known_level(void) { return level; }
    int compiled_level(void) { return ++calls > 0 ? known_level() : 0; }
    """

  private static let levelPiece = """
    instr 1
      ilevel LEVEL
      prints "level %d\\n", ilevel
    endin
    """.csd(score: "i1 0 0.01", ksmps: 64)

  /// A package with a target in C.
  private static func packageWithC(_ source: String) throws -> AuthorPackage {
    let package = try Self.package(library(levelOpcode, registering: "Level"))
    try package.write("int compiled_level(void);\n", to: "Sources/CLevel/include/CLevel.h")
    try package.write(source, to: "Sources/CLevel/level.c")
    try package.write(levelPiece, to: "level.csd")
    try package.addTargetInC("CLevel")
    return package
  }

  /// The level that LEVEL returns in Csound on this processor, or on an emulated one.
  private static func level(
    _ package: AuthorPackage, _ plugin: String = "build/libechoes.so", on processor: String? = nil
  ) throws -> String {
    let emulator = processor.map { ["qemu-x86_64-static", "-cpu", $0] } ?? []
    let played = try run(
      "/usr/bin/env",
      emulator + ["/usr/bin/csound", "-d", "-n", "--opcode-lib=./\(plugin)", "level.csd"],
      environment: ["OPCODE6DIR64": "/nonexistent"], directory: package.directory)
    let said = (played.output + played.errors).firstMatch(of: /level (\d)/)
    return said.map { String($0.output.1) } ?? played.errors
  }

  private static let isX86 = ownProcessor == .x86_64
  private static let canEmulate =
    runsAllTests && isX86 && installedProgram("qemu-x86_64-static") != nil

  @Test(
    "A plugin holds code for newer processors, C too, and plays it where they are; with older ones its own",
    .enabled(if: canEmulate, "qemu-user-static plays on older processors"))
  func levels() throws {
    let package = try Self.packageWithC(Self.levelSource)
    try package.command("build").good()
    #expect(try Self.level(package, on: "max") == "3")
    #expect(try Self.level(package, on: "Nehalem") == "1")
    #expect(try Self.level(package, on: "qemu64") == "1")
    let flags = try String(file: "/proc/cpuinfo")
    #expect(try Self.level(package) == (flags.contains(" avx2 ") ? "3" : "1"))

    try package.command("build", "--cpu", "x86-64").good()
    #expect(try Self.level(package, "build/libechoes-x86-64.so", on: "max") == "1")
    // A plugin built only for newer processors does not play on the older one.
    try package.command("build", "--cpu", "x86-64-v3").good()
    let refused = try Self.level(package, "build/libechoes-x86-64-v3.so", on: "Nehalem")
    #expect(refused.contains("This plugin needs an x86-64-v3 processor"), "\(refused)")
  }

  @Test(
    "Code that runs when it is loaded is there for every processor only, and the build says so",
    .enabled(if: canEmulate, "qemu-user-static plays on older processors"))
  func constructors() throws {
    let package = try Self.packageWithC(
      Self.levelSource + """

        #include <stdlib.h>
        __attribute__((constructor)) static void begin(void) { calls = getenv("HOME") != NULL; }

        """)
    try package.command("build").good().tells("libechoes.so has code that runs when it is loaded")
    #expect(try Self.level(package, on: "max") == "1")
    #expect(try Self.level(package, on: "Nehalem") == "1")
  }
}
