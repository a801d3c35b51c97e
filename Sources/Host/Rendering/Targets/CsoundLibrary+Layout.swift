import Foundation
import HarnessBase

extension CsoundLibrary {
  /// Why plugins of the kit, and the tool itself, cannot run in this Csound; nil if they can.
  ///
  /// The compiler lays out Csound's structs with the headers of this Csound and with those of the release that the kit
  /// is built for. Every member of the release must be where it was; there may be others behind it.
  package func unfitness(kit: String) throws(Failure) -> String? {
    guard !isKnownRelease else { return nil }
    guard let headers else {
      // A release has two numbers; in a third only faults are mended.
      let release = csound.release + "."
      return version.hasPrefix(release)
        ? nil : "its headers were not found, and only Csound \(release)x is known without them"
    }
    let known = try CsoundHeaders(of: csound, kit: kit).directory + "/csound"
    let expected = try Self.layout(known)
    let found = try Self.layout(headers, path.parentPath + "/include")
    guard !expected.isEmpty else {
      throw .unavailable("The compiler cannot lay out the structs of '\(known)/csdl.h'.")
    }
    let changed = expected.keys.sorted().filter { name in
      guard let there = found[name], let here = expected[name] else { return true }
      return !here.isSubset(of: there)
    }
    guard let first = changed.first else { return nil }
    let others = changed.count == 1 ? "" : " and \((changed.count - 1).counted("other struct"))"
    return
      "its \(first)\(others) \(changed.count == 1 ? "has" : "have") another layout than in Csound"
      + " \(csound.release)"
  }

  /// The members of each struct with their offsets, such as `200 int ksmps`. Empty if the headers do not compile.
  private static func layout(_ directories: String...) throws(Failure) -> [String: Set<String>] {
    let clang = try requiredProgramOfSwift("clang")
    let scratch = try ScratchDirectory("layout")
    defer { scratch.remove() }
    let source = scratch.path + "/structs.c"
    let lines =
      ["csdl.h", "csoundCore.h", "pstream.h"].map { "#include \"\($0)\"" }
      + Set(names.values).sorted().map { "unsigned long size_of_\($0) = sizeof(\($0));" }
    try writing(source) {
      try lines.joined(separator: "\n").write(toFile: source, atomically: true, encoding: .utf8)
    }
    let dumped = try ChildProcess.run(
      clang,
      ["-fsyntax-only", "-w", "-DUSE_DOUBLE", "-Xclang", "-fdump-record-layouts"]
        + directories.map { "-I" + $0 } + [source])
    guard dumped.isGood else { return [:] }
    var layouts: [String: Set<String>] = [:]
    for record in dumped.output.components(separatedBy: "*** Dumping AST Record Layout").dropFirst()
    {
      let lines = record.split(separator: "\n")
      guard let title = lines.first?.split(separator: "|").last,
        let name = names[title.trimmingCharacters(in: .whitespaces)]
      else { continue }
      layouts[name] = Set(
        lines.dropFirst().compactMap { line in
          let parts = line.split(separator: "|", maxSplits: 1)
          // Members of members are indented further.
          guard parts.count == 2, parts[1].hasPrefix("   "), !parts[1].hasPrefix("     "),
            let offset = Int(parts[0].trimmingCharacters(in: .whitespaces)),
            let member = parts[1].split(whereSeparator: \.isWhitespace).last,
            // Of the engine itself, only its table of functions is used from outside.
            name != "CSOUND" || parts[1].contains("(*)")
          else { return nil }
          return "\(offset) \(member)"
        })
    }
    return layouts
  }

  /// The structs that plugins and hosts share with Csound, by what the compiler calls them.
  private static let names = [
    "struct CSOUND_": "CSOUND", "struct insds": "INSDS", "struct opds": "OPDS",
    "struct oentry": "OENTRY", "struct arraydat": "ARRAYDAT", "ARRAYDAT": "ARRAYDAT",
    "struct stringdat": "STRINGDAT", "STRINGDAT": "STRINGDAT", "struct pvsdat": "PVSDAT",
    "FUNC": "FUNC", "struct auxch": "AUXCH", "struct event": "EVTBLK",
  ]
}
