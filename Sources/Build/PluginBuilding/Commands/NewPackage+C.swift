extension NewPackage {
  /// The module for the C code of a package, and its first function.
  static func product(ofPackage name: String) -> (function: String, module: String) {
    ("c\(name.lowercased())_product", "C\(name)")
  }

  /// The module of C code, if the opcode calls any.
  var codeInC: [(path: String, text: String)] {
    guard let (function, module) = opcode.product else { return [] }
    let guardName = module.uppercased() + "_H"
    return [
      (
        "Sources/\(module)/include/\(module).h",
        """
        #ifndef \(guardName)
        #define \(guardName)

        // A promise to Swift's compiler, which cannot look into C: the function neither locks nor allocates.
        #define REALTIME \\
          __attribute__((swift_attr("@_noLocks"))) __attribute__((swift_attr("@_noAllocation")))

        // The sample times the factor.
        double \(function)(double sample, double factor) REALTIME;

        #endif

        """
      ),
      (
        "Sources/\(module)/\(name.lowercased()).c",
        """
        #include "\(module).h"

        double \(function)(double sample, double factor) { return sample * factor; }

        """
      ),
    ]
  }

  /// The module of C code among the dependencies of the opcodes' target.
  var ownDependency: String { opcode.product.map { "\"\($0.module)\", " } ?? "" }
}
