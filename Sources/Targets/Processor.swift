/// A kind of processor that plugins are built for.
package enum Processor: String, CaseIterable, Sendable {
  case x86_64 = "x86-64"
  case arm64

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
}
