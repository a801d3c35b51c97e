import CommandKit
import Foundation
import HarnessBase
import Rendering

extension Command {
  private static let folder = Option(
    name: "to", value: "FOLDER",
    help:
      "This folder, in place of the one of your own plugins; CS_USER_PLUGINDIR=FOLDER makes Csound look there."
  )

  static func install() -> Command {
    Command(
      name: "install", operands: "",
      summary:
        "Put the plugin where each of your Csounds finds it, and have Csound play it.",
      options: [.installedCsound, folder]
    ) { arguments throws(Failure) in
      try arguments.requireOperands(atMost: 0)
      let build = try PluginBuild.current()
      let places = try arguments.csounds().map {
        InstalledPlugin(of: build, for: $0, in: arguments[folder])
      }
      for place in places { try build.renew(for: place.target) }
      for place in places {
        try place.put()
        do throws(Failure) {
          let count = try place.play()
          place.forgetFormer()
          print(
            "\(place.path): \(count.counted("opcode")), found and played by csound"
              + " \(place.target.csound.rawValue)")
        } catch {
          place.restore()
          throw error
        }
      }
      return .success
    }
  }

  static func uninstall() -> Command {
    Command(
      name: "uninstall", operands: "", summary: "Remove the plugin that install has put there.",
      options: [.installedCsound, folder]
    ) { arguments throws(Failure) in
      try arguments.requireOperands(atMost: 0)
      let build = try PluginBuild.current()
      let places = try arguments.csounds().map {
        InstalledPlugin(of: build, for: $0, in: arguments[folder])
      }
      for place in places where !FileManager.default.fileExists(atPath: place.path) {
        throw .missingInput("'\(place.path)' is not there; nothing was changed.")
      }
      for place in places {
        guard place.remove() else { throw .unwritableOutput("'\(place.path)' cannot be removed.") }
        print("\(place.path): removed")
      }
      return .success
    }
  }
}

/// The plugin in the directory of the user's own plugins, which Csound scans in addition to its own directory. That is
/// the first directory of `CS_USER_PLUGINDIR`, which every Csound scans, so that the plugin for 7 has another name
/// there. If the variable is not set, it is `.local/lib/csound/6.0/plugins64` in the home directory, or the same with
/// 7.0.
private struct InstalledPlugin {
  let build: PluginBuild
  let target: BuildTarget
  let path: String
  /// The directory that the user has named.
  private let folder: String?

  init(of build: PluginBuild, for csound: CsoundVersion, in folder: String?) {
    let folder = folder.map { URL(fileURLWithPath: $0).standardizedFileURL.path }
    self.folder = folder
    let target = BuildTarget(csound, .own)
    (self.build, self.target) = (build, target)
    let environment = ProcessInfo.processInfo.environment
    let named =
      folder ?? environment["CS_USER_PLUGINDIR"]?.split(separator: ":").first.map(String.init)
    // The home directory as Csound determines it.
    let home = environment["HOME"] ?? NSHomeDirectory()
    path =
      named.map { "\($0)/\(target.plugin(of: build.product))" }
      ?? "\(home)/.local/lib/csound/\(csound.rawValue).0/plugins64/lib\(build.product).so"
  }

  /// What was there before `put`. Csound loads no file of that name.
  private var former: String { path + ".former" }

  func put() throws(Failure) {
    _ = try program()
    unlink(former)
    // Some file systems have no links.
    if link(path, former) != 0, FileManager.default.fileExists(atPath: path) {
      try writing(former) { try FileManager.default.copyItem(atPath: path, toPath: former) }
    }
    do throws(Failure) {
      try build.install(build.path(for: target), as: path)
    } catch {
      forgetFormer()
      throw error
    }
  }

  /// Makes it as it was before `put`.
  func restore() { if rename(former, path) != 0 { remove() } }

  func forgetFormer() { unlink(former) }

  @discardableResult
  func remove() -> Bool { unlink(path) == 0 }

  /// Has Csound list its opcodes and play the package's pieces, without naming the plugin to it. Returns how many
  /// opcodes the plugin has, all of which Csound lists.
  func play() throws(Failure) -> Int {
    let csound = try program()
    let listed = try run(csound, ["-z"])
    let known = Set((listed.output + listed.errors).split(whereSeparator: \.isWhitespace))
    try build.renew()
    let own = Set(
      try PluginBuild.lint(build.path(for: .tools), name: build.path(for: .tools)).signatures.map(
        \.opcode))
    guard let missing = own.sorted().first(where: { !known.contains($0[...]) }) else {
      try playPieces(csound)
      return own.count
    }
    throw .badInput(
      "Csound does not list '\(missing)' although '\(path)' has it: is CS_OMIT_LIBS set? It is"
        + " again as it was before.")
  }

  /// The command `csound` if it is of the wanted version, or else the kit's own player with the Csound 7 from PyPI.
  private func program() throws(Failure) -> (words: [String], environment: [String: String]) {
    let installed = installedProgram("csound") == nil ? nil : try CsoundVersion.installed()
    if installed == target.csound { return (["csound"], [:]) }
    guard target.csound == .seven else {
      throw .unavailable(
        "The command 'csound' of Csound 6 is missing; its Debian package is 'csound'.")
    }
    let player = try CsoundLibrary("7", kit: Project.kit)
    return (player.words, player.plugins.map { ["OPCODE7DIR64": $0] } ?? [:])
  }

  private func run(
    _ csound: (words: [String], environment: [String: String]), _ words: [String]
  ) throws(Failure) -> ChildProcess.Finished {
    var environment = ProcessInfo.processInfo.environment.merging(csound.environment) { $1 }
    if let folder { environment["CS_USER_PLUGINDIR"] = folder }
    return try ChildProcess.run(
      "/usr/bin/env", csound.words + words, environment: environment)
  }

  private func playPieces(
    _ csound: (words: [String], environment: [String: String])
  ) throws(Failure) {
    guard build.directory != Project.kit else { return }
    for name in build.pieces {
      let played = try run(csound, ["-n", "-d", "-m0", "\(build.directory)/csd/\(name)"])
      guard played.isGood else {
        writeError(played.output + played.errors)
        Advice.tell(of: played.output + played.errors, by: .csound)
        throw .badInput(
          "Csound cannot play 'csd/\(name)' with the plugin; its messages are above. '\(path)' is as it was before."
        )
      }
    }
  }
}
