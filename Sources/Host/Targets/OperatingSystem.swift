/// An operating system that plugins are built for.
package enum OperatingSystem: String, CaseIterable, Codable, Sendable {
  case linux
  case windows
  case macos

  /// The names of all systems, for messages.
  package static let names = "linux, windows or macos"

  /// The file name of a shared library.
  func file(of name: String) -> String {
    switch self {
    case .linux: "lib\(name).so"
    case .windows: "\(name).dll"
    case .macos: "lib\(name).dylib"
    }
  }

  /// The name that its makers write.
  package var title: String {
    switch self {
    case .linux: "Linux"
    case .windows: "Windows"
    case .macos: "macOS"
    }
  }
}
