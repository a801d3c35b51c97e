import Rendering

/// The manifest of a plugin, `risset.json`, for risset, Csound's package manager. Its format is
/// described at https://github.com/csound-plugins/risset-data.
struct RissetManifest: Encodable {
  struct Binary: Encodable {
    /// The kind of processor; risset does not distinguish processor levels.
    let platform: String
    /// Where the plugin or a ZIP file with it is: a URL, or a path relative to the manifest.
    let url: String
    /// The plugin's path in the ZIP file; nil if it is in none.
    let extractPath: String?
    /// The versions of Csound that can load it.
    let csoundVersion: String
    /// What the plugin needs, as text for readers.
    let buildPlatform: String

    enum CodingKeys: String, CodingKey {
      case platform, url
      case extractPath = "extractpath"
      case csoundVersion = "csound_version"
      case buildPlatform = "build_platform"
    }
  }

  let name: String
  let version: String
  let shortDescription: String
  let longDescription: String
  let author: String
  let email: String
  let license: String?
  let repository: String?
  let opcodes: [String]
  /// The folder of the manual pages, relative to the manifest.
  let doc = "doc"
  let binaries: [Binary]

  enum CodingKeys: String, CodingKey {
    case name, version, author, email, license, repository, opcodes, doc, binaries
    case shortDescription = "short_description"
    case longDescription = "long_description"
  }

  /// `place` is the URL of the folder from which the plugin can be loaded; if nil, the folder of
  /// the manifest.
  init(of contents: Contents, _ release: Release, at place: String?) {
    name = contents.build.product
    version = release.numbers
    shortDescription = contents.synopsis
    longDescription = contents.descriptions.joined(separator: "\n")
    (author, email) = (release.author, release.email)
    license = contents.licenseName
    repository = release.page
    opcodes = contents.opcodes
    let needs: [OperatingSystem: String] = [
      .linux: "Linux with glibc \(contents.glibc) or newer", .windows: "Windows 10 or newer",
      .macos: "macOS 11 or newer",
    ]
    // risset installs nothing in a browser.
    let installed = contents.targets.filter { $0.isForEvery && $0.system != .web }
    binaries = installed.flatMap { target in
      // risset installs a file by itself only if it has Linux's format.
      let archive =
        target.system == .linux
        ? nil : SystemArchive(contents: contents, release: release, system: target.system)
      let file = archive?.file ?? target.plugin(givenAwayOf: contents.build.product)
      // A universal plugin is a binary of each platform that it is for.
      return target.slices.map { slice in
        Binary(
          platform: "\(target.system.rawValue)-\(slice.processor.appleName)",
          url: place.map { ($0.hasSuffix("/") ? $0 : $0 + "/") + file } ?? file,
          extractPath: archive?.path(of: target),
          csoundVersion: target.csound == .six ? ">=6.18<7.0" : ">=7.0",
          buildPlatform: needs[target.system]!)
      }
    }
  }
}
