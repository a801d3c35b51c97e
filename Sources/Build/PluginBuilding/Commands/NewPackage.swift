import CommandKit
import Foundation
import HarnessBase

/// The files of a new package of opcodes.
package struct NewPackage {
  let name: String
  package let opcode: NewOpcode
  let kit: Kit
  var license: NewLicense?

  /// Where the kit is: a path relative to the package, or else a URL with the oldest version to take, or with the branch
  /// `main`.
  package enum Kit {
    case path(String)
    case url(String, from: TaggedVersion?)
  }

  /// A version of the kit and the tag that has it: `1.2.3` or `v1.2.3`.
  package struct TaggedVersion {
    let tag: String
    let number: String

    /// Nil if the tag is not three numbers, after a `v` or not, as Swift's package manager wants them.
    init?(_ tag: String) {
      guard let match = tag.wholeMatch(of: /v?(\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?)/)
      else { return nil }
      (self.tag, number) = (tag, String(match.output.1))
    }
  }

  package init(name: String, opcode: NewOpcode, kit: Kit, license: NewLicense? = nil) {
    (self.name, self.opcode, self.kit, self.license) = (name, opcode, kit, license)
  }

  /// Path and text of each file.
  package var files: [(path: String, text: String)] {
    [
      ("Package.swift", manifest), (".gitignore", ".build/\nbuild/\n"), ("README.md", readme),
      ("Sources/\(name)/Library.swift", library), (".github/workflows/test.yml", workflow),
    ] + editorFiles + codeInC + (license.map { [("LICENSE", $0.text)] } ?? [])
      + opcode.files(in: "Sources/\(name)") + [opcode.testFile(ofModule: name)]
  }

  private var dependency: (package: String, name: String) {
    switch kit {
    case .path(let path): (".package(name: \"OpcodeKit\", path: \"\(path)\")", "OpcodeKit")
    case .url(let url, let version):
      (
        ".package(url: \"\(url)\", "
          + (version.map { "from: \"\($0.number)\")" } ?? "branch: \"main\")"),
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
    \(opcode.product.map { "    .target(name: \"\($0.module)\"),\n" } ?? "")    .target(
          name: "\(name)", dependencies: [\(ownDependency).product(name: "OpcodeKit", package: "\(dependency.name)")],
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
          linkerSettings: [.linkedLibrary("m")]),
        .testTarget(
          name: "\(name)Tests",
          dependencies: ["\(name)", .product(name: "OpcodeKit", package: "\(dependency.name)")]),
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

    Opcodes for Csound, as a plugin for Linux. In the folder with the plugin, INSTALL.md says how to install it and lists
    the opcodes, and `doc` has a page for each.

    ## Working on the opcodes

    They are written in Swift with OpcodeKit, whose command `opcodekit` works in the folder with the sources:

    ```sh
    opcodekit test
    swift test
    opcodekit render csd/\(opcode.name).csd -o \(opcode.name).wav
    ```

    The first builds the plugin, checks it and runs the golden renders there are; the second runs the unit tests, which
    call the opcodes without Csound; the third plays \(opcode.name) into a sound file. `opcodekit build` makes `build/lib\(name.lowercased()).so`, which any Csound 6.18 loads:

    ```sh
    csound --opcode-lib=./build/lib\(name.lowercased()).so csd/\(opcode.name).csd -odac
    ```

    `opcodekit man` prints the manual pages, `opcodekit add NAME --out a --in ak` makes the next opcode,
    `opcodekit package` a folder to give away, and `opcodekit --help` lists the rest.

    """
  }

  private var workflow: String {
    let (comment, source, place) =
      switch kit {
      case .path(let path):
        (
          """
          # Package.swift names OpcodeKit by a path, which a machine of GitHub's does not have: a clone goes there.
          # Replace OWNER by whose repository it is.

          """, "https://github.com/OWNER/OpcodeKit.git", path
        )
      case .url(let url, let version):
        ("", (version.map { "--branch \($0.tag) " } ?? "") + url, "/opt/OpcodeKit")
      }
    return """
      \(comment)name: test
      on: [push, pull_request]
      jobs:
        test:
          runs-on: ubuntu-latest
          container: swift:6.3-bookworm
          steps:
            - uses: actions/checkout@v4
            - run: git clone --depth 1 \(source) \(place)
            - run: \(place)/opcodekit --package . test
            - run: swift test

      """
  }
}

extension NewOpcode {
  /// Its syntax, and what its author is to write about it in the file in this folder.
  func toDescribe(in folder: String) -> String {
    let file = (folder.isEmpty ? "" : folder + "/") + structName + ".swift"
    return
      "\(syntax)\nIts manual page is the comment in \(file): say what it does, and change the category"
      + " '\(category)' if it is another."
  }

  /// Path and text of each of the opcode's files in a package that keeps its opcodes in this
  /// folder.
  package func files(in folder: String) -> [(path: String, text: String)] {
    let place = folder.isEmpty ? "" : folder + "/"
    return [("\(place)\(structName).swift", source), ("csd/\(name).csd", orchestra)]
      + (pairing.map { [("Benchmarks/\(name).json", $0)] } ?? [])
  }

  /// What a package's `arguments.json` becomes with the table that the opcode reads; none if it reads none, or is there.
  func argumentFile(in directory: String) throws(Failure) -> [(path: String, text: String)] {
    guard readsTable else { return [] }
    let data = FileManager.default.contents(atPath: directory + "/arguments.json")
    let existing = data.map { String(decoding: $0, as: UTF8.self) }
    let isThere = FileManager.default.fileExists(atPath: directory + "/arguments.json")
    let object = data.flatMap { try? JSONSerialization.jsonObject(with: $0) } as? [String: Any]
    guard object != nil || !isThere else {
      throw .badInput("'arguments.json' is no object in JSON; mend it. Nothing was changed.")
    }
    guard object?[name] == nil else { return [] }
    return [("arguments.json", arguments(after: existing))]
  }

  /// Path and text of the opcode's unit test.
  package func testFile(ofModule module: String) -> (path: String, text: String) {
    ("Tests/\(module)Tests/\(structName)Tests.swift", test(ofModule: module))
  }
}
