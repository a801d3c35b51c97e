import Foundation

extension Processor {
  /// The features that each level of the x86-64 ABI adds to the previous level, by the names in
  /// `/proc/cpuinfo`.
  private static let needs: [String: [String]] = [
    "x86-64-v2": ["cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"],
    "x86-64-v3": ["avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"],
    "x86-64-v4": ["avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"],
  ]

  /// The levels this machine's processor can execute, lowest first.
  package static let executableLevels: [String] = {
    let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("flags") } ?? ""
    return own.levels(withFlags: Set(line.split(separator: " ").map(String.init)))
  }()

  /// The level whose code a plugin for every processor executes on this machine.
  package static var playedLevel: String {
    executableLevels.first { $0 == own.usualLevel } ?? own.levels[0]
  }

  /// The levels a processor with these flags can execute.
  package func levels(withFlags flags: Set<String>) -> [String] {
    Array(levels.prefix { level in Self.needs[level]?.allSatisfy(flags.contains) ?? true })
  }
}
