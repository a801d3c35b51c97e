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

/// What most modules of the tool use: C, an engine, and the parts that all commands need.
let host = "CCsound CHarness CsoundHost HarnessBase"

/// A module of the tool: Sources/PLACE, named as that folder. It may name the modules of `host` and these.
func module(
  _ place: String, _ modules: String = "", apart: Bool = false, exclude: [String] = [],
  swift: [SwiftSetting] = [plain], linker: [LinkerSetting] = []
) -> Target {
  .target(
    name: name(place), dependencies: named(apart ? modules : host + " " + modules),
    path: "Sources/" + place, exclude: exclude, swiftSettings: swift,
    linkerSettings: linker)
}

/// A program: FOLDER/PLACE, named as that folder.
func program(
  _ folder: String, _ place: String, _ modules: String, linker: [LinkerSetting] = []
) -> Target {
  .executableTarget(
    name: name(place), dependencies: named(modules), path: folder + "/" + place,
    linkerSettings: linker)
}

/// The tests of a module: Tests/NAMETests. They may name that module, the modules of `host` and these.
func tests(_ module: String, _ modules: String = "") -> Target {
  .testTarget(
    name: module + "Tests", dependencies: named("\(module) \(host) TestSupport \(modules)"))
}

/// C libraries and headers: Sources/PLACE.
func library(_ place: String) -> Target {
  .systemLibrary(name: name(place), path: "Sources/" + place)
}

func name(_ place: String) -> String { String(place.split(separator: "/").last!) }

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

/// The pack's opcodes: the folders of Opcodes. Each is a module of its own, so that they are compiled in parallel.
let families: KeyValuePairs = [
  "Delays": "DelayOpcodes", "Filters": "FilterOpcodes", "Ladders": "LadderOpcodes",
  "Levels": "LevelOpcodes", "Notes": "NoteOpcodes", "Organ": "OrganOpcodes",
  "Oscillators": "OscillatorOpcodes", "Spectra": "SpectrumOpcodes", "VCS3": "VCS3Opcodes",
]

let package = Package(
  name: "OpcodeKit",
  products: [.library(name: "OpcodeKit", targets: ["OpcodeKit"])],
  targets: [
    library("Kit/CCsound"),
    module("Kit/TypeLetters", apart: true),
    opcodes(
      "OpcodeKit", buildsMacros ? "CCsound OpcodeMacros" : "CCsound", "Sources/Kit/OpcodeKit",
      exclude: [csound7 == nil ? "Generator+Host7.swift" : "Generator+Host.swift"],
      swift: [provable, checked], linker: []),
    opcodes(
      "Opcodes", "OpcodeKit " + families.map(\.value).joined(separator: " "), "Opcodes",
      exclude: ["arguments.json", "exclusions.json"] + families.map(\.key)),
  ] + families.map { opcodes($0.value, "OpcodeKit", "Opcodes/" + $0.key) })

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
          description: "Build the package's plugin for Csound, as 'opcodekit build' does.")),
      path: "Sources/Tool/build-opcodes"))
}

if buildsMacros {
  package.targets.append(
    .macro(
      name: "OpcodeMacros", dependencies: ["TypeLetters"], path: "Sources/Kit/OpcodeMacros",
      swiftSettings: [.unsafeFlags((hostLibraries.map { ["-I", $0] } ?? []) + interfaces)],
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
  package.targets += [
    // Opcodes that measure what the kit adds to a call, and the parts of its toolbox.
    opcodes("KitOpcodes", "OpcodeKit", "Benchmarks/kit/Opcodes"),
    // The tests' own opcodes as a plugin, for a Csound in another process.
    opcodes(
      "TestOpcodes", "OpcodeKit", "Tests/TestOpcodes",
      exclude: ["FaultyLadder", "Versions", "Versions+Audio", "Versions+Control"]
        .map { $0 + ".swift" }, swift: []),
    opcodes("TestPlugin", "OpcodeKit TestOpcodes", "Tests/TestPlugin", swift: []),
  ]
} else {
  let programs: KeyValuePairs = [
    "opcodekit-bench": "Comparing PluginBuilding",
    "opcodekit-core": "Comparing PluginBuilding Validating",
    "opcodekit-play": "Playing PluginBuilding",
    "opcodekit-pieces":
      "Playing PluginBuilding Profiling Rendering Reporting Swapping WidgetOpcodes",
    "opcodekit":
      "Comparing DevCommands Playing PluginBuilding Profiling Reporting Swapping Validating "
      + "WidgetOpcodes",
  ]
  package.products += programs.map { .executable(name: $0.key, targets: [$0.key]) }
  package.products += [
    .library(name: "CsoundLive", targets: ["CsoundLive"]),
    // The kit's opcodes with the Swift runtime; a debug build of them plays again what has crashed.
    .library(name: "opcodes", type: .dynamic, targets: ["Opcodes"]),
  ]
  package.targets += programs.map {
    program("Sources/Tool", $0.key, $0.value, linker: [withoutDebugInformation])
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
    module(
      "Check/Validating", "CommandKit Comparing Linting PluginBuilding Probing Rendering"),
    module("Profile/Profiling", "CommandKit Rendering"),
    module(
      "Pieces/Swapping", "CommandKit Comparing Linting PluginBuilding Profiling Rendering"),
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
    .target(
      name: "TestSupport", dependencies: named("CsoundHost HarnessBase"),
      path: "Tests/TestSupport"),
    // A browser and a client without one, for the tests of panels.
    .target(
      name: "TestPages", dependencies: named("CsoundLive HarnessBase Panels Playing TestSupport"),
      path: "Tests/TestPages"),
    program(
      "Tests", "TestWorker",
      "Comparing Linting OpcodeKit Opcodes Profiling Rendering Reporting Swapping TestOpcodes "
        + "Validating WidgetOpcodes"),
    program("Tests", "LiveWatch", "CCsound CHarness CsoundHost CsoundLive TestSupport"),
    program("Tests", "Examples/Melody", "CsoundLive"),
    program("Tests", "Examples/LoopStation", "CsoundLive Opcodes"),
    tests("OpcodeKit", "TestOpcodes TypeLetters"),
    tests("Opcodes", "Linting OpcodeKit TestWorker Validating"),
    tests("HarnessBase"),
    tests("CsoundHost"),
    tests("Rendering", "Linting"),
    tests("Linting", "OpcodeKit"),
    tests("Comparing", "Rendering TestWorker"),
    tests("PluginBuilding"),
    tests("Validating", "TestWorker"),
    tests("Profiling", "Rendering TestWorker"),
    tests("Swapping", "Comparing Linting Profiling Rendering TestWorker"),
    tests("Reporting", "CommandKit Linting PluginBuilding TestWorker"),
    tests("CsoundLive", "LiveWatch OpcodeKit TestOpcodes"),
    tests("Panels"),
    tests("Playing", "CsoundLive Panels TestPages"),
    tests("WidgetOpcodes", "Panels Rendering"),
    .testTarget(
      name: "CommandTests",
      dependencies: named(
        programs.map(\.key).joined(separator: " ")
          + " CommandKit Comparing CsoundHost DevCommands HarnessBase Linting LoopStation Melody"
          + " Opcodes Panels Playing PluginBuilding Profiling Rendering TestPages TestSupport Validating"
      )),
  ]
}

if isCompiled {
  package.products = [.library(name: "OpcodeKit", targets: ["CCsound"])]
  package.targets = [library("Kit/CCsound")]
}
