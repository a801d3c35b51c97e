/// A Csound that plugins are built for. Each refuses the other's.
package enum CsoundVersion: Int, CaseIterable, Sendable {
  case six = 6
  case seven = 7

  /// The oldest release that takes the plugins.
  package var release: String {
    switch self {
    case .six: "6.18"
    case .seven: "7.0"
    }
  }
}
