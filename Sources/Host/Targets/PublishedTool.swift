import Foundation
import HarnessBase

/// A program of the tool for the Csound 7 from PyPI: the same sources, compiled with the headers of that
/// release and linked with its library.
package struct PublishedTool: Sendable {
  /// The program's path.
  package let program: String
  /// Environment variables it needs.
  package let environment: [String: String]

  /// Fetches Csound 7 if it is missing, and builds the program if it is missing or older than the
  /// sources. The configuration (debug or release) is that of the program at `executable`. `product` is the program's
  /// name. `announce` is called before a build.
  package init(
    _ product: String, kit: String, executable: String, announce: () -> Void
  ) throws(Failure) {
    guard Processor.own == .x86_64 else {
      throw Failure(
        .unavailable,
        "PyPI has Csound 7 for x86-64 only, so that no tool can be built for it on \(Processor.own.rawValue)."
      )
    }
    let published = PublishedCsound(kit: kit)
    let (host, headers) = (try published.library(), try published.headers())
    try Self.link(PublishedCsound.linkedName, to: PublishedCsound.libraryName, in: host)
    let configuration = executable.contains("/debug/") ? "debug" : "release"
    let scratch = kit + "/.build/csound7/tool"
    program = "\(scratch)/\(configuration)/\(product)"
    // Many of Csound 7's own opcodes are in plugins.
    let others = ProcessInfo.processInfo.environment["OPCODE7DIR64"].map { ":" + $0 } ?? ""
    environment = ["CSOUND7RC": "/dev/null", "OPCODE7DIR64": host + "/plugins" + others]
    guard !Self.isNewer(program, than: kit) else { return }
    announce()
    guard installedProgram("swift") != nil else {
      throw Failure(.unavailable, "Swift is missing, with which the tool for Csound 7 is built.")
    }
    Self.forget(scratch, olderThanHeadersOf: kit)
    var variables = ProcessInfo.processInfo.environment
    variables["OPCODEKIT_CSOUND7"] = host
    variables["OPCODEKIT_STANDALONE"] = nil
    let built = try ChildProcess.run(
      "/usr/bin/env",
      [
        "swift", "build", "--disable-index-store", "--package-path", kit, "-c", configuration,
        "--scratch-path", scratch, "--product", product, "-Xcc", "-I\(headers)",
      ], environment: variables)
    guard built.isGood else {
      let said = (built.output + built.errors).split(separator: "\n")
      throw Failure(
        .unavailable,
        "The tool for Csound 7 cannot be built:"
          + " \(said.first { $0.contains("error:") } ?? said.last ?? "Swift says nothing").")
    }
    // SwiftPM does not rewrite a program that a change does not affect.
    try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: program)
  }

  private static func link(_ name: String, to file: String, in directory: String) throws(Failure) {
    let path = directory + "/" + name
    guard symlink(file, path) != 0, errno != EEXIST else { return }
    throw Failure(
      .unwritableOutput, "'\(path)' cannot be made: \(String(cString: strerror(errno))).")
  }

  /// Removes what was built before a header of the kit changed, because SwiftPM would not compile it again. The date of
  /// the file `begun` is that of the first build.
  private static func forget(_ scratch: String, olderThanHeadersOf kit: String) {
    let begun = scratch + "/begun"
    if let date = date(begun), isEverything(in: kit + "/Sources/Kit/CCsound", before: date) {
      return
    }
    try? FileManager.default.removeItem(atPath: scratch)
    try? FileManager.default.createDirectory(
      atPath: scratch, withIntermediateDirectories: true)
    _ = FileManager.default.createFile(atPath: begun, contents: nil)
  }

  /// Whether a file is newer than the kit's manifest and all of its sources.
  private static func isNewer(_ path: String, than kit: String) -> Bool {
    guard let built = date(path) else { return false }
    return date(kit + "/Package.swift").map { $0 <= built } ?? true
      && isEverything(in: kit + "/Sources", before: built)
  }

  /// Whether nothing in a directory was changed after a time.
  private static func isEverything(in directory: String, before time: Date) -> Bool {
    let names =
      FileManager.default.enumerator(atPath: directory)?.compactMap { $0 as? String } ?? []
    return names.allSatisfy { date("\(directory)/\($0)").map { $0 <= time } ?? true }
  }

  private static func date(_ path: String) -> Date? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
  }
}
