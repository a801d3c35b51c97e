import Foundation
import HarnessBase
import PluginBuilding
import Rendering
import TestSupport
import Testing

/// A released Csound 7 for browsers is not to be had from Debian or PyPI. Its place takes Tests/Hosts/passes.mjs, which
/// loads a plugin by the rules of Csound's own loader, and an engine that stands in; on Linux the same engine calls the
/// same opcodes.
@Suite("Plugins for the web", .serialized)
struct WebTests {
  /// Why plugins for the web cannot be built and played here; nil if they can.
  static let lack: String? = {
    guard runsAllTests else { return onlyWithAll }
    guard Csound7.lack == nil else { return Csound7.lack }
    do throws(Failure) {
      _ = try ForeignCompiler(for: BuildTarget(.seven, .own, system: .web), kit: root)
      guard installedProgram("node") == nil else { return nil }
      throw .unavailable(
        "'node' is missing; as root, run: apt-get install -y --no-install-recommends nodejs.")
    } catch {
      return leftOut("The tests of plugins for the web", error)
    }
  }()

  static let plugin = Result { () throws -> String in
    let ending = try opcodekit("build", "--os", "web").good()
    #expect(
      ending.output.contains(
        /^build\/opcodes-csound7\.wasm: for Csound 7\.0 in browsers \(wasm32\), \d+ bytes, depends on Csound only/
      ),
      "\(ending.output)")
    return root + "/build/opcodes-csound7.wasm"
  }

  /// Tests/Hosts/passes.c for Linux and for the web.
  static let hosts = Result { () throws -> (linux: String, web: String) in
    let directory = try temporaryDirectory()
    let source = root + "/Tests/Hosts/passes.c"
    let headers = try CsoundHeaders(of: .seven, kit: root).compilerWords(for: .web)
      .filter { $0.hasPrefix("-I") }
    try run(
      try #require(programOfSwift("clang")),
      ["-O1", "-w", source] + headers + ["-o", directory + "/passes", "-ldl"]
    ).good()
    try WebEngine.build(
      source, to: directory + "/passes.wasm", functions: ["new_engine", "play_call", "new_bytes"],
      kit: root)
    return (directory + "/passes", directory + "/passes.wasm")
  }

  /// The numbers that opcodes of a plugin for Linux and of one for the web put out.
  static func numbers(
    _ calls: [String], linux: String, web: String
  ) throws -> (linux: [Double], web: [Double]) {
    let hosts = try hosts.get()
    let directory = try temporaryDirectory()
    func numbers(_ words: [String]) throws -> [Double] {
      try run(
        "/usr/bin/env", ["bash", "-c", "exec \"$@\" >numbers", "-"] + words + calls,
        directory: directory
      ).good()
      let data = try Data(file: directory + "/numbers")
      return data.withUnsafeBytes { bytes in
        (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self) }
      }
    }
    return (
      try numbers([hosts.linux, linux]),
      try numbers(["node", root + "/Tests/Hosts/passes.mjs", hosts.web, web])
    )
  }

  /// Calls of the pack's opcodes whose arguments are numbers and signals; the second number of an input is the amount
  /// of noise.
  static let calls = [
    "MOOGLADDER.kk a akkoo 0~1 1000~500 0.5 0 0",
    "MOOGLADDER.aa a aaaoo 0~1 1000~500 0.5~0.3 0 0",
    "LPF18.a a axxxoo 0~1 1000~500 0.5~0.4 1 0 0",
    "LPF18.a a axxxoo 0~1 1000~500 0.5~0.4 1 0 2",
    "DIODELADDER.kk a akkOPoo 0~1 1000~500 5~3 1 2 0 0",
    "DIODELADDER.aa a aaaOPoo 0~1 1000~500 5~3 1 2 0 2",
    "LADDER.kk a akkoPpoo 0~1 1000~500 0.5~0.4 0 1 1 0 0",
    "ONEPOLE.k a ako 0~1 1000~500 0",
    "PORTK k kko 0~1 0.05~0.04 0",
    "BUTTERLP.a a aao 0~1 1000~500 0",
    "BUTTERBP.kk a akko 0~1 1000~500 100~50 0",
    "STATEVAR.aa aaaa aaaooo 0~1 1000~500 3~2 0 0 0",
    "RESON.aa a aaaoo 0~1 1000~500 100~50 1 0",
    "DCBLOCK a ao 0~1 0",
    "VDELAY.k a akio 0~1 5~4 20 0",
    "FREEVERB aa aakkjo 0~1 0~1 0.8~0.1 0.3~0.2 -1 0",
    "REVERBSC aa aakkjpo 0~1 0~1 0.8~0.1 8000~2000 -1 1 0",
    "HALL aa aakkkpvooo 0~1 0~1 2~1 0.5~0.4 0.5~0.4 1 0.5 0 0 0",
    "SATURATE.i i i 0.7",
    "SATURATE.a a ao 0~4 0",
    "SATURATE.distortion a akkkkoo 0~1 2~1 0.5 0.1 0.1 0 0",
    "COMPRESSOR.mono a akkkkojoo 0~1 -20~10 4 0.01 0.05~0.04 6 0.001 1 0",
    "COMPRESSOR.stereo aa aakkkkojoo 0~1 0~1 -20~10 0 0 0.05~0.04 0 0.001 0 0",
    "CLIP a aiivo 0~2 0 0.8 0.5 0",
    "FTOM.k k ko 500~400 0",
    "SPRING a aJjj 0~1 -1 -1 -1",
    "SCANNER a akJ 0~1 0.5~0.4 -1",
    "ROTARY aa akOPjj 0~1 1~1 0 1 -1 -1",
    "VCS3FILTER.kk a akko 0~1 1000~500 5~4 0",
    "VCS3FILTER.ak a aako 0~1 1000~500 1~0.5 2",
    "VCS3ENV ak kkkkk 1 0.01 0.01 0.01 0.05",
    "VCS3OSC.k aa kkpo 440~100 0.5~0.4 1 0",
    "VCS3RING a aaJ 0~1 0~1 -1",
    "VCS3NOISE a kv 0~1 0.5",
  ]

  @Test("Opcodes of the pack put out the same numbers as on Linux", .unless(lack))
  func pack() throws {
    let (linux, web) = (try Csound7.pack.get(), try Self.plugin.get())
    for call in Self.calls {
      let numbers = try Self.numbers([call], linux: linux, web: web)
      #expect(numbers.linux.count == numbers.web.count)
      #expect(numbers.linux.contains { $0 != 0 }, "\(call)")
      let difference = zip(numbers.linux, numbers.web).map { abs($0 - $1) }.max() ?? .infinity
      // These two call sines, whose last bit is rounded differently.
      let bound = call.hasPrefix("ROTARY") || call.hasPrefix("VCS3OSC") ? 1e-14 : 0
      #expect(difference <= bound, "\(call)")
    }
  }

  @Test(
    "An author's package with C code plays there, and what it may not call is refused by name",
    .unless(lack))
  func package() throws {
    let directory = try temporaryDirectory() + "/Echo"
    try opcodekit("new", directory, "--with-c", "--opcode", "WARM").good()
    for words in [["--csound", "7"], ["--os", "web"]] {
      try opcodekit(["build"] + words, directory: directory).good()
    }
    let numbers = try Self.numbers(
      [Self.callOfNewPackage], linux: directory + "/build/libecho-csound7.so",
      web: directory + "/build/echo-csound7.wasm")
    #expect(numbers.linux.contains { $0 != 0 } && numbers.linux == numbers.web)

    try
      "#include \"CEcho.h\"\nint fork(void);\ndouble cecho_product(double s, double f) { return s * f + fork(); }\n"
      .save(to: directory + "/Sources/CEcho/echo.c")
    try opcodekit(["build", "--os", "web"], directory: directory).refused(
      65, "the linker says 'undefined symbol: fork'. Csound in a browser has no such function")
  }
  static let callOfNewPackage = "WARM.k a ak 0~1 0.5~0.2"

  @Test("The functions of mathematics are those of Linux, but for three units of the last bit")
  func mathematics() throws {
    let directory = try temporaryDirectory()
    try #"""
    #include <math.h>
    #include <stdint.h>
    #include <stdio.h>
    #include <string.h>
    static uint64_t state = 7;
    static double unit(void) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return (double)(state >> 11) * 0x1p-53;
    }
    static double units(double a, double b) {
      int64_t left, right;
      if (a == b || (a != a && b != b)) return 0;
      memcpy(&left, &a, 8), memcpy(&right, &b, 8);
      return a != a || b != b || (left ^ right) < 0 ? 1e18 : fabs((double)(left - right));
    }
    #define CHECK(name, ours, theirs)                                             \
      {                                                                           \
        double worst = 0;                                                         \
        for (int turn = 0; turn < 100000; turn++) {                               \
          double x = unit(), y = unit();                                          \
          double found = units(ours, theirs);                                     \
          if (found > worst) worst = found;                                       \
        }                                                                         \
        if (!(worst <= 3)) printf("%s: %g units\n", name, worst);                 \
      }
    #define ONE(name, from, to) \
      double own_##name(double); \
      CHECK(#name, own_##name(from + (to - from) * x), name(from + (to - from) * x)) \
      for (int index = 0; index < 9; index++) { \
        double x = special[index]; \
        if (units(own_##name(x), name(x)) > 3) printf("%s(%g)\n", #name, x); \
      }
    #define TWO(name, from, to) \
      double own_##name(double, double); \
      CHECK(#name, own_##name(from + (to - from) * x, 20 * y - 10), name(from + (to - from) * x, 20 * y - 10)) \
      for (int index = 0; index < 81; index++) { \
        double x = special[index / 9], y = special[index % 9]; \
        if (units(own_##name(x, y), name(x, y)) > 3) printf("%s(%g, %g)\n", #name, x, y); \
      }
    int main(void) {
      double special[] = {0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 1e-310, 1e5};
      ONE(exp, -20, 20) ONE(exp2, -20, 20) ONE(expm1, -5, 5) ONE(log, 0, 10) ONE(log2, 0, 10) ONE(log10, 0, 10)
      ONE(log1p, -1, 5) ONE(cbrt, -8, 8) ONE(sinh, -5, 5) ONE(cosh, -5, 5) ONE(tanh, -5, 5) ONE(asinh, -5, 5)
      ONE(acosh, 1, 5) ONE(atanh, -1, 1) ONE(sin, -1e4, 1e4) ONE(cos, -1e4, 1e4) ONE(tan, -100, 100)
      ONE(asin, -1, 1) ONE(acos, -1, 1) ONE(atan, -5, 5) ONE(round, -9, 9)
      TWO(pow, 0, 10) TWO(atan2, -5, 5) TWO(fmod, -100, 100) TWO(remainder, -100, 100) TWO(hypot, -5, 5)
      return 0;
    }

    """#.save(to: directory + "/main.c")
    let clang = try #require(Clang.path)
    let common = ["-O1", "-fno-builtin", "-ffp-contract=off", "-w", "-c"]
    for words in [
      common + [
        "-DNAMED(name)=own_##name", "-o", "own.o", root + "/Sources/Kit/CCsound/web/mathematics.c",
      ],
      common + ["-o", "main.o", "main.c"], ["-o", "compare", "main.o", "own.o", "-lm"],
    ] {
      try run(clang, words, directory: directory).good()
    }
    let compared = try run(directory + "/compare", [])
    #expect(compared.exitCode == 0 && compared.output == "", "\(compared.output)")
  }
}
