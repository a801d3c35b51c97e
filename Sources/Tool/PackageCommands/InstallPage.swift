import CommandKit
import HarnessBase
import ReportCommands
import Targets

/// INSTALL.md of a package: how its receiver installs the plugins, and which opcodes they have.
struct InstallPage {
  let contents: Contents
  let release: Release
  /// The Debian packages in the folder.
  let debianPackages: [DebianPackage]

  var text: String {
    let product = contents.build.product
    let opcodes = contents.opcodes.map { name in
      let page = contents.pages.first { $0.name == name }
      return page.map { "- [\(name)](doc/\(name).md): \($0.summary.markdownProse)." } ?? "- \(name)"
    }
    return """
      # Installing \(product) \(release.version)

      \(contents.opcodes.count.counted("opcode")) for Csound on Linux; nothing else is needed but Csound.

      - With Debian's Csound, as root: \(commands).
      \(places.joined(separator: "\n"))
      - For one piece only: `csound --opcode-lib=./lib\(product).so \(example) -odac`.

      `sha256sum -c SHA256SUMS` checks the files. They run with glibc \(contents.glibc) or newer.

      ## Opcodes

      \(opcodes.joined(separator: "\n"))

      """
  }

  private var commands: String {
    debianPackages.map { "`apt install ./\($0.file)` on \($0.processor.rawValue)" }
      .joined(separator: ", ")
  }

  private var example: String { contents.examples.first.map { "examples/\($0)" } ?? "piece.csd" }

  /// Where each plugin goes, those of single processor levels left out.
  private var places: [String] {
    contents.targets.filter(\.isForEvery).map { target in
      "- With Csound \(target.csound.release) on \(target.processor.rawValue): put"
        + " `\(target.plugin(givenAwayOf: contents.build.product))` into"
        + " `~/.local/lib/csound/\(target.csound.rawValue).0/plugins64`."
    }
  }
}
