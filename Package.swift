// swift-tools-version: 6.3
import CompilerPluginSupport
import Foundation
import PackageDescription

// OPCODEKIT_STANDALONE=1 builds the plugin: Embedded Swift, no Swift runtime, loaded by any Csound.
// Without it the same sources are ordinary Swift libraries, for tests and in-process hosts.
let standalone = Context.environment["OPCODEKIT_STANDALONE"] == "1"
// OPCODEKIT_CSOUND7=DIR links the targets that use an engine with the Csound 7 in DIR, whose headers the compiler is given.
let csound7 = Context.environment["OPCODEKIT_CSOUND7"]
// OPCODEKIT_MACROS=1 leaves out the program that expands macros: the compiler is given one that is built already.
let buildsMacros = Context.environment["OPCODEKIT_MACROS"] == nil
// OPCODEKIT_COMPILED=1 leaves out all sources, because the plugin of a package is given the kit compiled already.
let isCompiled = Context.environment["OPCODEKIT_COMPILED"] == "1"
let opcodeSettings: [SwiftSetting] = standalone ? [.enableExperimentalFeature("Embedded")] : []
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
let macroLibraries =
  "CompilerPluginMessageHandling Diagnostics Syntax SyntaxBuilder SyntaxMacroExpansion SyntaxMacros"

/// What most modules of the tool use: C, an engine, and the parts that all commands need.
let host = "CCsound CHarness CsoundHost HarnessBase"

/// A module: a folder of Sources or Tests, whose name it has. It may name these modules and, unless apart, those of `host`.
func module(
  _ path: String, _ modules: String = "", apart: Bool = false, exclude: [String] = [],
  swift: [SwiftSetting] = [plain], linker: [LinkerSetting] = []
) -> Target {
  .target(
    name: folder(path), dependencies: named(apart ? modules : host + " " + modules),
    path: path.hasPrefix("Tests/") ? path : "Sources/" + path, exclude: exclude,
    swiftSettings: swift, linkerSettings: linker)
}

func folder(_ path: String) -> String { String(path.split(separator: "/").last!) }

/// Modules, each once.
func named(_ modules: String) -> [Target.Dependency] {
  Set(modules.split(separator: " ")).sorted().map { .byName(name: String($0)) }
}

/// A module of opcodes: the folder PATH.
func opcodes(
  _ name: String, _ modules: String, _ path: String, exclude: [String] = [],
  swift: [SwiftSetting] = [scalarChains, provable],
  linker: [LinkerSetting] = [.linkedLibrary("m")]
) -> Target {
  .target(
    name: name, dependencies: named(modules), path: path, exclude: exclude,
    swiftSettings: opcodeSettings + swift, linkerSettings: linker)
}

/// C libraries and headers.
let c: Target = .systemLibrary(name: "CCsound", path: "Sources/Kit/CCsound")

/// The pack's opcodes: the folders of Opcodes. Each is a module of its own, so that they are compiled in parallel.
let families: KeyValuePairs = [
  "Delays": "DelayOpcodes", "Filters": "FilterOpcodes", "Ladders": "LadderOpcodes",
  "Levels": "LevelOpcodes", "Notes": "NoteOpcodes", "Organ": "OrganOpcodes",
  "Oscillators": "OscillatorOpcodes", "Spectra": "SpectrumOpcodes", "VCS3": "VCS3Opcodes",
]

let package = Package(
  name: "OpcodeKit",
  products: [
    .library(name: "OpcodeKit", targets: ["OpcodeKit"]),
    // The plugin, or opcodes with the Swift runtime; a debug build of them plays again what has crashed.
    .library(name: "opcodes", type: .dynamic, targets: ["Opcodes"]),
  ],
  targets: [
    c, module("Kit/TypeLetters", apart: true),
    opcodes(
      "OpcodeKit", buildsMacros ? "CCsound OpcodeMacros" : "CCsound", "Sources/Kit/OpcodeKit",
      exclude: [csound7 == nil ? "Generator+Host7.swift" : "Generator+Host.swift"],
      swift: [provable, checked], linker: []),
    opcodes(
      "Opcodes", "OpcodeKit " + families.map(\.value).joined(separator: " "), "Opcodes",
      exclude: ["arguments.json", "exclusions.json"] + families.map(\.key)),
  ] + families.map { opcodes($0.value, "OpcodeKit", "Opcodes/" + $0.key) })

