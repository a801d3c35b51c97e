// swift-tools-version: 6.3
import CompilerPluginSupport
import Foundation
import PackageDescription

// OPCODEKIT_STANDALONE=1 builds the plugin: Embedded Swift, no Swift runtime, loaded by any Csound.
// Without it the same sources are ordinary Swift libraries, for tests and in-process hosts.
let standalone = Context.environment["OPCODEKIT_STANDALONE"] == "1"
// OPCODEKIT_CSOUND7=DIR links the targets that use an engine with the Csound 7 in DIR. The compiler is then given the
// headers of that Csound. A plugin with the Swift runtime for Csound 7 is built with it, too.
let csound7 = Context.environment["OPCODEKIT_CSOUND7"]
// OPCODEKIT_MACROS=1 leaves out the program that expands macros, because the compiler is given one that is built
// already.
let buildsMacros = Context.environment["OPCODEKIT_MACROS"] == nil
// OPCODEKIT_COMPILED=1 leaves out all sources, because the plugin of a package is given the kit compiled already.
let isCompiled = Context.environment["OPCODEKIT_COMPILED"] == "1"
// OPCODEKIT_WEB=1 builds it for the web. For processors of 32 bits the compiler refuses array types of its own library
// that no code uses, so the linker finds allocations instead: it has no function for them.
let isForWeb = Context.environment["OPCODEKIT_WEB"] == "1"
let opcodeSettings: [SwiftSetting] =
  standalone
  ? [.enableExperimentalFeature("Embedded")]
    + (isForWeb ? [] : [.unsafeFlags(["-Xfrontend", "-no-allocations"])]) : []
// Packing the scalar operations of a recurrence into vectors would put shuffles on its critical path. Loops are still
// vectorised, and where vectors are faster the code uses SIMD types.
let scalarChains = SwiftSetting.unsafeFlags(["-Xllvm", "-vectorize-slp=false"])
/// How a module is compiled in debug builds: as a whole, which from nothing takes a tenth less than file by file.
/// `-num-threads` makes one object file for each source file, as a debug build expects.
func debugFlags(_ flags: String...) -> SwiftSetting {
  .unsafeFlags(
    flags + ["-whole-module-optimization", "-num-threads", "1"], .when(configuration: .debug))
}
let plain = debugFlags()
// The proof that a performance pass neither allocates nor locks needs the optimizer, in debug builds too.
let provable = debugFlags("-O")
// As fast here as with -O, and sooner compiled.
let small = debugFlags("-Osize")
// In debug builds, an index out of range or a trap in a pass is reported with the opcode's name.
let checked = SwiftSetting.define("OPCODEKIT_CHECKED", .when(configuration: .debug))
// valgrind 3.19 takes the debug information of Swift's compiler for a corrupt file and stops.
let withoutDebugInformation = LinkerSetting.unsafeFlags(["-Xlinker", "--strip-debug"])

// Macros use the toolchain's own SwiftSyntax, in its folder `host`. Beside that folder is the library with which the
// program made of this manifest is linked, so the program has its path. On Windows it does not; there the folder is
// found from swiftc's place on the PATH. If there is none, the manifest is valid, but the macros cannot be built.
let program = FileManager.default.contents(atPath: CommandLine.arguments[0]) ?? Data()
let linked = String(decoding: program, as: UTF8.self).components(separatedBy: "/pm/ManifestAPI")
  .map { $0.components(separatedBy: [":", "\0"]).last! }
let path = Context.environment.first { $0.key.uppercased() == "PATH" }?.value ?? ""
let installed = path.split(separator: path.contains(";") ? ";" : ":")
  .map { URL(fileURLWithPath: $0 + "/swiftc").resolvingSymlinksInPath() }
  .map { $0.deletingLastPathComponent().deletingLastPathComponent().path + "/lib/swift" }
let hostLibraries = (linked + installed).map { $0 + "/host" }
  .first { FileManager.default.fileExists(atPath: $0 + "/SwiftSyntax.swiftmodule") }
