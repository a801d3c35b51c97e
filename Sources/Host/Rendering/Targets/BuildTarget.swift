/// What a plugin is built for: a version of Csound, a kind of processor and an operating system. The names of the plugin's
/// file and of its build directory depend on the target, so that builds for different targets do not
/// overwrite each other.
package struct BuildTarget: Hashable, Sendable {
  package var csound: CsoundVersion
  package var processor: Processor
  package var system: OperatingSystem
  /// Whether this is the part of a universal library for one kind of processor.
  private var isSlice = false
  /// The processor level that the code is compiled for, such as `x86-64-v3`. Nil for every processor of
  /// the kind; the plugin then also contains code for the usual level, and chooses when it is loaded.
  package var level: String?

  /// For every processor of a kind, unless a level is given. A kind with one level ignores it.
  package init(
    _ csound: CsoundVersion, _ processor: Processor, level: String? = nil,
    system: OperatingSystem = .linux
  ) {
    (self.csound, self.processor, self.system) = (csound, processor, system)
    self.level = processor.levels.count > 1 ? level : nil
  }

  /// The parts of a universal library, one for each kind of processor; for another system the target itself. A target
  /// for macOS or the web has this machine's kind of processor and stands for all kinds.
  package var slices: [BuildTarget] {
    guard system == .macos, !isSlice else { return [self] }
    return Processor.allCases.map { processor in
      var slice = BuildTarget(csound, processor, level: level, system: system)
      slice.isSlice = true
      return slice
    }
  }

  /// The target of plugins that the tool itself can play: its own Csound on this machine's kind of processor.
  package static let tools = BuildTarget(.tools, .own)

  /// All targets.
  package static var all: [BuildTarget] {
    CsoundVersion.allCases.flatMap { csound in
      Processor.allCases.flatMap { processor in
        let levels = processor.levels.map { BuildTarget(csound, processor, level: $0) }
        return [BuildTarget(csound, processor)] + levels.filter { !$0.isForEvery }
      }
    }
      + CsoundVersion.allCases.flatMap {
        [BuildTarget($0, .x86_64, system: .windows), BuildTarget($0, .own, system: .macos)]
      } + [BuildTarget(.seven, .own, system: .web)]
  }

  package var isForEvery: Bool { level == nil }

  /// The level that the code is compiled for; without a given level, the kind's lowest.
  package var compiledLevel: String { level ?? processor.levels[0] }

  /// The second target whose code a plugin for every processor contains: that of the usual level. Nil
  /// for a plugin of one level.
  package var usual: BuildTarget? {
    guard isForEvery, system != .web, let level = processor.usualLevel else { return nil }
    var usual = self
    usual.level = level
    return usual
  }

  /// The suffix of the target's file names; empty for Csound 6 on any processor of this machine's kind.
  package var suffix: String {
    (system == .linux ? "" : "-" + system.rawValue) + suffix(besides: .own)
  }

  private func suffix(besides plain: Processor) -> String {
    (csound == .six ? "" : "-csound\(csound.rawValue)")
      + (isSlice ? "-" + processor.rawValue : "")
      + (system != .linux || processor == plain ? "" : "-" + processor.rawValue)
      + (level.map { "-" + $0 } ?? "")
  }

  /// The file name of a product's plugin.
  package func plugin(of product: String) -> String { plugin(of: product, besides: .own) }

  /// The file name of a product's plugin for publication: the same on whatever machine it was built,
  /// without a processor suffix for x86-64.
  package func plugin(givenAwayOf product: String) -> String {
    plugin(of: product, besides: .x86_64)
  }

  private func plugin(of product: String, besides plain: Processor) -> String {
    system.file(of: product + suffix(besides: plain))
  }

  /// The build directory of this target, relative to the package's directory.
  package var scratch: String { ".build/standalone\(suffix)" }
}
