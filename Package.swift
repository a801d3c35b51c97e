// swift-tools-version: 6.3
import PackageDescription

// OPCODEKIT_STANDALONE=1 builds the plugin: Embedded Swift, no Swift runtime, loaded by any Csound.
// Without it the same sources are ordinary Swift libraries, for tests and in-process hosts.
let standalone = Context.environment["OPCODEKIT_STANDALONE"] == "1"
let opcodeSettings: [SwiftSetting] = standalone ? [.enableExperimentalFeature("Embedded")] : []
// Packing the scalar operations of a recurrence into vectors puts shuffles on its critical path;
// loops are vectorised all the same, and lanes that pay are written as SIMD types.
let scalarChains = SwiftSetting.unsafeFlags(["-Xllvm", "-vectorize-slp=false"])
// The proof that a performance pass neither allocates nor locks needs the optimizer, in debug
// builds too. `-num-threads` makes one object of each file, as a debug build expects.
let provable = SwiftSetting.unsafeFlags(
  ["-O", "-whole-module-optimization", "-num-threads", "2"], .when(configuration: .debug))
// What Swift's compiler writes for debuggers, valgrind 3.19 takes for a corrupt file and gives up.
let withoutDebugInformation = LinkerSetting.unsafeFlags(["-Xlinker", "--strip-debug"])

let package = Package(
  name: "OpcodeKit",
  products: [
    .library(name: "OpcodeKit", targets: ["OpcodeKit"])
  ],
  targets: [
    .systemLibrary(name: "CCsound"),
    .target(
      name: "OpcodeKit", dependencies: ["CCsound"],
      swiftSettings: opcodeSettings + [provable]),
    .target(
      name: "Opcodes", dependencies: ["OpcodeKit"], path: "Opcodes",
      exclude: ["arguments.json", "exclusions.json"],
      swiftSettings: opcodeSettings + [scalarChains, provable],
      linkerSettings: [.linkedLibrary("m")]),
  ])

if standalone {
  package.products.append(.library(name: "opcodes", type: .dynamic, targets: ["Opcodes"]))
} else {
  package.products.append(.executable(name: "opcodekit", targets: ["opcodekit"]))
  package.targets += [
    .systemLibrary(name: "CCallgrind"),
    .systemLibrary(name: "CElf"),
    .systemLibrary(name: "CGetopt"),
    .systemLibrary(name: "CSndfile"),
    .target(
      name: "CsoundHost", dependencies: ["CProcess", "CCsound"],
      linkerSettings: [.linkedLibrary("csound64")]),
    .target(name: "CProcess"),
    .target(name: "CTrace", cSettings: [.headerSearchPath("../CCallgrind")]),
    .target(name: "CWatch", cSettings: [.headerSearchPath("../CElf")]),
    .target(name: "HarnessBase", dependencies: ["CProcess"]),
    .target(name: "Statistics"),
    .target(name: "TypeLetters"),
    .target(name: "Sounds", dependencies: ["CSndfile", "HarnessBase"]),
    .target(name: "Pictures", dependencies: ["HarnessBase", "Statistics"]),
    .target(name: "Manuals", dependencies: ["HarnessBase", "TypeLetters"]),
    .target(name: "Rendering", dependencies: ["CCsound", "CsoundHost", "HarnessBase", "Sounds"]),
    .target(
      name: "Harness",
      dependencies: [
        "CCallgrind", "CCsound", "CElf", "CProcess", "CsoundHost", "CTrace", "CWatch",
        "HarnessBase",
        "Manuals", "Pictures", "Rendering", "Sounds", "Statistics", "TypeLetters",
      ]),
    .target(name: "Documenting"),
    .executableTarget(
      name: "opcodekit",
      dependencies: [
        "CGetopt", "CsoundHost", "Documenting", "Harness", "HarnessBase", "Manuals", "OpcodeKit",
        "Opcodes", "Pictures", "Rendering", "Sounds", "Statistics",
      ],
      linkerSettings: [withoutDebugInformation]),
    .target(
      name: "TestOpcodes", dependencies: ["Opcodes", "OpcodeKit"], path: "Tests/TestOpcodes",
      swiftSettings: [provable]),
    .executableTarget(
      name: "TestWorker", dependencies: ["Harness", "Opcodes", "OpcodeKit", "TestOpcodes"],
      path: "Tests/TestWorker"),
    .testTarget(
      name: "OpcodesTests", dependencies: ["CCsound", "CsoundHost", "OpcodeKit", "Opcodes"]),
    .testTarget(
      name: "OpcodeKitTests", dependencies: ["CCsound", "CsoundHost", "OpcodeKit", "TestOpcodes"]),
    .testTarget(
      name: "HarnessTests",
      dependencies: [
        "CCsound", "CsoundHost", "Harness", "HarnessBase", "Manuals", "OpcodeKit", "Pictures",
        "Rendering", "Sounds", "Statistics", "TestWorker",
      ]),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "CsoundHost", "Documenting", "Harness", "HarnessBase", "Manuals", "Opcodes", "Rendering",
        "Sounds", "Statistics", "opcodekit",
      ]),
  ]
}