// What the toolchain has of SwiftSyntax is text that the compiler compiles first. Every build of the macros takes it from
// the same folder.
let interfaces =
  FileManager.default.isWritableFile(atPath: Context.packageDirectory)
  ? ["-module-cache-path", Context.packageDirectory + "/.build/interfaces"] : []
let macroLibraries = [
  "SwiftCompilerPluginMessageHandling", "SwiftDiagnostics", "SwiftSyntax", "SwiftSyntaxBuilder",
  "SwiftSyntaxMacroExpansion", "SwiftSyntaxMacros",
]

/// A module of the harness.
func module(_ name: String, _ dependencies: String...) -> Target {
  .target(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, swiftSettings: [plain])
}

/// The same, optimised in debug builds too, because it processes sounds, is timed, or tests wait for it.
func optimized(_ name: String, _ dependencies: String...) -> Target {
  .target(
    name: name, dependencies: dependencies.map { .byName(name: $0) }, swiftSettings: [small])
}

/// A program of the tool.
func program(_ name: String, _ dependencies: String...) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies.map { .byName(name: $0) },
    linkerSettings: [withoutDebugInformation])
}

/// The tests of a module: Tests/NAME.
func tests(_ name: String, _ dependencies: String...) -> Target {
  .testTarget(name: name, dependencies: dependencies.map { .byName(name: $0) })
}

/// The pack's opcodes: a folder of Opcodes and its module.
let families: [(folder: String, module: String)] = [
  ("Delays", "DelayOpcodes"), ("Filters", "FilterOpcodes"), ("Ladders", "LadderOpcodes"),
  ("Levels", "LevelOpcodes"), ("Notes", "NoteOpcodes"), ("Organ", "OrganOpcodes"),
  ("Oscillators", "OscillatorOpcodes"),
  ("Spectra", "SpectrumOpcodes"), ("VCS3", "VCS3Opcodes"),
]

let package = Package(
  name: "OpcodeKit",
  products: [
    .library(name: "OpcodeKit", targets: ["OpcodeKit"])
  ],
  targets: [
    .systemLibrary(name: "CCsound"),
    .systemLibrary(name: "CVector"),
    module("TypeLetters"),
    .target(
      name: "OpcodeKit",
      dependencies: ["CCsound", "CVector"] + (buildsMacros ? ["OpcodeMacros"] : []),
      exclude: [csound7 == nil ? "Generator+Host7.swift" : "Generator+Host.swift"],
      swiftSettings: opcodeSettings + [provable, checked]),
    .target(
      name: "Opcodes",
      dependencies: ["OpcodeKit"] + families.map { .byName(name: $0.module) },
      path: "Opcodes", exclude: ["arguments.json", "exclusions.json"] + families.map(\.folder),
      swiftSettings: opcodeSettings + [scalarChains, provable],
      linkerSettings: [.linkedLibrary("m")]),
  ])

// The package manager compiles a command plugin before anything else; the script opcodekit, which sets this variable, does
// without.
if Context.environment["OPCODEKIT_ROOT"] == nil {
  package.products.append(.plugin(name: "build-opcodes", targets: ["build-opcodes"]))
  package.targets.append(
    .plugin(
      name: "build-opcodes",
      capability: .command(
        intent: .custom(
          verb: "build-opcodes",
          description: "Build the package's plugin for Csound, as 'opcodekit build' does."))))
}

// Each family of opcodes is a module of its own, so that families are compiled in parallel.
package.targets += families.map { folder, module in
  .target(
    name: module, dependencies: ["OpcodeKit"], path: "Opcodes/\(folder)",
    swiftSettings: opcodeSettings + [scalarChains, provable])
}

if buildsMacros {
  package.targets.append(
    .macro(
      name: "OpcodeMacros", dependencies: ["TypeLetters"],
      swiftSettings: [
        .unsafeFlags(
          (hostLibraries.map { ["-I", $0] } ?? [])
            + interfaces)
      ],
      linkerSettings: [
        .unsafeFlags(
          (hostLibraries.map { ["-L", $0, "-Xlinker", "-rpath", "-Xlinker", $0] } ?? [])
            + macroLibraries.map { "-l" + $0 })
      ]))
}

