import Foundation
import PluginBuilding
import Testing

@Suite("Overloads written by hand")
struct HandwrittenTests {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().path

  @Test("Of the tests' own opcodes those that are faulty on purpose are told, and no others")
  func found() throws {
    let overloads = try HandwrittenOverload.all(in: Self.root + "/TestOpcodes")
    #expect(overloads.count > 50)
    for overload in overloads {
      let isFaulty = overload.path.hasSuffix("/FaultyLadder.swift")
      let known = ["the compiler proves nothing of 'faulty_"].filter { _ in isFaulty }
      #expect(
        overload.problems.count == known.count
          && zip(overload.problems, known).allSatisfy { $0.hasPrefix($1) },
        "\(overload.path):\(overload.line) \(overload.name) \(overload.problems)")
    }
  }
}
