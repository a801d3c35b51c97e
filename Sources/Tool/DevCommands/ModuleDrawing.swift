import CommandKit
import Foundation
import HarnessBase
import PluginBuilding

/// The modules of the manifest, drawn so that each uses only modules on lines below its own.
struct ModuleDrawing {
  private struct Manifest: Decodable {
    var targets: [Target]
  }

  private struct Target: Decodable {
    var name: String
    var path: String
    var type: String
    var uses: [String]?

    enum CodingKeys: String, CodingKey {
      case name, path, type
      case uses = "target_dependencies"
    }
  }

  private let targets: [Target]

  init() throws(Failure) {
    // A scratch directory of its own, because a build that runs meanwhile locks the usual one.
    let scratch = NSTemporaryDirectory() + "/opcodekit-manifest-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: scratch) }
    let text = try runToolchain(
      ["swift", "package", "--scratch-path", scratch, "describe", "--type", "json"])
    guard let manifest = try? JSONDecoder().decode(Manifest.self, from: Data(text.utf8)) else {
      throw Failure(.internalFault, "What 'swift package describe' printed cannot be read.")
    }
    // To other modules, the families of opcodes are parts of one module.
    let families = Set(manifest.targets.filter { $0.path.hasPrefix("Opcodes/") }.map(\.name))
    // The manifest has the package manager's plugin only where the script opcodekit has not called it.
    targets = manifest.targets
      .filter { !$0.path.hasPrefix("Tests/") && !families.contains($0.name) && $0.type != "plugin" }
      .map { target in
        var target = target
        target.uses?.removeAll(where: families.contains)
        return target
      }
      .sorted { $0.name.lowercased() < $1.name.lowercased() }
  }

  /// The length of the longest chain of modules below this one.
  private func height(_ name: String) -> Int {
    let uses = targets.first { $0.name == name }?.uses ?? []
    return uses.map { height($0) + 1 }.max() ?? 0
  }

  /// Names side by side, in lines that fit on a page.
  private static func lines(of names: [String]) -> [String] {
    names.reduce(into: []) { lines, name in
      if let last = lines.last, last.count + name.count < 60 {
        lines[lines.count - 1] += "   " + name
      } else {
        lines.append(name)
      }
    }
  }

  /// A drawing, and a table of what each module uses directly.
  var text: String {
    let heights = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, height($0.name)) })
    let lines = Set(heights.values).sorted(by: >).flatMap { height in
      Self.lines(of: targets.map(\.name).filter { heights[$0] == height })
    }
    let table = MarkdownTable(
      ["module", "uses"],
      targets.filter { $0.uses?.isEmpty == false }.map { target in
        ["`\(target.name)`", target.uses!.sorted().map { "`\($0)`" }.joined(separator: ", ")]
      })
    return "```\n" + lines.joined(separator: "\n") + "\n```\n\n" + table.text
  }
}
