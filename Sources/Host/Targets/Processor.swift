import HarnessBase

/// A kind of processor that plugins are built for.
package enum Processor: String, CaseIterable, Codable, Sendable {
  case x86_64 = "x86-64"
  case arm64

  /// All of them, for sentences.
  package static let names = allCases.map(\.rawValue).joined(separator: " or ")

  /// This machine's.
  package static var own: Processor {
    #if arch(arm64)
      .arm64
    #else
      .x86_64
    #endif
  }

  /// How new one can be, as compilers call it: first what every one of the kind is.
  package var levels: [String] {
    switch self {
    case .x86_64: ["x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"]
    case .arm64: ["armv8-a"]
    }
  }

  /// The level, of those above the first, that nearly every one in use has.
  package var usualLevel: String? {
    switch self {
    case .x86_64: "x86-64-v3"
    case .arm64: nil
    }
  }

  /// What GNU's tools call it, and Csound's directories.
  package var gnuName: String {
    switch self {
    case .x86_64: "x86_64"
    case .arm64: "aarch64"
    }
  }

  /// The number that files of programs and libraries have for it.
  package var machine: Int {
    switch self {
    case .x86_64: 62
    case .arm64: 183
    }
  }

  /// What risset calls it.
  package var rissetName: String {
    switch self {
    case .x86_64: "x86_64"
    case .arm64: "arm64"
    }
  }

  /// What Debian's packages call it.
  package var debianName: String {
    switch self {
    case .x86_64: "amd64"
    case .arm64: "arm64"
    }
  }
}
