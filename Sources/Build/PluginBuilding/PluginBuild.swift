import CommandKit
import Foundation
import HarnessBase
import Rendering
import Synchronization

/// Builds the plugin of a package.
package struct PluginBuild {
  /// The package's directory.
  package let directory: String
  /// The name of its dynamic library.
  package let product: String
  /// Whether it is another package that depends on the kit of this tool, and not on another copy.
  private let usesThisKit: Bool
  /// The directory of Csound's headers, if one is given.
  package var csoundInclude: String?

  /// The build of the current package, or else of the kit's own opcodes.
  package static func current() throws(Failure) -> PluginBuild {
    guard let package = AuthorPackage.current else { return .pack }
    return try PluginBuild(package)
  }

  /// The build of the current package, or of the kit's own opcodes if the current directory is in the kit. Fails
  /// elsewhere.
  package static func here() throws(Failure) -> PluginBuild {
    guard AuthorPackage.current == nil, !AuthorPackage.isInKit else { return try current() }
    let here = FileManager.default.currentDirectoryPath
    let names = (try? FileManager.default.contentsOfDirectory(atPath: here)) ?? []
    let below = names.sorted().first { name in
      FileManager.default.fileExists(atPath: "\(here)/\(name)/Package.swift")
        && AuthorPackage.around("\(here)/\(name)") != nil
    }
    throw .usage(
      "There is no package of opcodes in '\(here)'; enter one, or name one with --package \(below ?? "DIR")."
        + " The kit's own plugin is made in '\(Project.kit)'.")
  }

  /// The build of the kit's own opcodes.
  static var pack: PluginBuild { PluginBuild(ofKit: "opcodes") }

  /// The build of one of the kit's plugins: that of its opcodes, or one that its tests use.
  package init(ofKit product: String) {
    (directory, self.product, usesThisKit) = (Project.kit, product, false)
  }

  /// The build of an author's package, which must have exactly one dynamic library.
  package init(_ package: AuthorPackage) throws(Failure) {
    struct Description: Decodable {
      struct Product: Decodable {
        var name: String
        var type: [String: [String]?]
      }
      struct Dependency: Decodable { var path: String? }
      var products: [Product]
      var dependencies: [Dependency]
    }
    try Self.requireSwift()
    directory = package.directory
    Self.forgetMovedBuild(of: directory)
    let manifest = dateWritten("\(directory)/Package.swift")
    if let known = Self.described.withLock({ $0[package.directory] }), known.manifest == manifest {
      (product, usesThisKit) = (known.product, known.usesThisKit)
      return
    }
    let described = try ChildProcess.run(
      "/usr/bin/env",
      ["swift", "package", "--package-path", directory] + Self.lockWords
        + ["describe", "--type", "json"])
    let text = described.output.drop { $0 != "{" }
    guard described.isGood,
      let description = try? JSONDecoder().decode(Description.self, from: Data(text.utf8))
    else {
      writeError(described.errors)
      throw .badInput(
        "'\(directory)/Package.swift' cannot be read; Swift's own messages are above.")
    }
    let libraries = description.products.filter { $0.type["library"] == ["dynamic"] }.map(\.name)
    guard libraries.count == 1 else {
      throw .badInput(
        libraries.isEmpty
          ? "'\(directory)/Package.swift' has no plugin: add .library(name: …, type: .dynamic, targets:"
            + " […]) to its products."
          : "'\(directory)/Package.swift' has \(libraries.count) dynamic libraries"
            + " (\(libraries.joined(separator: ", "))); a plugin is the only one of its package.")
    }
    product = libraries[0]
    let kit = URL(fileURLWithPath: Project.kit).resolvingSymlinksInPath()
    usesThisKit = description.dependencies.compactMap(\.path).contains {
      URL(fileURLWithPath: $0).resolvingSymlinksInPath().path == kit.path
    }
    let read = (manifest, product, usesThisKit)
    Self.described.withLock { $0[package.directory] = read }
  }

  /// The products of packages that were read, and the dates of their manifests. Swift takes most of a second to read
  /// one, and `test` runs several commands.
  private static let described =
    Mutex<[String: (manifest: Date?, product: String, usesThisKit: Bool)]>([:])

  /// The plugin to play for a target, built again if a source is newer. Unless the plugin for every processor is up to
  /// date, it is built for this machine's processor only, which takes half the time.
  package func renewed(for target: BuildTarget = .tools) throws(Failure) -> String {
    if isFresh(for: target) { return path(for: target) }
    let played = playedTarget(for: target)
    try renew(for: played)
    return path(for: played)
  }

  func playedTarget(for target: BuildTarget) -> BuildTarget {
    target.processor != .own || isFresh(for: target)
      ? target : BuildTarget(target.csound, .own, level: Processor.playedLevel)
  }

  /// The path of a target's plugin, relative to the package's directory.
  package func file(for target: BuildTarget) -> String { "build/" + target.plugin(of: product) }

  /// The path of a target's plugin.
  package func path(for target: BuildTarget) -> String { directory + "/" + file(for: target) }

  /// Whether a target's plugin is newer than its sources.
  package func isFresh(for target: BuildTarget) -> Bool {
    guard let built = dateWritten(path(for: target)) else { return false }
    // What is installed was made of the sources of its version, which are not there.
    if isInstalled, directory == Project.kit { return true }
    let own =
      directory == Project.kit
      ? ["Opcodes", "Benchmarks/kit", "Tests/TestOpcodes", "Tests/TestPlugin"].map {
        "\(directory)/\($0)"
      }
      : Self.sources(ofPackage: directory)
    return Self.areOlder(
      own + ["\(directory)/Package.swift"] + Self.sources(of: Self.kitModules), than: built)
  }

  /// Where the sources of a package can be: the folders that SwiftPM looks in, and those that the manifest names, also of
  /// other packages.
  private static func sources(ofPackage directory: String) -> [String] {
    let manifest =
      (try? String(contentsOfFile: directory + "/Package.swift", encoding: .utf8)) ?? ""
    let folder = URL(fileURLWithPath: directory, isDirectory: true)
    let named = manifest.matches(of: /\bpath:\s*"([^"]+)"/).flatMap { match -> [String] in
      let path = URL(fileURLWithPath: String(match.1), relativeTo: folder).standardizedFileURL.path
      guard path != Project.kit else { return [] }
      guard FileManager.default.fileExists(atPath: path + "/Package.swift") else { return [path] }
      let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      return (["Sources"] + files.filter { $0.hasSuffix(".swift") }).map { "\(path)/\($0)" }
    }
    return ["Sources", "Source", "src", "srcs"].map { "\(directory)/\($0)" } + named
  }

  /// The modules of the kit that a plugin is made of.
  static let kitModules = ["CCsound", "OpcodeKit", "OpcodeMacros", "TypeLetters"]

  /// The folders of modules of the kit.
  private static func sources(of modules: [String]) -> [String] {
    modules.map { "\(Project.kit)/Sources/Kit/\($0)" }
  }

  /// Whether modules of the kit, its manifest and the compiler are older than a date.
  static func isKitOlder(_ modules: [String], than built: Date) -> Bool {
    let others =
      ["\(Project.kit)/Package.swift"] + [programOfSwift("swift-frontend")].compactMap(\.self)
    return areOlder(sources(of: modules) + others, than: built)
  }

  /// Whether none of these files, nor anything in these folders or those that these links lead to, has been written
  /// since a date. A build does not depend on documentation.
  private static func areOlder(_ paths: [String], than built: Date) -> Bool {
    paths.allSatisfy { path in
      // Of a link, both the link and what it leads to.
      if let date = dateWritten(path), date > built { return false }
      return isOlder(path + "/.", than: built)
    }
  }

  /// Whether nothing in a folder has been written since a date; true where there is no folder.
  private static func isOlder(_ folder: String, than built: Date) -> Bool {
    // Every command asks for hundreds of files. FileManager takes five times as long.
    guard let entries = opendir(folder) else { return true }
    defer { closedir(entries) }
    while let entry = readdir(entries) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
      }
      guard name != "..", !name.hasSuffix(".docc") else { continue }
      let path = "\(folder)/\(name)"
      if let date = dateWritten(path), date > built { return false }
      let isFolder = entry.pointee.d_type == DT_DIR || entry.pointee.d_type == DT_UNKNOWN
      guard name == "." || !isFolder || isOlder(path, than: built) else { return false }
    }
    return true
  }

  /// Lets the package manager use a package's .build while the one that runs `swift package build-opcodes` has it
  /// locked.
  private static let lockWords =
    ProcessInfo.processInfo.environment["OPCODEKIT_IGNORES_LOCK"] == nil ? [] : ["--ignore-lock"]

  /// A debug build with the Swift runtime. It checks types against type letters when it is loaded, and indices while it
  /// plays. Returns the plugin's path.
  package func plain(for csound: CsoundVersion = .tools) throws(Failure) -> String {
    // Not the kit's own build directory, which a running test locks. SwiftPM does not notice a change of the headers'
    // directory, so each Csound has a build of its own.
    let scratch =
      directory + (directory == Project.kit ? "/.build/checked" : "/.build")
      + (csound == .six ? "" : "/csound\(csound.rawValue)")
    let headers = try CsoundHeaders(of: csound, given: csoundInclude, kit: Project.kit)
    try Self.swift(
      ["build", "--disable-index-store", "--package-path", directory, "--scratch-path", scratch]
        + Self.lockWords
        + ["--product", product] + MacroProgram.words()
        + headers.compilerWords(for: BuildTarget.tools.system),
      for: product, csound == .seven ? [Self.csound7: headers.directory] : [:])
    return "\(scratch)/debug/lib\(product).so"
  }

  /// Builds the plugin to distribute: Embedded Swift, without the Swift runtime, and without paths of this machine. It
  /// replaces an older plugin only when it is complete.
  package func standalone(for target: BuildTarget) throws(Failure) {
    let began = Date()
    let plugin = path(for: target)
    if target.system != .linux {
      // Says what is missing before anything is compiled.
      _ = try ForeignCompiler(for: target, kit: Project.kit)
      try install(foreign(for: target), as: plugin, builtSince: began)
      return
    }
    var newer: NewerCode.Object?
    if let usual = target.usual {
      let other = try begin(target, besides: usual)
      let compiled = try compiled(for: usual)
      // That build must end before the object it may link is replaced.
      other?.wait()
      newer = try NewerCode.object(of: compiled, product: product, for: usual)
    }
    try install(compiled(for: target, with: newer).library, as: plugin, builtSince: began)
  }

  /// Replaces a plugin, and gives it the date at which its build began, so that sources saved since are newer.
  private func install(
    _ source: String, as plugin: String, builtSince began: Date
  ) throws(Failure) {
    try install(source, as: plugin)
    try? FileManager.default.setAttributes([.modificationDate: began], ofItemAtPath: plugin)
  }

  /// What Swift's package manager makes for a target: the library, and the file that lists its objects. The kit's are not
  /// among them if it was compiled before.
  typealias Compiled = (library: String, objects: String, kit: CompiledKit?)

  /// Begins to compile a target's plugin while the code for a newer processor is compiled. `compiled` later completes
  /// the build, however this one ends. Nil if the plugin had no such code the last time.
  private func begin(
    _ target: BuildTarget, besides usual: BuildTarget
  ) throws(Failure) -> ChildProcess? {
    let files = FileManager.default
    let object = NewerCode.Object(level: usual.compiledLevel, library: try library(for: usual))
    let isFirst = !files.fileExists(atPath: "\(directory)/\(target.scratch)")
    guard isFirst || files.fileExists(atPath: object.path) else { return nil }
    return try begin(target, with: object)
  }

  /// Begins to compile a plugin without printing anything.
  private func begin(
    _ target: BuildTarget, with newer: NewerCode.Object? = nil
  ) throws(Failure) -> ChildProcess {
    let silence = open("/dev/null", O_WRONLY)
    defer { close(silence) }
    let kit = try compiledKit(for: target, holding: newer?.level)
    return try ChildProcess(
      "/usr/bin/env",
      try ["swift"] + words(for: target, holding: newer?.level) + place(for: target)
        + (kit?.words ?? []) + (newer?.words ?? []),
      environment: Self.environment(isRelease: true).merging(Self.variables(of: kit)) { $1 },
      output: silence, errors: silence)
  }

  /// Builds the plugin to play on this machine, and checks at the same time what it registers. If that is wrong, prints
  /// each fault and returns nil.
  package func tested() throws(Failure) -> BuildTarget? {
    let target = playedTarget(for: .tools)
    let began = Date()
    guard !isFresh(for: target) else { return try isRight() ? target : nil }
    if try hasGeneratedOverloadsOnly {
      guard try isRight() else { return nil }
      try install(try library(for: target), as: path(for: target), builtSince: began)
      return target
    }
    let compiling = try begin(target)
    let isRight = try isRight()
    compiling.wait()
    guard isRight else { return nil }
    try standalone(for: target)
    return target
  }

  /// The path of the library that Swift's package manager makes for a target.
  func library(for target: BuildTarget) throws(Failure) -> String {
    if let foreign = try ForeignCompiler(for: target, kit: Project.kit) {
      return "\(directory)/\(target.scratch)/\(foreign.plugin(of: product))"
    }
    let cross = try CrossCompiler(for: target)
    return "\(directory)/\(target.scratch)/"
      + (cross?.plugin(of: product) ?? "release/lib\(product).so")
  }

  /// Compiles a plugin and links it with code for a newer processor, if given; `level` is the level of code that is linked
  /// later.
  func compiled(
    for target: BuildTarget, with newer: NewerCode.Object? = nil, holding level: String? = nil
  ) throws(Failure) -> Compiled {
    let library = try library(for: target)
    // The package manager does not notice a change of the object, which is an argument of the linker.
    if let newer, newer.isYounger(than: library) { unlink(library) }
    let level = newer?.level ?? level
    let kit = try compiledKit(for: target, holding: level)
    try Self.swift(
      words(for: target, holding: level) + place(for: target) + (kit?.words ?? [])
        + (newer?.words ?? []), for: product, Self.variables(of: kit))
    return (library, library.parentPath + "/\(product).product/Objects.LinkFileList", kit)
  }

  /// The kit to compile and link with. Nil where the package's own build compiles it: for the kit's own plugins, if
  /// another kit or other headers are asked for, and where the kit's directory may not be written.
  private func compiledKit(
    for target: BuildTarget, holding level: String?
  ) throws(Failure) -> CompiledKit? {
    guard usesThisKit, csoundInclude == nil, access(Project.kit + "/.build", W_OK) == 0
    else { return nil }
    return try CompiledKit(for: target, holding: level)
  }

  private static func variables(of kit: CompiledKit?) -> [String: String] {
    kit == nil ? [:] : [CompiledKit.variable: "1"]
  }

  /// The arguments of Swift's package manager that say what is built, and where.
  private func place(for target: BuildTarget) -> [String] {
    [
      "--package-path", directory, "--scratch-path", "\(directory)/\(target.scratch)", "--product",
      product,
    ]
  }

  /// The other arguments of Swift's package manager, for a plugin that also has code for the processor level `level`.
  func words(for target: BuildTarget, holding level: String?) throws(Failure) -> [String] {
    let scratch = "\(directory)/\(target.scratch)"
    let headers = try CsoundHeaders(of: target.csound, given: csoundInclude, kit: Project.kit)
    try headers.check(with: Project.kit + "/Sources/Kit/CCsound")
    var flags = try Self.flags(plugin: target.plugin(of: product))
    // plugin.flags says why.
    if target.system == .web {
      flags.replace(["-Xswiftc", "-Xfrontend", "-Xswiftc", "-no-allocations"], with: [])
    }
    let words =
      try ["build", "-c", "release"] + flags + MacroProgram.words()
      + headers.compilerWords(for: target.system) + (level.map(NewerCode.words) ?? [])
    if let foreign = try ForeignCompiler(for: target, kit: Project.kit) {
      return try words + foreign.words(in: scratch)
    }
    let cross = try CrossCompiler(for: target)
    return try words + (cross?.words(in: scratch) ?? ["-Xcc", "-march=\(target.compiledLevel)"])
  }

  /// The arguments that are the same for plugins of all products and targets.
  private static func flags(plugin: String) throws(Failure) -> [String] {
    let path = Project.kit + "/Sources/Kit/CCsound/plugin.flags"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw .missingInput("'\(path)' cannot be read; it is a part of OpcodeKit.")
    }
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
      String($0).replacing("{kit}", with: Project.kit).replacing("{plugin}", with: plugin)
    }
  }

  /// Replaces `target` in one step, so that Csound never loads half a file.
  package func install(_ source: String, as target: String) throws(Failure) {
    let files = FileManager.default
    let directory = target.parentPath
    let fresh = "\(target).\(getpid()).new"
    defer { unlink(fresh) }
    try writing(target) {
      try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
      try files.copyItem(atPath: source, toPath: fresh)
    }
    guard rename(fresh, target) == 0 else {
      throw .unwritableOutput("'\(target)' cannot be written: \(String(cString: strerror(errno))).")
    }
  }
}
