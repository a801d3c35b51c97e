import CommandKit
import Foundation

/// The files of a new package of opcodes.
struct NewPackage {
  let name: String
  let opcode: NewOpcode
  /// Where the kit is: a URL, or else a path relative to the package.
  let kit: Kit

  enum Kit {
    case path(String)
    case url(String)
  }

  /// Path and text of each file.
  var files: [(path: String, text: String)] {
    var files = [
      ("Package.swift", manifest), (".gitignore", ".build/\nbuild/\n"), ("README.md", readme),
      ("Sources/\(name)/Library.swift", library),
    ]
    if case .url(let url) = kit { files.append((".github/workflows/test.yml", workflow(url))) }
    return files + opcode.files(in: "Sources/\(name)")
  }

  private var dependency: (package: String, name: String) {
    switch kit {
    case .path(let path): (".package(name: \"OpcodeKit\", path: \"\(path)\")", "OpcodeKit")
    case .url(let url):
      (
        ".package(url: \"\(url)\", branch: \"main\")",
        ((url as NSString).lastPathComponent as NSString).deletingPathExtension
      )
    }
  }

  private var manifest: String {
    """
    // swift-tools-version: 6.3
    import PackageDescription

    let standalone = Context.environment["OPCODEKIT_STANDALONE"] == "1"

    let package = Package(
      name: "\(name)",
      products: [.library(name: "\(name.lowercased())", type: .dynamic, targets: ["\(name)"])],
      dependencies: [\(dependency.package)],
      targets: [
        .target(
          name: "\(name)", dependencies: [.product(name: "OpcodeKit", package: "\(dependency.name)")],
          swiftSettings: [
            // A recurrence is quicker without vectors packed from its scalars.
            .unsafeFlags(["-Xllvm", "-vectorize-slp=false"]),
            // The compiler's proof needs the optimizer, in debug builds too.
            .unsafeFlags(
              ["-O", "-whole-module-optimization", "-num-threads", "2"], .when(configuration: .debug)),
          ]
            + (standalone
              ? [
                .enableExperimentalFeature("Embedded"), .unsafeFlags(["-Xfrontend", "-no-allocations"]),
              ] : []),
          linkerSettings: [.linkedLibrary("m")])
      ])

    """
  }

  private var library: String {
    """
    import OpcodeKit

    @Plugin
    enum Library: OpcodeLibrary {
      static func registerOpcodes(in registry: inout some OpcodeRegistry) {
        register\(opcode.structName)(in: &registry)
      }
    }

    """
  }

  private var readme: String {
    """
    # \(name)

    Opcodes for Csound, written in Swift with OpcodeKit.

    ```sh
    opcodekit test
    opcodekit render csd/\(opcode.name).csd -o \(opcode.name).wav
    ```

    The first builds the plugin, checks it and runs the golden renders there are; the second plays \(opcode.name) into a
    sound file. `opcodekit build` makes `build/lib\(name.lowercased()).so`, which any Csound 6.18 loads:

    ```sh
    csound --opcode-lib=./build/lib\(name.lowercased()).so csd/\(opcode.name).csd -odac
    ```

    `opcodekit man` prints the manual pages, `opcodekit add NAME --out a --in ak` makes the next opcode,
    `opcodekit package` a folder to give away, and `opcodekit --help` lists the rest.

    """
  }

  private func workflow(_ url: String) -> String {
    """
    name: test
    on: [push, pull_request]
    jobs:
      test:
        runs-on: ubuntu-latest
        container: swift:6.3-bookworm
        steps:
          - uses: actions/checkout@v4
          - run: git clone --depth 1 \(url) /opt/OpcodeKit
          - run: /opt/OpcodeKit/opcodekit --package . test

    """
  }
}

extension NewOpcode {
  /// Path and text of each of the opcode's files in a package that keeps its opcodes in this
  /// folder.
  func files(in folder: String) -> [(path: String, text: String)] {
    let place = folder.isEmpty ? "" : folder + "/"
    return [("\(place)\(structName).swift", source), ("csd/\(name).csd", orchestra)]
      + (pairing.map { [("Benchmarks/\(name).json", $0)] } ?? [])
  }
}
