/// What a plugin is built for: a Csound and a kind of processor. It names the plugin's file, and the directory
/// it is built in, so that builds for different targets never meet.
package struct BuildTarget: Hashable, Sendable {
  package var csound: CsoundVersion
  package var processor: Processor
  /// The one of the processor's levels that its code is for; nil for every processor of the kind, where a
  /// plugin holds code for the most usual level, too, and chooses when it is loaded.
  package var level: String?

  /// For every processor of a kind, unless a level is given; where there is one level, that is the same.
  package init(_ csound: CsoundVersion, _ processor: Processor, level: String? = nil) {
    (self.csound, self.processor) = (csound, processor)
    self.level = processor.levels.count > 1 ? level : nil
  }

  /// What the tool itself plays: its own Csound, on this machine's kind of processor.
  package static let tools = BuildTarget(.six, .own)

  /// All there are.
  package static var all: [BuildTarget] {
    CsoundVersion.allCases.flatMap { csound in
      Processor.allCases.flatMap { processor in
        let levels = processor.levels.map { BuildTarget(csound, processor, level: $0) }
        return [BuildTarget(csound, processor)] + levels.filter { !$0.isForEvery }
      }
    }
  }

  package var isForEvery: Bool { level == nil }

  /// What the code is compiled for that every processor it is for can execute.
  package var compiledLevel: String { level ?? processor.levels[0] }

  /// What its plugin has code for besides.
  package var usual: BuildTarget? {
    guard isForEvery, let level = processor.usualLevel else { return nil }
    return BuildTarget(csound, processor, level: level)
  }

  /// What sets its files apart; empty for Csound 6 on any processor of this machine's kind.
  package var suffix: String { suffix(besides: .own) }

  private func suffix(besides plain: Processor) -> String {
    (csound == .six ? "" : "-csound\(csound.rawValue)")
      + (processor == plain ? "" : "-" + processor.rawValue) + (level.map { "-" + $0 } ?? "")
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