if standalone {
  package.products += [
    .library(name: "opcodes", type: .dynamic, targets: ["Opcodes"]),
    .library(name: "testopcodes", type: .dynamic, targets: ["TestPlugin"]),
    .library(name: "kitopcodes", type: .dynamic, targets: ["KitOpcodes"]),
  ]
  // Opcodes that measure what the kit adds to a call, and the parts of its toolbox.
  package.targets.append(
    .target(
      name: "KitOpcodes", dependencies: ["OpcodeKit"], path: "Benchmarks/kit/Opcodes",
      swiftSettings: opcodeSettings + [scalarChains, provable],
      linkerSettings: [.linkedLibrary("m")]))
  // The tests' own opcodes as a plugin, for a Csound in another process.
  package.targets += [
    .target(
      name: "TestOpcodes", dependencies: ["OpcodeKit"], path: "Tests/TestOpcodes",
      exclude: [
        "FaultyLadder.swift", "Versions.swift", "Versions+Audio.swift", "Versions+Control.swift",
      ],
      swiftSettings: opcodeSettings),
    .target(
      name: "TestPlugin", dependencies: ["OpcodeKit", "TestOpcodes"], path: "Tests/TestPlugin",
      swiftSettings: opcodeSettings, linkerSettings: [.linkedLibrary("m")]),
  ]
} else {
  package.products += [
    .executable(name: "opcodekit", targets: ["opcodekit"]),
    .executable(name: "opcodekit-bench", targets: ["opcodekit-bench"]),
    .executable(name: "opcodekit-core", targets: ["opcodekit-core"]),
    .executable(name: "opcodekit-pieces", targets: ["opcodekit-pieces"]),
    .executable(name: "opcodekit-play", targets: ["opcodekit-play"]),
    .library(name: "CsoundLive", targets: ["CsoundLive"]),
    // The kit's opcodes with the Swift runtime; a debug build of them plays again what has crashed.
    .library(name: "opcodes", type: .dynamic, targets: ["Opcodes"]),
  ]
  package.targets += [
    .systemLibrary(name: "CLibraries"),
    .target(
      name: "CsoundHost", dependencies: ["CHarness", "CCsound", "CVector"],
      swiftSettings: [provable],
      linkerSettings: [
        csound7.map {
          .unsafeFlags(["-L", $0, "-l:libcsound64.so.7.0", "-Xlinker", "-rpath", "-Xlinker", $0])
        } ?? .linkedLibrary("csound64")
      ]),
    // C that runs around calls of opcodes, in signal handlers and between fork and exec. It is called in every pass that
    // is traced or may be replaced, and the cost of tracing is measured and subtracted: no higher in a debug build.
    .target(
      name: "CHarness",
      cSettings: [
        .headerSearchPath("../CLibraries"), .headerSearchPath("../../Kit/CCsound"),
        .headerSearchPath("../../Kit/CVector"),
        .unsafeFlags(["-O2"], .when(configuration: .debug)),
      ]),
    module("HarnessBase", "CHarness"),
    optimized("Statistics"),
    optimized("Sounds", "CLibraries", "HarnessBase"),
    // The compiler proves its audio loop like the performance pass of an opcode.
    .target(
      name: "CsoundLive",
      dependencies: [
        "CLibraries", "CCsound", "CHarness", "CsoundHost", "HarnessBase", "Sounds",
      ],
      swiftSettings: [provable]),
    module("Pictures", "HarnessBase", "Statistics"),
    module("Manuals", "HarnessBase", "TypeLetters"),
    // Its C code is compiled when it is needed.
    .target(
      name: "Targets", dependencies: ["HarnessBase"],
      exclude: ["fetch-csound7", "macho.c", "player.c"],
      swiftSettings: csound7 == nil ? [] : [.define("OPCODEKIT_CSOUND7")]),
    module("Panels", "HarnessBase"),
    .target(
      name: "PanelServer",
      dependencies: [
        "CCsound", "CLibraries", "CsoundLive", "HarnessBase",
        "Panels",
      ],
      resources: [.copy("Page")], swiftSettings: [plain]),
    .target(
      name: "WidgetOpcodes",
      dependencies: ["CCsound", "HarnessBase", "OpcodeKit", "Panels", "Rendering"],
      swiftSettings: [provable]),
    module("Workers", "CHarness", "CsoundHost", "HarnessBase"),
    module(
      "Rendering", "CCsound", "CsoundHost", "HarnessBase", "Sounds", "Targets", "Workers"),
    optimized("Counting", "CLibraries", "CHarness", "HarnessBase", "Workers"),
    module(
      "Linting", "CCsound", "CLibraries", "CsoundHost", "HarnessBase", "Rendering", "TypeLetters",
      "Workers"),
    // Its C code is compiled when a rival in Faust is needed.
    .target(
      name: "Comparing",
      dependencies: [
        "CsoundHost", "HarnessBase", "Rendering", "Sounds", "Targets", "Workers",
      ],
      exclude: ["faust.c"], swiftSettings: [plain]),
    module(
      "Benchmarking", "CLibraries", "CCsound", "Comparing", "Counting", "CsoundHost",
      "HarnessBase", "Rendering", "Statistics", "Workers"),
    module("Scenes", "CsoundHost", "HarnessBase", "Linting", "TypeLetters"),
    optimized(
      "Probing", "CCsound", "CsoundHost", "CVector", "CHarness", "HarnessBase", "Linting", "Scenes"),
    module(
      "Validating", "CsoundHost", "CHarness", "HarnessBase", "Linting", "Probing", "Rendering",
      "Scenes", "Sounds", "Statistics", "TypeLetters", "Workers"),
    optimized(
      "Profiling", "CLibraries", "Counting", "CsoundHost", "CHarness", "HarnessBase", "Pieces",
      "Rendering", "Workers"),
    module(
      "Goldens", "CsoundHost", "HarnessBase", "Pictures", "Rendering", "Sounds", "Workers"),
    module(
      "Portraying", "Comparing", "CsoundHost", "HarnessBase", "Linting", "Manuals", "Pictures",
      "Rendering", "Scenes", "Sounds", "Workers"),
    module(
      "Pieces", "CHarness", "CLibraries", "CsoundHost", "HarnessBase", "Rendering", "Statistics",
      "WidgetOpcodes"),
    module(
      "Swapping", "Benchmarking", "Comparing", "CsoundHost", "HarnessBase", "Linting", "Pieces",
      "Profiling", "Rendering", "Sounds", "Statistics", "Workers"),
    module(
      "PanelTrials", "CCsound", "CsoundHost", "CsoundLive", "HarnessBase", "PanelServer", "Panels",
      "Pieces", "Rendering", "Statistics", "WidgetOpcodes", "Workers"),
    module(
      "CommandKit", "CLibraries", "CHarness", "HarnessBase", "Rendering", "Targets", "Workers"),
    module(
      "PluginBuilding", "CommandKit", "HarnessBase", "Linting", "Manuals", "Rendering", "Targets",
      "Workers"),
    module(
      "SpeedCommands", "Benchmarking", "CommandKit", "Comparing", "Counting", "HarnessBase",
      "Linting", "Pictures", "Rendering", "Sounds", "Statistics", "Targets", "Workers"),
    module(
      "QualityCommands", "CommandKit", "Comparing", "CsoundHost", "Goldens", "HarnessBase",
      "Linting", "PluginBuilding", "Rendering", "Scenes", "Sounds", "Targets", "Validating",
      "Workers"),
    module(
      "ProfileCommands", "CommandKit", "Counting", "HarnessBase", "Profiling", "Rendering",
      "Workers"),
    module(
      "ReportCommands", "CommandKit", "Comparing", "HarnessBase", "Manuals", "Pictures",
      "Portraying", "Rendering", "Scenes", "SpeedCommands", "Validating", "Workers"),
    module(
      "SurveyCommands", "Benchmarking", "CommandKit", "Comparing", "HarnessBase", "Linting",
      "PanelTrials", "Panels", "Pieces", "Profiling", "Statistics", "Swapping", "Targets",
      "Workers"),
    module(
      "LibraryCommands", "CommandKit", "HarnessBase", "Linting", "Manuals", "PluginBuilding",
      "SpeedCommands", "Targets", "TypeLetters", "Workers"),
    // The pages that it writes are put together from the files in Listening.
    .target(
      name: "PackageCommands",
      dependencies: [
        "CCsound", "CommandKit", "Comparing", "CsoundHost", "HarnessBase", "Linting", "Manuals",
        "PluginBuilding", "ReportCommands", "Scenes", "Targets", "TypeLetters", "Workers",
      ],
      exclude: ["Listening"], swiftSettings: [plain]),
    module(
      "LiveCommands", "CCsound", "CommandKit", "Comparing", "CsoundHost", "CsoundLive",
      "HarnessBase", "PanelServer", "Panels", "Pictures", "PluginBuilding", "Rendering", "Sounds",
      "Statistics", "Targets", "Workers"),
    module(
      "DevCommands", "CommandKit", "Comparing", "CsoundHost", "CsoundLive", "HarnessBase",
      "Manuals", "PanelTrials", "PluginBuilding", "Rendering", "ReportCommands", "Sounds",
      "SpeedCommands", "Targets", "Validating", "Workers"),
    program(
      "opcodekit", "CommandKit", "DevCommands", "HarnessBase", "LibraryCommands", "LiveCommands",
      "PackageCommands", "PluginBuilding", "ProfileCommands", "QualityCommands",
      "ReportCommands", "SpeedCommands", "SurveyCommands", "WidgetOpcodes"),
    // Programs with some of the tool's commands, which can be built alone.
    program("opcodekit-bench", "LibraryCommands", "PluginBuilding", "SpeedCommands"),
    program(
      "opcodekit-core", "CommandKit", "LibraryCommands", "PluginBuilding", "QualityCommands",
      "SpeedCommands"),
    program("opcodekit-play", "LiveCommands", "PluginBuilding"),
    program(
      "opcodekit-pieces", "LiveCommands", "PluginBuilding", "ProfileCommands", "Rendering",
      "ReportCommands", "SurveyCommands", "WidgetOpcodes"),
    .target(
      name: "TestOpcodes", dependencies: ["Opcodes", "OpcodeKit"], path: "Tests/TestOpcodes",
      swiftSettings: [provable]),
    .executableTarget(
      name: "TestWorker",
      dependencies: [
        "Benchmarking", "Comparing", "Goldens", "Linting", "OpcodeKit", "Opcodes", "PanelTrials",
        "Portraying", "Profiling", "Rendering", "Swapping", "TestOpcodes",
        "Validating", "Workers",
      ],
      path: "Tests/TestWorker"),
    tests(
      "OpcodesTests", "CCsound", "CsoundHost", "HarnessBase", "Linting", "OpcodeKit", "Opcodes",
      "Scenes",
      "TestSupport", "TestWorker", "Validating"),
    .testTarget(
      name: "OpcodeKitTests",
      dependencies: [
        "CCsound", "CsoundHost", "HarnessBase", "OpcodeKit", "TestOpcodes", "TypeLetters",
      ]),
    .target(
      name: "TestSupport", dependencies: ["HarnessBase"], path: "Tests/TestSupport"),
    tests(
      "BenchmarkingTests", "Benchmarking", "Comparing", "HarnessBase", "Rendering", "Statistics",
      "TestSupport", "TestWorker"),
    tests("ComparingTests", "Comparing", "HarnessBase", "Sounds", "TestSupport", "TestWorker"),
    tests("CsoundHostTests", "CsoundHost"),
    .executableTarget(
      name: "LiveWatch",
      dependencies: ["CHarness", "CsoundHost", "CsoundLive", "Statistics", "TestSupport"],
      path: "Tests/LiveWatch"),
    .executableTarget(
      name: "Melody", dependencies: ["CsoundLive"], path: "Tests/Examples/Melody"),
    .executableTarget(
      name: "LoopStation", dependencies: ["CsoundLive", "Opcodes"],
      path: "Tests/Examples/LoopStation"),
    tests(
      "CsoundLiveTests", "CLibraries", "CCsound", "CsoundHost", "CsoundLive", "HarnessBase",
      "LiveWatch",
      "OpcodeKit", "Sounds", "Statistics", "TestOpcodes", "TestSupport"),
    tests("HarnessBaseTests", "HarnessBase"),
    tests("GoldensTests", "Goldens", "Sounds", "Statistics"),
    tests("LintingTests", "CCsound", "CsoundHost", "Linting", "OpcodeKit"),
    tests("ManualsTests", "HarnessBase", "Manuals"),
    tests("PanelsTests", "HarnessBase", "Panels"),
    tests(
      "WidgetOpcodesTests", "CCsound", "CsoundHost", "Panels", "Rendering", "WidgetOpcodes"),
    tests(
      "PanelServerTests", "CsoundLive", "HarnessBase", "PanelServer", "PanelTrials", "Panels",
      "Statistics", "TestSupport"),
    tests(
      "PortrayingTests", "Manuals", "Pictures", "Portraying", "Scenes", "TestSupport", "TestWorker"),
    tests(
      "ProfilingTests", "HarnessBase", "Profiling", "Rendering", "TestSupport", "TestWorker",
      "Workers"),
    tests("SoundsTests", "HarnessBase", "Sounds", "Statistics", "TestSupport"),
    tests("StatisticsTests", "Statistics"),
    tests(
      "SurveyingTests", "Comparing", "HarnessBase", "Linting", "PanelTrials", "Pieces",
      "Profiling", "Swapping", "TestSupport", "TestWorker", "Workers"),
    tests(
      "TrustingTests", "QualityCommands", "TestSupport", "TestWorker", "Validating"),
    tests("WorkersTests", "HarnessBase", "Linting", "Workers"),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "Benchmarking", "Comparing", "CsoundHost", "DevCommands", "Goldens", "HarnessBase",
        "Linting", "LoopStation", "Manuals", "Melody", "Opcodes", "PackageCommands", "PanelTrials",
        "Panels", "PluginBuilding", "Profiling", "Rendering", "Sounds", "SpeedCommands",
        "Statistics", "Targets", "TestSupport", "Validating", "Workers", "opcodekit",
        "opcodekit-bench", "opcodekit-core", "opcodekit-pieces", "opcodekit-play",
      ]),
  ]
}

