import CommandKit
import Comparing
import HarnessBase
import PluginBuilding
import Reporting
import Validating

/// The generated parts of the documentation, by the names that the pages use.
struct DocumentationTables {
  private let speed: PackSpeed

  private let commands: [Command]

  init(_ commands: [Command]) throws(Failure) {
    speed = try PackSpeed()
    self.commands = commands
  }

  static let names = [
    "speed", "speed at ksmps 64", "speed references", "speed others", "speed silence",
    "speed below 1", "speed by iquality", "speed outside Csound",
    "speed provenance", "speed in Csound 7", "speed below 1 in Csound 7",
    "opcodes", "checks", "options", "messages", "speed by instances", "speed by ksmps",
    "speed of authors", "sound of distortions", "sound of oscillators", "sound: tuning",
    "sound: gain", "findings", "findings in the newest Csound", "findings in older Csounds",
    "versions counts", "versions changes", "versions news",
  ]

  /// Lines of Markdown; nil if `name` is not one of `names`.
  func text(_ name: String) throws(Failure) -> String? {
    switch name {
    case "speed": speed.table
    case "speed at ksmps 64": speed.classes(ksmps: 64)
    case "speed references": speed.references
    case "speed others": speed.others
    case "speed silence": speed.silence
    case "speed below 1": speed.slower
    case "speed by iquality": try speed.quality()
    case "speed outside Csound": try speed.outside()
    case "speed provenance": speed.provenance
    case "speed in Csound 7": speed.onSeven
    case "speed below 1 in Csound 7": speed.slowerOnSeven
    case "speed by instances": try speed.growth("growth-instances.json", over: \.instances)
    case "speed by ksmps": try speed.growth("growth-ksmps.json", over: \.ksmps)
    case "speed of authors": try authors()
    case "opcodes": try opcodes()
    case "checks": checks
    case "options": options
    case "messages": messages
    case "sound of distortions": try SoundTables().text(of: .distortion)
    case "sound of oscillators": try SoundTables().text(of: .oscillator)
    case "sound: tuning": try SoundTables().text(of: .tuning)
    case "sound: gain": try SoundTables().text(of: .gain)
    case "findings": try FindingTables().counts
    case "findings in the newest Csound": try FindingTables().current
    case "findings in older Csounds": try FindingTables().past
    case "versions counts": try atlas().counts
    case "versions changes": try atlas().changes
    case "versions news": try atlas().news + ".\n"
    default: nil
    }
  }

  /// A row for each opcode of Benchmarks/authors, its rival and their rates.
  private func authors() throws(Failure) -> String {
    let run = try BenchRun(readingFrom: Project.kit + "/Benchmarks/authors/results.json").results
    let rows = run.rows.filter { !$0.isSilence }
    var table = MarkdownTable(["opcode", "rival", "rates", "times as fast at ksmps 1", "at 64"])
    for row in rows where row.ksmps == 1 {
      let longer = rows.first { ($0.pairing, $0.rates, $0.ksmps) == (row.pairing, row.rates, 64) }
      table.add(
        [row.subject, "`\(row.rival)`", row.rates]
          + [row, longer].map { row in
            guard let ratio = row?.ratio, ratio.halfWidth < 0.25 * ratio.value else {
              return "too noisy to tell"
            }
            return ratio.value.formatted(2)
          })
    }
    return table.text
  }

  private func atlas() throws(Failure) -> Atlas {
    try Atlas(readingFrom: Atlas.recorded(in: Project.kit), directory: Project.kit)
  }

  /// A row for each form of every opcode.
  private func opcodes() throws(Failure) -> String {
    let pairings = try Pairing.all(in: Project.kit + "/Benchmarks").pairings
    var table = MarkdownTable(["opcode", "what it does", "compared with"])
    for manual in try Manual.all(in: Project.kit + "/Opcodes") {
      let own = pairings.filter { $0.subject == manual.name }
      let builtins = try manual.builtinRivals()
      let inC = own.contains { $0.rivalSource != nil }
      let others = own.filter { $0.rivalSource == nil && !builtins.contains($0.rival) }
      let rivals =
        builtins.map { "`\($0)`" } + (others.isEmpty ? [] : ["a user-defined opcode"])
        + (inC ? ["the same in C"] : [])
      for (index, form) in manual.forms.enumerated() {
        table.add([
          "`\(form.syntax.text)`", index == 0 ? manual.summary : "",
          index == 0
            ? rivals.isEmpty ? "facts, in its tests" : rivals.joined(separator: ", ") : "",
        ])
      }
    }
    return table.text
  }

  /// A row for each check of `validate`.
  private var checks: String {
    MarkdownTable(
      ["check", "from level", "what it asks of an opcode"],
      Check.catalogue.map { ["`\($0.id)`", "\($0.level)", $0.sentence] }
    ).text
  }

  /// A table of messages and their meaning for each speaker.
  private var messages: String {
    Advice.Speaker.allCases.map { speaker in
      let table = MarkdownTable(
        ["message", "what it means here", "what to do"],
        Advice.all.filter { $0.speaker == speaker }
          .map { ["`\($0.shown)`", $0.meaning, $0.remedy] })
      return "### What \(speaker.rawValue) says\n\n\(table.text)"
    }.joined(separator: "\n")
  }

  /// A table of options for each command, those for developers last.
  private var options: String {
    let sorted = commands.filter { !$0.isForDevelopers } + commands.filter(\.isForDevelopers)
    return sorted.map { command in
      let table = MarkdownTable(
        ["option", "what it does"], command.options.map { ["`\($0.usage)`", $0.help] })
      let usage = "`\(command.usage)`\n\n\(command.summary)\n"
      return "### \(command.name)\n\n\(usage)" + (command.options.isEmpty ? "" : "\n" + table.text)
    }.joined(separator: "\n")
  }
}
