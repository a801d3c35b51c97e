// swift-tools-version: 6.3
import PackageDescription

let standalone = Context.environment["OPCODEKIT_STANDALONE"] == "1"

let package = Package(
  name: "Authors",
  products: [.library(name: "Authors", type: .dynamic, targets: ["Authors"])],
  dependencies: [.package(name: "OpcodeKit", path: "../..")],
  targets: [
    .target(
      name: "Authors", dependencies: [.product(name: "OpcodeKit", package: "OpcodeKit")],
      swiftSettings: [
        // A recurrence is quicker without vectors packed from its scalars.
        .unsafeFlags(["-Xllvm", "-vectorize-slp=false"]),
        // The compiler's proof needs the optimizer, in debug builds too.
        .unsafeFlags(
          ["-O", "-whole-module-optimization", "-num-threads", "2"], .when(configuration: .debug)),
      ]
        + (standalone
          ? [
            .enableExperimentalFeature("Embedded"),
            .unsafeFlags(["-Xfrontend", "-no-allocations"]),
          ] : []),
      linkerSettings: [.linkedLibrary("m")])
  ])