if isCompiled {
  package.products = [.library(name: "OpcodeKit", targets: ["CCsound"])]
  package.targets = [.systemLibrary(name: "CCsound")]
}

// Where each module is: Sources/GROUP/NAME.
let groups: [String: [String]] = [
  "Kit": ["CCsound", "CVector", "OpcodeKit", "OpcodeMacros", "TypeLetters"],
  "System": ["CHarness", "CLibraries"],
  "Host": ["CsoundHost", "HarnessBase", "Rendering", "Sounds", "Targets", "Workers"],
  "Measure": ["Benchmarking", "Comparing", "Counting", "Profiling", "Statistics"],
  "Check": ["Goldens", "Linting", "Probing", "Scenes", "Validating"],
  "Pieces": ["Pieces", "Swapping"],
  "Live": ["CsoundLive", "PanelServer", "PanelTrials", "Panels", "WidgetOpcodes"],
  "Pages": ["Manuals", "Pictures", "Portraying"],
  "Tool": [
    "CommandKit", "DevCommands", "LibraryCommands", "LiveCommands", "PackageCommands",
    "PluginBuilding", "ProfileCommands", "QualityCommands", "ReportCommands", "SpeedCommands",
    "SurveyCommands", "build-opcodes", "opcodekit", "opcodekit-bench", "opcodekit-core",
    "opcodekit-pieces", "opcodekit-play",
  ],
]
for target in package.targets where target.path == nil && target.type != .test {
  let group = groups.first { $0.value.contains(target.name) }!.key
  target.path = "Sources/\(group)/\(target.name)"
}
