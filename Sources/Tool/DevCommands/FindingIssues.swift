import Foundation
import HarnessBase
import PluginBuilding

/// Texts about findings that a person can file as issues of Csound.
struct FindingIssues {
  let run: FindingRun
  let findings: [BuiltinFinding]

  /// Writes a text for each fault that one of the Csounds shows, into a directory for the newest that does. Returns how
  /// many there are.
  func write(to directory: String) throws(Failure) -> Int {
    var count = 0
    for (finding, trial) in zip(findings, run.trials) {
      guard let newest = trial.results.last(where: \.standing.isFault) else { continue }
      let place = "\(directory)/\(newest.csound)"
      try writing(place) {
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try text(finding, trial).write(
          toFile: "\(place)/\(finding.name).md", atomically: true, encoding: .utf8)
      }
      count += 1
    }
    return count
  }

  /// The title in the first line, then the text, in Markdown.
  private func text(_ finding: BuiltinFinding, _ trial: FindingTrial) -> String {
    var text = """
      # \(finding.opcodes): \(finding.problem)

      ## Describe the bug

      \(finding.description)

      ## To reproduce

      `\(FindingPlayer.memoryFill) csound \(finding.name).csd`; the variable has glibc fill memory that is given back.

      ```
      \(finding.orchestra.trimmingCharacters(in: .newlines))
      ```

      ## Expected behaviour

      \(finding.right)

      ## What is seen


      """
    for result in trial.results {
      let message = result.sight.message.map { " (\($0))" } ?? ""
      let printed = result.sight.printed.joined(separator: " ")
      text += "- Csound \(result.csound): \(result.sight.ending.rawValue)\(message)"
      text += (printed.isEmpty ? "" : ", prints \(printed)")
      text += result.standing == .fine ? "; this is right\n" : "\n"
    }
    if finding.expected.text != "no crash" {
      text += """

        Right would be \(finding.expected.text), where v1, v2 and so on are the numbers after `seen`.

        """
    }
    if let source = finding.source {
      text += "\n## Place in the source of 6.18\n\n\(source)\n"
      if let patch = finding.patch { text += "\nA possible patch, not tried: \(patch)\n" }
    }
    text += """

      ## System

      - \(Self.system), \(run.provenance.processor)

      """
    return text
  }

  private static var system: String {
    let text = (try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)) ?? ""
    return text.firstMatch(of: /PRETTY_NAME="([^"]*)"/).map { String($0.1) } ?? "Linux"
  }
}

extension FindingTrial.Standing {
  /// Whether a Csound has the fault, in whatever form.
  var isFault: Bool { self == .there || self == .changed }
}
