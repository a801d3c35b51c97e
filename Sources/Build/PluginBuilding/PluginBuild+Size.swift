import CommandKit
import Foundation
import HarnessBase
import Rendering

extension PluginBuild {
  /// The plugin's size and what it needs, in one line.
  package func summary(for target: BuildTarget) throws(Failure) -> String {
    guard target.system == .linux else { return try foreignSummary(for: target) }
    return
      "\(self.file(for: target)): for Csound \(target.csound.release), \(size(for: target)) bytes,"
      + " glibc \(try neededGlibc(for: target)) or newer,"
      + " depends on \(try needs(for: target).joined(separator: ", "))"
  }

  /// The size of a target's plugin, bytes.
  package func size(for target: BuildTarget) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: path(for: target))[.size]) as? Int ?? 0
  }

  /// What a target's plugin is linked with.
  package func needs(for target: BuildTarget) throws(Failure) -> [String] {
    if target.system == .web { return ["Csound only"] }
    let all = try LibraryFile(path(for: target)).needs
    guard target.system == .windows else { return all }
    // The parts of the universal C runtime.
    let others = all.filter { !$0.hasPrefix("api-ms-win-crt-") }.sorted()
    return others
      + (others.count < all.count ? ["the C library of Windows 10 or newer"] : [])
  }

  /// The oldest glibc that has all symbols of a target's plugin, such as `2.29`.
  package func neededGlibc(for target: BuildTarget) throws(Failure) -> String {
    try LibraryFile(path(for: target)).newest("GLIBC_") ?? "2.0"
  }

  /// The most bytes of code for each overload without a message. Most of the pack have some thousand, and none has this
  /// many.
  private static let largestCode = 100_000

  /// The package's opcodes for which the compiler has made far more code than usual, one sentence each. Such code is
  /// slow to build and does not fit into the processor's first-level cache.
  package func largeOpcodes(for target: BuildTarget) throws(Failure) -> [String] {
    guard let package = AuthorPackage.current else { return [] }
    let overloads = Dictionary(grouping: try OpcodeDeclaration.all(in: package.sources), by: \.type)
    return try codeSizes(of: Set(overloads.keys), for: target).sorted { $0.key < $1.key }
      .filter { $0.value > Self.largestCode * overloads[$0.key]!.count }
      .map { type, size in
        let names = overloads[type]!.map(\.overload).joined(separator: ", ")
        return
          "\(names): the code of '\(type)' has \(size / 1000) kB, and \(Self.largestCode / 1000) for each overload"
          + " are many; put what it does many times, such as reading a tap, into a function with"
          + " @inline(never). 'opcodekit build --costs' lists all opcodes."
      }
  }

  /// The bytes of machine code of each of these types, in the objects compiled for a target.
  package func codeSizes(
    of types: Set<String>, for target: BuildTarget
  ) throws(Failure) -> [String: Int] {
    guard let lister = programOfSwift("llvm-nm"), let demangler = programOfSwift("swift-demangle")
    else { return [:] }
    let objects = try library(for: target).parentPath + "/\(product).product/Objects.LinkFileList"
    let listed = try ChildProcess.run(lister, ["--format=posix", "--defined-only", "@" + objects])
    // A line has name, kind, address and size, the last two in hexadecimal digits.
    let functions = listed.output.split(separator: "\n").compactMap { line -> (String, Int)? in
      let words = line.split(separator: " ").map(String.init)
      guard words.count == 4, "tTwW".contains(words[1]), let size = Int(words[3], radix: 16) else {
        return nil
      }
      return (words[0], size)
    }
    guard !functions.isEmpty else { return [:] }
    let names = try ChildProcess.run(demangler, ["--compact", "--"] + functions.map(\.0)).output
      .split(separator: "\n", omittingEmptySubsequences: false)
    var sizes: [String: Int] = [:]
    for (name, function) in zip(names, functions) {
      let words = Set(
        name.split { !($0.isLetter || $0.isNumber) }.map(String.init))
      for type in types.intersection(words) { sizes[type, default: 0] += function.1 }
    }
    return sizes
  }
}
