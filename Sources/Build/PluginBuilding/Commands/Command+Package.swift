import CommandKit
import Foundation
import HarnessBase
import Rendering

extension Command {
  private static let out = Option(
    name: "out", value: "DIR",
    help: "The folder to make; build/package unless given.")
  private static let arch = Option(
    name: "arch", value: "LIST", takes: .choices(Processor.names, Processor.init(rawValue:)),
    help: "For these kinds of processors, \(Processor.names); for both unless given.")
  private static let systems = Option(
    name: "os", value: "LIST",
    takes: .choices("windows, macos or web") { word in
      OperatingSystem(rawValue: word).flatMap { $0 == .linux ? nil : $0 }
    },
    help: "Also build plugins for these systems, windows, macos or web; for none unless given."
  )
  private static let all = Option(
    name: "all", help: "Build plugins for all systems, as --os windows,macos,web does.")
  private static let cpu = Option(
    name: "cpu", value: "LIST",
    takes: .choices(levels.joined(separator: ", ")) { levels.contains($0) ? $0 : nil },
    help:
      "Also build plugins for these levels of x86-64, such as x86-64-v4; for none unless given."
  )
  private static let levels = Processor.x86_64.levels
  private static let tool = Option(
    name: "tool",
    help: "Package the tool itself, for those who have no Swift; the folder is build/tool.")
  private static let version = Option(
    name: "version", value: "NUMBERS", takes: Release.numbers,
    help: "The version, such as 1.2.0; the last tag unless given.")
  private static let maintainer = Option(
    name: "maintainer", value: "PERSON", takes: Release.person,
    help: "Who maintains the package, as 'NAME <ADDRESS>'; the last commit's author unless given.")
  private static let url = Option(
    name: "url", value: "URL",
    takes: .one("an address that begins with https://") {
      $0.wholeMatch(of: /https?:\/\/[^ "$]+/) == nil ? nil : $0
    },
    help: "The web address where risset finds the folder; beside its manifest unless given.")

  static let package = Command(
    name: "package", operands: "",
    summary:
      "Make a folder to give away: plugins, pages, examples, archives, Debian packages, sums.",
    options: [
      .csound, .csoundInclude, out, systems, all, arch, cpu, tool, version, maintainer, url,
    ]
  ) { arguments throws(Failure) in try package(arguments) }

  private static func package(_ arguments: Arguments) throws(Failure) -> ExitCode {
    try arguments.requireOperands(atMost: 0)
    if arguments[tool] { return try packageTool(arguments) }
    let targets = try targets(arguments)
    let hasDebianPackages = targets.contains { $0.csound == .six }
    let path = URL(fileURLWithPath: arguments[out] ?? Project.root + "/build/package")
      .standardizedFileURL.resolvingSymlinksInPath().path
    if hasDebianPackages { try requireProgram("dpkg-deb", package: "dpkg") }
    if targets.contains(where: { $0.system != .linux }) {
      try requireProgram("zip", package: "zip")
    }
    let release = try Release(
      of: Project.root, without: path, version: arguments[version],
      maintainer: arguments[maintainer])
    let folder = try PackageFolder(path)
    defer { folder.discard() }
    var build = try PluginBuild.here()
    build.csoundInclude = arguments[.csoundInclude]
    guard try build.isRight() else {
      printError("opcodekit: no package was made; '\(Project.short(path))' is as it was.")
      return .checkFailed
    }
    for target in targets {
      printError("opcodekit: building \(build.file(for: target))")
      try build.standalone(for: target)
    }
    let contents = try Contents(of: build, for: targets)
    guard try build.countUnplayable(contents.examples) == 0 else {
      printError(
        "opcodekit: these examples do not play with the plugin, so no package was made;"
          + " '\(Project.short(path))' is as it was.")
      return .checkFailed
    }
    try contents.write(to: folder)
    let page = try ListeningPage(of: contents, release)?.text()
    if let page { try folder.write(page, to: Contents.page) }
    for archive in SystemArchive.all(of: contents, release) {
      try archive.write(to: folder, page: page)
    }
    try folder.write(
      try ResultsText.of(RissetManifest(of: contents, release, at: arguments[url])),
      to: "risset.json")
    let debian =
      hasDebianPackages
      ? contents.processors.map {
        DebianPackage(contents: contents, release: release, processor: $0)
      } : []
    for package in debian { try package.write(in: folder) }
    try folder.write(
      InstallPage(contents: contents, release: release, debianPackages: debian).text,
      to: "INSTALL.md")
    try folder.finish()
    report(contents, release, path)
    return .success
  }

  /// Makes the packages of the tool.
  private static func packageTool(_ arguments: Arguments) throws(Failure) -> ExitCode {
    let options: [any CommandOption] = [.csound, .csoundInclude, systems, all, cpu, url]
    if let other = options.first(where: { arguments.given[$0.name] != nil }) {
      throw .usage(
        "--tool and --\(other.name) exclude each other: --tool takes --out, --arch, --version and --maintainer."
      )
    }
    try requireProgram("dpkg-deb", package: "dpkg")
    let path = URL(fileURLWithPath: arguments[out] ?? Project.kit + "/build/tool")
      .standardizedFileURL.resolvingSymlinksInPath().path
    let release = try Release(
      of: Project.kit, without: path, version: arguments[version],
      maintainer: arguments[maintainer])
    warn(of: release)
    let folder = try PackageFolder(path)
    defer { folder.discard() }
    var targets: [BuildTarget] = []
    for csound in CsoundVersion.allCases {
      targets += try processors(arguments, csound).map { BuildTarget(csound, $0) }
    }
    try ToolPackage(release: release, targets: targets).write(to: folder)
    try folder.finish()
    list(path)
    print(
      "opcodekit \(release.version) of \(release.maintainer); Swift is not needed where it is used."
    )
    return .success
  }

  private static func list(_ path: String) {
    let rows = PackageFolder.contents(of: path).map { name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: path + "/" + name)
      return ["\(Project.short(path))/\(name)", "\(attributes?[.size] as? Int ?? 0)"]
    }
    print(Table(rows: [["file", "bytes"]] + rows, alignment: [.left, .right]).text)
  }

  private static func report(_ contents: Contents, _ release: Release, _ path: String) {
    list(path)
    print(
      "\(contents.build.product) \(release.version) of \(release.maintainer); runs with Csound \(contents.releases) and"
        + " glibc \(contents.glibc) or newer on"
        + " \(contents.processors.map(\.rawValue).joined(separator: " and "))"
        + (contents.systems.isEmpty
          ? "." : ", and on \(contents.systems.map(\.title).joined(separator: " and ")).")
    )
    warn(of: release)
    if contents.license == nil {
      printError(
        "opcodekit: there is no LICENSE beside Package.swift, so nobody knows what they may do with it."
      )
    }
  }

  /// Says what keeps others from making the package again.
  private static func warn(of release: Release) {
    if release.commit == nil {
      printError(
        "opcodekit: there is no commit, so the package's date is today's and nothing in it says of which sources it is:"
          + " others cannot make it again.")
    }
    if let change = release.changes.first {
      let more = release.changes.count - 1
      printError(
        "opcodekit: '\(change)'\(more > 0 ? " and \(more) more are" : " is") in no commit: others cannot make"
          + " this package again.")
    }
  }

  private static func targets(_ arguments: Arguments) throws(Failure) -> [BuildTarget] {
    // A machine with Csound 7 only has no headers of Csound 6.
    let lacksSix = CsoundVersion.tools == .seven && !CsoundHeaders.areInstalled(of: .six)
    let csounds = try arguments.csounds(standard: lacksSix ? [.seven] : CsoundVersion.allCases)
    let played = CsoundVersion.tools
    guard csounds.contains(played) else {
      let option = arguments[.csound] == nil ? "--csound-include has headers of" : "--csound is"
      throw .usage(
        "\(option) \(csounds[0].rawValue); a package always has the plugin for Csound \(played.release): say"
          + " \(played.rawValue) or both.")
    }
    let processors = try processors(arguments, csounds[0])
    let chosen = arguments[cpu] ?? []
    let onLinux = csounds.flatMap { csound in
      processors.flatMap { processor in
        let levels = processor.levels.filter(chosen.contains)
        return [BuildTarget(csound, processor)]
          + levels.map { BuildTarget(csound, processor, level: $0) }
      }
    }
    let systems = try systems(arguments)
    for system in systems where !system.csounds.contains(where: csounds.contains) {
      throw .usage(
        "--csound is \(csounds[0].rawValue); a plugin for \(system.title) is for Csound 7: say both."
      )
    }
    let others = systems.flatMap { system in
      csounds.filter(system.csounds.contains).map {
        BuildTarget($0, system.isForEveryProcessor ? .own : .x86_64, system: system)
      }
    }
    // Says what is missing before anything is built.
    for target in others { _ = try ForeignCompiler(for: target, kit: Project.kit) }
    return onLinux + others
  }

  /// The systems to build for beside Linux.
  private static func systems(_ arguments: Arguments) throws(Failure) -> [OperatingSystem] {
    guard arguments[all] else {
      return OperatingSystem.allCases.filter { arguments[systems]?.contains($0) == true }
    }
    guard arguments.given(systems).isEmpty else {
      throw .usage("--all and --\(systems.name) exclude each other: --all builds for every system.")
    }
    return OperatingSystem.allCases.filter { $0 != .linux }
  }

  /// The kinds of processors to build for. This machine's kind comes first, because its plugin is
  /// loaded to find out what it registers.
  private static func processors(
    _ arguments: Arguments, _ csound: CsoundVersion
  ) throws(Failure) -> [Processor] {
    let all = [.own] + Processor.allCases.filter { $0 != .own }
    let chosen = arguments[arch] ?? []
    guard chosen.isEmpty || chosen.contains(.own) else {
      throw .usage(
        "--arch is '\(arguments.given[arch.name]!)'; a package always has the plugin for \(Processor.own.rawValue):"
          + " say \(Processor.own.rawValue),\(chosen[0].rawValue).")
    }
    let processors = all.filter { chosen.isEmpty || chosen.contains($0) }
    do throws(Failure) {
      for processor in processors { _ = try CrossCompiler(for: BuildTarget(csound, processor)) }
    } catch {
      guard chosen.isEmpty else { throw error }
      throw Failure(
        error.kind, "\(error.message) Or leave it out, with --arch \(Processor.own.rawValue).")
    }
    return processors
  }
}
