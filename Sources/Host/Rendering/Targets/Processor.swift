import HarnessBase

/// A kind of processor that plugins are built for.
package enum Processor: String, CaseIterable, Codable, Sendable {
  case x86_64 = "x86-64"
  case arm64

  /// The names of all kinds, for messages.
  package static let names = allCases.map(\.rawValue).joined(separator: " or ")

  /// The kind of this machine's processor.
  package static var own: Processor {
    #if arch(arm64)
      .arm64
    #else
      .x86_64
    #endif
  }

  /// The kind's levels as compilers call them (`-march`), lowest first; every processor of the kind
  /// has the first level.
  package var levels: [String] {
    switch self {
    case .x86_64: ["x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"]
    case .arm64: ["armv8-a"]
    }
  }

  /// The level above the first that nearly every processor in use supports; nil if there is one
  /// level.
  package var usualLevel: String? { self == .x86_64 ? "x86-64-v3" : nil }

  /// The name in GNU's tools and in the paths of libraries.
  package var gnuName: String { self == .x86_64 ? "x86_64" : "aarch64" }

  /// Swift's target triple for the processor without an operating system.
  package var bareTriple: String {
    self == .x86_64 ? "x86_64-unknown-none-elf" : "aarch64-none-none-elf"
  }

  /// What Apple and risset call it.
  package var appleName: String { self == .x86_64 ? "x86_64" : "arm64" }

  /// ELF's number of the processor (`e_machine`).
  package var machine: Int { self == .x86_64 ? 62 : 183 }

  /// What Debian's packages call it.
  package var debianName: String { self == .x86_64 ? "amd64" : "arm64" }
}
