import CommandKit
import Foundation
import HarnessBase
import Rendering

extension Command {
  private static let arch = Option(
    name: "arch", value: "PROCESSOR", takes: .processor, standard: .own,
    help: "Build for this kind of processor, \(Processor.names); this machine's unless given.")
  private static let system = Option(
    name: "os", value: "SYSTEM", takes: .system, standard: .linux,
    help: "Build for this operating system, \(OperatingSystem.names); for Linux unless given.")
  private static let all = Option(
    name: "all",
    help: "Build for each Csound and processor that this machine can; say what others need.")
  private static let cpu = Option(
    name: "cpu", value: "LEVEL",
    help: "Build for processors of this level and above, as build/libNAME-LEVEL.so:"
      + " \(Processor.x86_64.levels.joined(separator: ", ")). Or native: build all levels that this processor can"
      + " execute, measure them, and keep the best as build/libNAME.so. Unless given, build/libNAME.so runs on every"
      + " x86-64 processor and holds code for \(Processor.x86_64.usualLevel!), too.")

  private static let costs = Option(
    name: "costs",
    help: "Compile the opcodes once more, and print for each the seconds of that and the size of"
      + " its code.")

  static let build = Command(
    name: "build", operands: "",
    summary:
      "Build a plugin for any Csound 6.18, build/libNAME.so, or for any 7.0: the kit's opcodes, or the"
      + " package's.",
    options: [.csound, .csoundInclude, system, arch, cpu, all, costs]
  ) { arguments throws(Failure) in try build(arguments) }

  private static func build(_ arguments: Arguments) throws(Failure) -> ExitCode {
    try arguments.requireOperands(atMost: 0)
    if arguments[costs], let other = arguments.given(all, system, arch, cpu).first {
      throw .usage(
        "--costs and --\(other.name) exclude each other: --costs is about the build for this"
          + " machine.")
    }
    let isNative = arguments[cpu] == "native" && !arguments[all] && arguments[system] == .linux
    let targets = isNative ? [.tools] : try targets(arguments)
    var build = try PluginBuild.here()
    build.csoundInclude = arguments[.csoundInclude]
    let native = try isNative ? NativeBuild(build, arguments.csounds(), arguments[arch]) : nil
    guard try build.isRight(for: targets) else {
      printError("opcodekit: nothing was built; build/ is as it was.")
      return .checkFailed
    }
    if let native { return try native.choose() }
    var lack: Failure?
    var left = 0
    for target in targets {
      do throws(Failure) {
        if arguments[all] { printError("opcodekit: building \(build.file(for: target))") }
        try build.standalone(for: target)
        print(try build.summary(for: target))
        // Each build takes minutes, and its line may go to a file.
        fflush(nil)
        if let lack = build.lack(for: target) { printError("opcodekit: \(lack)") }
        if target == targets[0] {
          for sentence in try build.largeOpcodes(for: target) {
            printError("opcodekit: \(sentence)")
          }
          if arguments[costs] {
            print(PluginBuild.table(of: try build.costs(for: target.usual ?? target)))
          }
        }
      } catch {
        guard error.kind == .unavailable, arguments[all] else { throw error }
        printError("opcodekit: \(build.file(for: target)) is left out: \(error.message)")
        lack = error
        left += 1
      }
    }
    if let lack, left == targets.count { throw lack }
    return .success
  }

  /// The targets that the options ask for.
  private static func targets(_ arguments: Arguments) throws(Failure) -> [BuildTarget] {
    let processor = arguments[arch]
    let os = arguments[system]
    guard !arguments[all] else {
      if let other = arguments.given(system, arch, cpu, .csound, .csoundInclude).first {
        throw .usage("--all and --\(other.name) exclude each other: --all builds every target.")
      }
      return BuildTarget.all
    }
    let level = arguments[cpu]
    if let level, !processor.levels.contains(level) {
      let known = processor.levels.joined(separator: ", ") + (processor == .own ? " or native" : "")
      throw .usage("--cpu is '\(level)'; for \(processor.rawValue) it takes \(known).")
    }
    if os.isForEveryProcessor, let other = arguments.given(arch, cpu).first {
      throw .usage(
        "--\(other.name) is '\(arguments[cpu] ?? processor.rawValue)'; a plugin for \(os.title) is for every"
          + " processor.")
    }
    guard os != .windows || processor == .x86_64 else {
      throw .usage(
        "--arch is '\(processor.rawValue)'; for \(os.title) it takes \(Processor.x86_64.rawValue).")
    }
    let csounds = try arguments.csounds(standard: os == .web ? os.csounds : nil)
    guard csounds.allSatisfy(os.csounds.contains) else {
      throw .usage(
        "--csound is \(csounds.count > 1 ? "both" : "\(csounds[0].rawValue)"); for the web it takes 7: Csound 6 in a"
          + " browser loads no plugins.")
    }
    return csounds.map { BuildTarget($0, processor, level: level, system: os) }
  }
}
