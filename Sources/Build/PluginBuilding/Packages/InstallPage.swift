import CommandKit
import HarnessBase
import Rendering

/// INSTALL.md of a package: how its receiver installs the plugins, and which opcodes they have.
struct InstallPage {
  let contents: Contents
  let release: Release
  /// The Debian packages in the folder.
  var debianPackages: [DebianPackage] = []
  /// The only system whose plugins the folder has; nil if it has all.
  var system: OperatingSystem?

  var text: String {
    let product = contents.build.product
    let opcodes = contents.opcodes.map { name in
      let page = contents.pages.first { $0.name == name }
      return page.map { "- [\(name)](doc/\(name).md): \($0.summary.markdownProse)." } ?? "- \(name)"
    }
    return """
      # Installing \(product) \(release.version)

      \(contents.opcodes.count.counted("opcode")) for Csound on \(systems); nothing else is needed but Csound.

      \((listening + commands + places + trial).joined(separator: "\n"))

      `sha256sum -c SHA256SUMS` checks the files.\(glibc)

      ## Opcodes

      \(opcodes.joined(separator: "\n"))

      """
  }

  private var commands: [String] {
    let commands = debianPackages.map { "`apt install ./\($0.file)` on \($0.processor.rawValue)" }
    return commands.isEmpty
      ? [] : ["- With Debian's Csound, as root: \(commands.joined(separator: ", "))."]
  }

  private var listening: [String] {
    guard contents.systems.contains(.web), system == nil || system == .web else { return [] }
    return ["- To hear the opcodes without Csound: open `\(Contents.page)` in a browser."]
  }

  /// How to try the plugin without installing it.
  private var trial: [String] {
    // On another system, people have the newest Csound.
    let others = targets.filter { $0.csound == contents.csounds.last }
    switch system {
    case nil, .linux:
      return targets.prefix(1).map { target in
        "- For one piece only: `csound --opcode-lib=./\(file(of: target)) \(example) -odac`."
      }
    case .windows, .macos:
      let folder = system == .windows ? #".\"# : "./"
      return others.prefix(1).map { target in
        "- For one piece only, with Csound \(target.csound.release):"
          + " `csound --opcode-lib=\(folder)\(file(of: target)) \(example) -odac`."
      }
    case .web: return []
    }
  }

  private var glibc: String {
    system == nil || system == .linux
      ? " Those for Linux run with glibc \(contents.glibc) or newer." : ""
  }

  /// The targets of the plugins in the folder, those of single processor levels left out.
  private var targets: [BuildTarget] {
    contents.targets.filter { $0.isForEvery && (system == nil || $0.system == system) }
  }

  private func file(of target: BuildTarget) -> String {
    target.plugin(givenAwayOf: contents.build.product)
  }

  private var example: String {
    contents.examples.first.map { $0.contains(" ") ? "'examples/\($0)'" : "examples/\($0)" }
      ?? "piece.csd"
  }

  /// Where each plugin goes.
  private var places: [String] {
    targets.map { target in
      if target.system == .web {
        return
          "- With Csound \(target.csound.release) in a web page: copy"
          + " `\(file(of: target))` into Csound's file system, and name it with"
          + " `--opcode-lib`."
      }
      return "- With Csound \(target.csound.release) on \(platform(of: target)): put"
        + " `\(file(of: target))` into"
        + " `\(folder(for: target))`."
        + (target.system == .macos
          ? " A file from a browser also needs `xattr -d com.apple.quarantine FILE`." : "")
    }
  }

  private func platform(of target: BuildTarget) -> String {
    switch target.system {
    case .linux: target.processor.rawValue
    case .windows: "64-bit Windows"
    case .macos: "macOS 11 or newer"
    case .web: "the web"
    }
  }

  /// The folder where a user's Csound looks for plugins.
  private func folder(for target: BuildTarget) -> String {
    let version = "\(target.csound.rawValue).0"
    return switch target.system {
    case .linux: "~/.local/lib/csound/\(version)/plugins64"
    case .windows: "%LOCALAPPDATA%\\csound\\\(version)\\plugins64"
    case .macos: "~/Library/csound/\(version)/plugins64"
    case .web: "Csound's file system"
    }
  }

  private var systems: String {
    if let system { return system.title }
    let names = [OperatingSystem.linux.title] + contents.systems.map(\.title)
    return names.count < 3
      ? names.joined(separator: " and ")
      : names.dropLast().joined(separator: ", ") + " and " + names.last!
  }
}
