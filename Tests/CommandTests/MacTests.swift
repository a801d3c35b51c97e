import Foundation
import HarnessBase
import Rendering
import TestSupport
import Testing

/// No test runs macOS. A loader, Sources/Host/Rendering/Targets/macho.c, plays the plugins for it in Csound for Linux.
@Suite("Plugins for macOS", .serialized)
struct MacTests {
  /// Why plugins for macOS cannot be built here; nil if they can.
  static let lack: String? = {
    guard runsAllTests else { return onlyWithAll }
    do throws(Failure) {
      _ = try ForeignCompiler(for: BuildTarget(.seven, .own, system: .macos), kit: root)
      return Processor.own == .x86_64 ? nil : "this machine is no x86-64"
    } catch {
      return leftOut("The tests of plugins for macOS", error)
    }
  }()

  static let plugin = Result { () throws -> String in
    try opcodekit("build", "--os", "macos").good().says(
      "on macOS 11.0 or newer, x86-64 and arm64, ")
    return root + "/build/libopcodes.dylib"
  }

  @Test(
    "The dylib has a part for each processor, and needs only functions of macOS 11", .unless(lack))
  func needs() throws {
    let list = try String(file: root + "/Sources/Kit/CCsound/libSystem.tbd")
    let allowed = Set(list.split { " ,[]\n".contains($0) }.map(String.init))
    let path = try Self.plugin.get()
    let library = try LibraryFile(path)
    #expect(library.machProcessors == ["x86_64", "arm64"])
    #expect(library.needs == ["/usr/lib/libSystem.B.dylib"])
    for part in library.text.components(separatedBy: "Mach header").dropFirst() {
      #expect(part.contains(#/LC_ID_DYLIB\n.*\n *name @rpath/libopcodes\.dylib /#))
      #expect(part.contains("minos 11.0\n") && part.contains("LC_LOAD_DYLIB"))
      // macOS on arm64 loads no code without a signature, if only one made by the linker.
      #expect(part.contains("LC_CODE_SIGNATURE"))
    }
    let symbols = try run(
      requiredProgramOfSwift("llvm-nm"), ["--arch=all", "--extern-only", "--format=posix", path])
    for part in symbols.output.components(separatedBy: "(for architecture").dropFirst() {
      let words = part.matches(of: #/\n(\S+) ([UT]) /#)
      let own = words.filter { $0.2 == "T" }.map { String($0.1) }
      #expect(own.sorted() == ["_csoundModuleInfo", "_csound_fgen_init", "_csound_opcode_init"])
      let imports = Set(words.map { String($0.1) }).subtracting(own)
      #expect(!imports.isEmpty && imports.isSubset(of: allowed))
    }
  }

  @Test(
    "From a recording every opcode of each part makes the same samples as on Linux, to the last bit",
    .unless(lack), arguments: Processor.allCases.filter { $0 == .own || TargetTests.lack == nil })
  func recorded(processor: Processor) throws {
    let recording = try Recording()
    try run("/usr/bin/csound", recording.words(try standalonePlugin.get(), "here.wav")).good()
    let player = try MacPlayer(for: .six, processor, plugin: Self.plugin.get(), kit: root)
    try run(
      player.words[0], player.words.dropFirst() + recording.words(player.loader, "there.wav"),
      environment: player.environment
    ).good()
    try recording.requireSame("here.wav", "there.wav")
  }
}