// A command plugin is compiled before anything else; the script opcodekit, which sets this variable, does without.
if Context.environment["OPCODEKIT_ROOT"] == nil {
  let command = PluginCommandIntent.custom(
    verb: "build-opcodes",
    description: "Build the package's plugin for Csound, as 'opcodekit build' does.")
  package.products.append(.plugin(name: "build-opcodes", targets: ["build-opcodes"]))
  package.targets.append(
    .plugin(
      name: "build-opcodes", capability: .command(intent: command),
      path: "Sources/Tool/build-opcodes"))
}

if buildsMacros {
  let libraries = hostLibraries.map { ["-L", $0, "-Xlinker", "-rpath", "-Xlinker", $0] } ?? []
  package.targets.append(
    .macro(
      name: "OpcodeMacros", dependencies: ["TypeLetters"], path: "Sources/Kit/OpcodeMacros",
      swiftSettings: [.unsafeFlags((hostLibraries.map { ["-I", $0] } ?? []) + interfaces)],
      linkerSettings: [
        .unsafeFlags(libraries + macroLibraries.split(separator: " ").map { "-lSwift" + $0 })
      ]))
}

if standalone {
  package.products += [
    .library(name: "testopcodes", type: .dynamic, targets: ["TestPlugin"]),
    .library(name: "kitopcodes", type: .dynamic, targets: ["KitOpcodes"]),
  ]
  package.targets += [
    // Opcodes that measure what the kit adds to a call, and the parts of its toolbox.
    opcodes("KitOpcodes", "OpcodeKit", "Benchmarks/kit/Opcodes"),
    // The tests' own opcodes as a plugin, for a Csound in another process.
    opcodes("TestOpcodes", "OpcodeKit", "Tests/TestOpcodes", exclude: ["InProcess"], swift: []),
    opcodes("TestPlugin", "OpcodeKit TestOpcodes", "Tests/TestPlugin", swift: []),
  ]
} else {
  let most = "Playing PluginBuilding Profiling Reporting Swapping WidgetOpcodes"
  let programs: KeyValuePairs = [
    "opcodekit-bench": "Comparing PluginBuilding", "opcodekit-play": "Playing PluginBuilding",
    "opcodekit-core": "Comparing PluginBuilding Validating",
    "opcodekit-pieces": most + " Rendering",
    "opcodekit": most + " Comparing DevCommands Validating",
    "TestWorker":
      "Comparing Linting OpcodeKit Opcodes Profiling Rendering Reporting Swapping TestOpcodes "
      + "Validating WidgetOpcodes",
    "LiveWatch": "CCsound CHarness CsoundHost CsoundLive TestSupport",
    "Examples/Melody": "CsoundLive", "Examples/LoopStation": "CsoundLive Opcodes",
  ]
  // The tests of each module, which may name that module, the modules of `host` and these.
  let tests: KeyValuePairs = [
    "OpcodeKit": "TestOpcodes TypeLetters", "Opcodes": "Linting OpcodeKit TestWorker Validating",
    "HarnessBase": "", "CsoundHost": "", "Rendering": "Linting", "Linting": "OpcodeKit",
    "Comparing": "Rendering TestWorker", "PluginBuilding": "", "Validating": "TestWorker",
    "Profiling": "Rendering TestWorker",
    "Swapping": "Comparing Linting Profiling Rendering TestWorker",
    "Reporting": "CommandKit Linting PluginBuilding TestWorker",
    "CsoundLive": "LiveWatch OpcodeKit TestOpcodes", "Panels": "",
    "Playing": "CsoundLive Panels TestPages", "WidgetOpcodes": "Panels Rendering",
  ]
  package.products.append(.library(name: "CsoundLive", targets: ["CsoundLive"]))
  // valgrind 3.19 takes the debug information of Swift's compiler for a corrupt file and stops.
  package.targets += programs.map {
    .executableTarget(
      name: folder($0.key), dependencies: named($0.value),
      path: ($0.key.hasPrefix("opcodekit") ? "Sources/Tool/" : "Tests/") + $0.key,
      linkerSettings: [.unsafeFlags(["-Xlinker", "--strip-debug"])])
  }
  package.targets += tests.map {
    .testTarget(
      name: $0.key + "Tests", dependencies: named("\($0.key) \(host) TestSupport \($0.value)"))
  }
  package.targets += [
    // C that runs around calls of opcodes, in signal handlers and between fork and exec. It is called in every pass that
    // is traced or may be replaced, and the cost of tracing is measured and subtracted: no higher in a debug build.
    .target(
      name: "CHarness", path: "Sources/Host/CHarness",
      cSettings: [
        .headerSearchPath("../../Kit/CCsound"),
        .unsafeFlags(["-O2"], .when(configuration: .debug)),
      ]),
    // Sounds are compared and statistics are computed here.
    module("Host/HarnessBase", "CHarness", apart: true, swift: [small]),
    module(
      "Host/CsoundHost", "CHarness CCsound", apart: true, swift: [provable],
      linker: [
        csound7.map {
          .unsafeFlags(["-L", $0, "-l:libcsound64.so.7.0", "-Xlinker", "-rpath", "-Xlinker", $0])
        } ?? .linkedLibrary("csound64")
      ]),
    // Its C code is compiled when it is needed.
    module(
      "Host/Rendering", exclude: ["fetch-csound7", "macho.c", "player.c"].map { "Targets/" + $0 },
      swift: [plain] + (csound7 == nil ? [] : [.define("OPCODEKIT_CSOUND7")])),
    module("Tool/CommandKit", "Rendering"),
    module("Check/Linting", "Rendering TypeLetters"),
    // Its C code is compiled when a rival in Faust is needed.
    module("Compare/Comparing", "CommandKit Linting Rendering", exclude: ["faust.c"]),
    // The pages that `package` writes are put together from the files in Listening. Compiled file by file, so that an
    // edited command needs 1.6 s of processor time to be built, not 5.8 s.
    module(
      "Build/PluginBuilding", "CommandKit Comparing Linting Rendering TypeLetters",
      exclude: ["Packages/Listening"], swift: []),
    // What `validate` puts around each pass: optimised apart, because the checks themselves take long to optimise.
    module("Check/Probing", "Linting", swift: [small]),
    module("Check/Validating", "CommandKit Comparing Linting PluginBuilding Probing Rendering"),
    module("Profile/Profiling", "CommandKit Rendering"),
    module("Pieces/Swapping", "CommandKit Comparing Linting PluginBuilding Profiling Rendering"),
    module("Pages/Reporting", "CommandKit Comparing Linting PluginBuilding Rendering"),
    // The compiler proves its audio loop like the performance pass of an opcode.
    module("Live/CsoundLive", swift: [provable]),
    module("Live/Panels", "HarnessBase", apart: true),
    module(
      "Live/Playing", "CommandKit Comparing CsoundLive Panels PluginBuilding Rendering",
      exclude: ["Server/Page"]),
    module(
      "Live/WidgetOpcodes", "CCsound HarnessBase OpcodeKit Panels Rendering", apart: true,
      swift: [provable]),
    module(
      "Tool/DevCommands",
      "CommandKit Comparing CsoundLive Panels Playing PluginBuilding Rendering Reporting Swapping "
        + "Validating WidgetOpcodes"),
    opcodes("TestOpcodes", "Opcodes OpcodeKit", "Tests/TestOpcodes", swift: [provable]),
    module("Tests/TestSupport", swift: []),
    // A browser and a client without one, for the tests of panels.
    module("Tests/TestPages", "CsoundLive Panels Playing TestSupport", swift: []),
  ]
  // The tests of commands may name every module.
  package.targets.append(
    .testTarget(
      name: "CommandTests",
      dependencies: package.targets.filter { $0.type == .regular || $0.type == .executable }
        .map { .byName(name: $0.name) }))
}

if isCompiled {
  package.products = [.library(name: "OpcodeKit", targets: ["CCsound"])]
  package.targets = [c]
}
