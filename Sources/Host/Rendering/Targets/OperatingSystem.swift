/// An operating system that plugins are built for.
package enum OperatingSystem: String, CaseIterable, Codable, Sendable {
  case linux
  case windows
  case macos
  /// Csound in a browser: WebAssembly of 32 bits.
  case web

  /// The names of all systems, for messages.
  package static let names = "linux, windows, macos or web"

  /// The file name of a shared library.
  func file(of name: String) -> String {
    switch self {
    case .linux: "lib\(name).so"
    case .windows: "\(name).dll"
    case .macos: "lib\(name).dylib"
    case .web: "\(name).wasm"
    }
  }

  /// Whether one plugin is for all kinds of processors.
  package var isForEveryProcessor: Bool { self == .macos || self == .web }

  /// The versions of Csound that plugins can be built for. Csound 6 in a browser loads none.
  package var csounds: [CsoundVersion] { self == .web ? [.seven] : CsoundVersion.allCases }

  /// What has, or lacks, the functions that C code calls.
  var library: String { self == .web ? "Csound in a browser" : title }

  /// The name that its makers write.
  package var title: String {
    switch self {
    case .linux: "Linux"
    case .windows: "Windows"
    case .macos: "macOS"
    case .web: "the web"
    }
  }
}
