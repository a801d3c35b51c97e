import CommandKit
import Foundation
import HarnessBase
import Rendering

/// The kit compiled for one target, with which the plugins of all packages are compiled and linked; otherwise Swift's
/// package manager would compile it for each package. It is the one that the kit's own plugin is made of.
struct CompiledKit {
  /// The environment variable that makes `Package.swift` leave out the kit's sources.
  static let variable = "OPCODEKIT_COMPILED"

  /// The directory of the module and the archive. Its name is the time of the build, in seconds since 1970, so that the
  /// package manager compiles packages again after a change of the kit.
  private let directory: String

  /// Whether the package manager links with it. What is for another system is linked later.
  private let isLinked: Bool

  /// The kit's code as an archive of objects.
  var archive: String { directory + "/libOpcodeKit.a" }

  /// The objects, for another system than Linux.
  var objects: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.sorted().filter { $0.hasSuffix(".o") }.map { "\(directory)/\($0)" }
  }

  private var module: String { directory + "/OpcodeKit.swiftmodule" }

  /// The words that tell Swift's package manager to use it.
  var words: [String] {
    ["-Xswiftc", "-I\(directory)"] + (isLinked ? ["-Xlinker", archive] : [])
  }

  /// The kit as it is now; compiles what has changed. With a level, that of plugins that also have code for that
  /// processor level.
  init(for target: BuildTarget, holding level: String?) throws(Failure) {
    let files = FileManager.default
    let scratch = "\(Project.kit)/\(target.scratch)"
    let folder = scratch + "/compiled" + (level.map { "-" + $0 } ?? "")
    isLinked = target.system == .linux
    let began = Date()
    let earlier = ((try? files.contentsOfDirectory(atPath: folder)) ?? []).compactMap { Int($0) }
    let isLinked = isLinked
    let usable = earlier.filter {
      // Of a clock that was put back, the newest is in the future.
      Double($0) <= began.timeIntervalSince1970
        && CompiledKit(directory: "\(folder)/\($0)", isLinked: isLinked).isComplete
    }
    if let newest = usable.max(),
      PluginBuild.isKitOlder(
        PluginBuild.kitModules, than: Date(timeIntervalSince1970: Double(newest)))
    {
      directory = "\(folder)/\(newest)"
      return
    }
    // What the kit's own plugin is told, so that what is compiled for one is not compiled again for the other.
    try PluginBuild.swift(
      PluginBuild.pack.words(for: target, holding: level)
        + ["--package-path", Project.kit, "--scratch-path", scratch, "--target", "OpcodeKit"],
      for: "OpcodeKit")
    let fresh = CompiledKit(directory: "\(folder)/\(getpid()).new", isLinked: isLinked)
    defer { try? files.removeItem(atPath: fresh.directory) }
    try fresh.fill(from: PluginBuild.pack.library(for: target).parentPath, for: target)
    directory = "\(folder)/\(Int(began.timeIntervalSince1970))"
    // Another build may have made the same one meanwhile.
    if !isComplete { try? files.removeItem(atPath: directory) }
    guard rename(fresh.directory, directory) == 0 || isComplete else {
      throw .unwritableOutput(
        "'\(directory)' cannot be written: \(String(cString: strerror(errno))).")
    }
    // No build takes an hour, so nothing uses these any more.
    for old in earlier where began.timeIntervalSince1970 - Double(old) > 3600 {
      try? files.removeItem(atPath: "\(folder)/\(old)")
    }
  }

  /// Whether the module and the code are there.
  private var isComplete: Bool {
    let files = [module] + (isLinked ? [archive] : objects)
    return files.count > 1
      && files.allSatisfy { path in
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
      }
  }

  private init(directory: String, isLinked: Bool) {
    (self.directory, self.isLinked) = (directory, isLinked)
  }

  /// Copies the module, and collects the objects that were compiled with it.
  private func fill(from release: String, for target: BuildTarget) throws(Failure) {
    let files = FileManager.default
    let compiled = release + "/OpcodeKit.build"
    let names = (try? files.contentsOfDirectory(atPath: compiled)) ?? []
    let objects = names.sorted().filter { $0.hasSuffix(".o") }.map { "\(compiled)/\($0)" }
    try? files.removeItem(atPath: directory)
    try makeDirectory(directory)
    if let compiler = try ForeignCompiler(for: target, kit: Project.kit) {
      _ = try compiler.objects(of: objects, in: directory)
    } else {
      let finished = try ChildProcess.run(
        requiredProgramOfSwift("llvm-ar"), ["rcsD", archive] + objects)
      try finished.require(.unwritableOutput, "llvm-ar cannot write '\(archive)':\n")
    }
    try writing(directory) {
      try files.copyItem(atPath: release + "/Modules/OpcodeKit.swiftmodule", toPath: module)
    }
  }
}
