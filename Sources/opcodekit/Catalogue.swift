import OpcodeKit
import Opcodes

/// Collects overloads instead of registering them.
struct Catalogue: OpcodeRegistry {
  var overloads: [Overload] = []

  mutating func add(_ overload: Overload) { overloads.append(overload) }

  static var all: [Overload] {
    var catalogue = Catalogue()
    Library.registerOpcodes(in: &catalogue)
    return catalogue.overloads
  }
}

/// Collects the names of GEN routines.
struct GeneratorNames: GeneratorRegistry {
  private(set) var names: [String] = []

  mutating func add(_ name: StaticString, fill: @escaping GeneratorEntryPoint) {
    names.append("\"\(name)\"")
  }

  static var all: [String] {
    var names = GeneratorNames()
    Library.registerGenerators(in: &names)
    return names.names
  }
}
