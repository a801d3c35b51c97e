import Foundation
import HarnessBase
import Rendering

/// A Debian package that puts the plugin where every Csound of the system finds it.
struct DebianPackage {
  let contents: Contents
  let release: Release
  let processor: Processor

  /// The directory in which Debian's Csound looks for plugins.
  private var plugins: String {
    "usr/lib/\(processor.gnuName)-linux-gnu/csound/plugins64-6.0"
  }

  var name: String {
    let letters = contents.build.product.lowercased().map { letter in
      letter.isASCII && (letter.isLetter || letter.isNumber) ? letter : "-"
    }
    return "csound-" + String(letters)
  }

  var file: String { "\(name)_\(release.version)_\(processor.debianName).deb" }

  /// Makes the package from the files of a folder, and writes it into that folder.
  func write(in folder: PackageFolder) throws(Failure) {
    let scratch = try ScratchDirectory("debian")
    defer { scratch.remove() }
    let tree = try PackageFolder(scratch.path + "/tree")
    let product = contents.build.product
    let plugin = BuildTarget(.six, processor).plugin(givenAwayOf: product)
    try tree.copy(folder.part + "/" + plugin, to: "\(plugins)/lib\(product).so")
    let docs = "usr/share/doc/\(name)"
    for page in contents.pages {
      try tree.copy("\(folder.part)/doc/\(page.name).md", to: "\(docs)/\(page.name).md")
    }
    for example in contents.examples {
      try tree.copy("\(folder.part)/examples/\(example)", to: "\(docs)/examples/\(example)")
    }
    if let readme = contents.readme {
      try tree.copy("\(folder.part)/\(readme)", to: "\(docs)/\(readme)")
    }
    try writeCopyright(to: tree, "\(docs)/copyright", folder)
    try Self.pack(tree, name, release, to: "\(folder.part)/\(file)", control: control)
  }

  /// Makes the package `name` of the files in `tree`, to which it adds the changelog. `control` is told how many kilobytes
  /// they are.
  static func pack(
    _ tree: PackageFolder, _ name: String, _ release: Release, to file: String,
    control: (Int) -> String
  ) throws(Failure) {
    let changelog = "usr/share/doc/\(name)/changelog"
    try tree.write(Self.changelog(name, release), to: changelog)
    try run("gzip", ["-9n", "\(tree.part)/\(changelog)"], release)
    // Before the folder DEBIAN is made, which must not be in the sums.
    let sums = try PackageFolder.sums(of: tree.part, by: "md5sum")
    let size = kilobytes(of: tree.part)
    try tree.write(control(size), to: "DEBIAN/control")
    try tree.write(sums, to: "DEBIAN/md5sums")
    allowReading(tree.part)
    // zlib, because its output does not depend on the number of processors.
    try run(
      "dpkg-deb", ["--root-owner-group", "-Zgzip", "--build", tree.part, file], release)
  }

  private func writeCopyright(
    to tree: PackageFolder, _ path: String, _ folder: PackageFolder
  ) throws(Failure) {
    var text =
      "Copyright: \(release.year) \(release.author), the opcodes of \(contents.build.product).\n"
    if let page = release.page { text += "From \(page).\n" }
    text += "\n"
    if let license = contents.license {
      let path = folder.part + "/" + license
      guard let words = try? String(contentsOfFile: path, encoding: .utf8) else {
        throw .badInput("'\(license)' is not text in UTF-8.")
      }
      text += words
    } else {
      text += "Their author has given no license.\n"
    }
    try tree.write(text, to: path)
  }

  private static func changelog(_ name: String, _ release: Release) -> String {
    """
    \(name) (\(release.version)) unstable; urgency=medium

      * Made of \(release.commit.map { "commit \($0)" } ?? "sources without a commit").

     -- \(release.maintainer)  \(release.date)

    """
  }

  private func control(kilobytes: Int) -> String {
    let lines = contents.descriptions.map { Self.item($0) }.joined()
    return """
      Package: \(name)
      Version: \(release.version)
      Section: sound
      Priority: optional
      Architecture: \(processor.debianName)
      Maintainer: \(release.maintainer)
      Installed-Size: \(kilobytes)
      Depends: libc6 (>= \(contents.glibc)), libcsound64-6.0 (>= 1:6.18)
      \(release.page.map { "Homepage: \($0)\n" } ?? "")Description: \(contents.synopsis)
       A plugin that any Csound 6.18 loads by itself, with these opcodes:
       .
      \(lines)
      """
  }

  /// An item of the description, wrapped at 80 characters.
  private static func item(_ text: String) -> String {
    var (lines, line) = ("", "  *")
    for word in text.split(whereSeparator: \.isWhitespace) {
      if line.count + 1 + word.count > 80 {
        lines += line + "\n"
        line = "   "
      }
      line += " " + word
    }
    return lines + line + "\n"
  }

  /// The size as dpkg counts it: each file is rounded up to whole kilobytes.
  private static func kilobytes(of folder: String) -> Int {
    PackageFolder.contents(of: folder).reduce(0) { sum, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: folder + "/" + name)
      return sum + ((attributes?[.size] as? Int ?? 0) + 1023) / 1024
    }
  }

  /// Makes directories readable for all users, whatever this user's umask is.
  private static func allowReading(_ folder: String) {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    for path in [folder] + names.map({ folder + "/" + $0 }) where isDirectory(path) {
      chmod(path, 0o755)
    }
  }

  private static func run(
    _ program: String, _ words: [String], _ release: Release
  ) throws(Failure) {
    var environment = ProcessInfo.processInfo.environment
    environment["SOURCE_DATE_EPOCH"] = "\(release.epoch)"
    let finished = try ChildProcess.run(
      "/usr/bin/env", [program] + words, environment: environment)
    try finished.require(.badInput, "'\(program)' failed: ")
  }
}
