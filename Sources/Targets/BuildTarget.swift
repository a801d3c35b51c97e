/// What a plugin is built for: a Csound and a processor, as new as it has to be. It names the plugin's
/// file, and the directory it is built in, so that builds for different targets never meet.
package struct BuildTarget: Hashable, Sendable {
  package var csound: CsoundVersion
  package var processor: Processor
  /// One of the processor's levels.
  package var level: String

  /// For any processor of a kind, unless a level is given.
  package init(_ csound: CsoundVersion, _ processor: Processor, level: String? = nil) {
    (self.csound, self.processor) = (csound, processor)
    self.level = level ?? processor.levels[0]
  }

  /// What the tool itself plays: its own Csound, on this machine's kind of processor.
  package static let tools = BuildTarget(.six, .own)

  /// All there are.
  package static var all: [BuildTarget] {
    CsoundVersion.allCases.flatMap { csound in
      Processor.allCases.flatMap { processor in
        processor.levels.map { BuildTarget(csound, processor, level: $0) }
      }
    }
  }

  /// For any processor of the kind.
  package var isForEvery: Bool { level == processor.levels[0] }

  /// What sets its files apart; empty for Csound 6 on any processor of this machine's kind.
  package var suffix: String { suffix(besides: .own) }

  private func suffix(besides plain: Processor) -> String {
    (csound == .six ? "" : "-csound\(csound.rawValue)")
      + (processor == plain ? "" : "-" + processor.rawValue) + (isForEvery ? "" : "-" + level)
  }

  /// The name of a product's plugin.
  package func plugin(of product: String) -> String { "lib\(product)\(suffix).so" }

  /// The same where it is given away, whatever machine it was built on.
  package func plugin(givenAwayOf product: String) -> String {
    "lib\(product)\(suffix(besides: .x86_64)).so"
  }

  /// Where Swift builds for it, from the package's directory.
  package var scratch: String { ".build/standalone\(suffix)" }
}
