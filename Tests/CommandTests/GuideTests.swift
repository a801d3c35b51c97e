import DevCommands
import Foundation
import Testing

extension OutsidePackageTests {
  @Test("The guide, followed to the letter: files compile, commands work, sounds are heard")
  func guide() throws {
    let package = try AuthorPackage.empty()
    #expect(try package.follow(Page.firstOpcode) == 2)
  }

  @Test("Every kind of argument, as its article has it")
  func arguments() throws {
    #expect(try AuthorPackage.empty().follow(Page.arguments) == 1)
  }

  @Test("Opcodes of the toolbox's parts, as its page has them")
  func toolbox() throws {
    #expect(try AuthorPackage.empty().follow(Page.named("Toolbox")) == 1)
  }

  @Test("An opcode whose samples are computed in C, as its article has it")
  func callingC() throws {
    let package = try AuthorPackage.empty()
    let manifest = try String(
      contentsOfFile: package.directory + "/Package.swift", encoding: .utf8)
    let kit = #".product(name: "OpcodeKit", package: "OpcodeKit")"#
    let changed = manifest.replacing(
      "targets: [\n", with: "targets: [\n    .target(name: \"CShape\"),\n"
    )
    .replacing(kit, with: "\"CShape\", " + kit)
    #expect(changed.contains("\"CShape\", .product"))
    try package.write(changed, to: "Package.swift")
    #expect(try package.follow(Page.named("CallingC")) == 1)
  }

  @Test("README's opcode is a whole library")
  func readme() throws {
    let package = try AuthorPackage.empty()
    let block = try #require(Page.readme.blocks.first { $0.language == "swift" })
    try package.write(block.text, to: #require(block.file))
    let ending = try package.build(standalone: true)
    try #require(ending.exitCode == 0, "\(ending.output)\(ending.errors)")
    try package.write(Page.firstOpcode.file("gain.csd"), to: "gain.csd")
    let played = try run(
      "/usr/bin/csound",
      ["--opcode-lib=\(package.plugin(standalone: true))", "gain.csd", "-o", "gain.wav"],
      directory: package.directory)
    #expect(played.exitCode == 0, "\(played.errors)")
    try package.hear("gain.wav")
  }
}

@Suite("When the compiler refuses")
struct RefusalTests {
  private func compile(_ sources: [String: String]) throws -> String {
    try compilerErrors(of: sources, "-O", "-wmo", "-emit-sil", "-o", "/dev/null")
  }

  /// The article's struct with another name and one line replaced.
  private func refused(_ number: Int, _ old: String, _ new: String) -> String {
    Page.refusals.file("Sources/Echoes/Refused.swift")
      .replacingOccurrences(of: old, with: new)
      .replacingOccurrences(of: "Refused", with: "Refused\(number)")
  }

  private func code(_ cell: String) -> String { String(cell.dropFirst().dropLast()) }

  @Test("Each line of the table in a performance pass has the message beside it")
  func performance() throws {
    let rows = Page.refusals.rows(below: "In a performance pass")
    #expect(rows.count > 5)
    var sources = ["shapes.swift": Page.refusals.file("Sources/Echoes/Shapes.swift")]
    for (number, row) in rows.enumerated() {
      sources["row\(number).swift"] = refused(number, "// here", code(row[0]))
    }
    let errors = try compile(sources)
    for (number, row) in rows.enumerated() {
      // Errors in code outside the struct are reported in that code's file.
      let isElsewhere = row[0].contains(/curve|gamma/)
      let place = isElsewhere ? "shapes.swift:" : "row\(number).swift:"
      #expect(
        errors.split(separator: "\n").contains { $0.hasPrefix(place) && $0.contains(row[1]) },
        "\(row[0])\n\(errors)")
    }
  }

  @Test("Each line of the table in the struct has the message beside it")
  func state() throws {
    let rows = Page.refusals.rows(below: "In the struct")
    #expect(!rows.isEmpty)
    var sources = ["shapes.swift": Page.refusals.file("Sources/Echoes/Shapes.swift")]
    for (number, row) in rows.enumerated() {
      sources["row\(number).swift"] = refused(
        number, "  init(", "  \(code(row[0]))\n\n  init(")
    }
    let errors = try compile(sources)
    for (number, row) in rows.enumerated() {
      let message = row[1].replacingOccurrences(of: "'Refused'", with: "'Refused\(number)'")
      #expect(errors.contains(message), "\(row[0])\n\(errors)")
    }
  }

  @Test("The article's own file is refused by nothing")
  func untouched() throws {
    let file = Page.refusals.file("Sources/Echoes/Refused.swift")
    let errors = try compile(["refused.swift": file])
    #expect(!errors.contains("error:"), "\(errors)")
  }
}
