import PluginBuilding
import TestSupport
import Testing

@Suite("Overloads written by hand")
struct HandwrittenTests {
  @Test("Nothing is wrong with those of the tests' own opcodes")
  func found() throws {
    let overloads = try HandwrittenOverload.all(in: root + "/Tests/TestOpcodes")
    #expect(overloads.count > 5)
    for overload in overloads {
      #expect(
        overload.problems.isEmpty,
        "\(overload.path):\(overload.line) \(overload.name) \(overload.problems)")
    }
  }
}
