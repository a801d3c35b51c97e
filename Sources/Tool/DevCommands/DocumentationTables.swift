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

  static var names: [String] { parts.keys.sorted() }

  /// Lines of Markdown; nil if `name` is not one of `names`.
  func text(_ name: String) throws(Failure) -> String? { try Self.parts[name]?(self) }

  private static let parts: [String: @Sendable (Self) throws(Failure) -> String] = [
    "speed": { $0.speed.table },
    "speed at ksmps 64": { $0.speed.classes(ksmps: 64) },
    "speed references": { $0.speed.references },
    "speed others": { $0.speed.others },
    "speed silence": { $0.speed.silence },
    "speed below 1": { $0.speed.slower },
    "speed by iquality": { own throws(Failure) in try own.speed.quality() },
    "speed outside Csound": { own throws(Failure) in try own.speed.outside() },
    "speed provenance": { $0.speed.provenance },
    "speed in Csound 7": { $0.speed.onSeven },
    "speed below 1 in Csound 7": { $0.speed.slowerOnSeven },
    "speed by instances": { own throws(Failure) in
      try own.speed.growth("growth-instances.json", over: \.instances)
    },
    "speed by ksmps": { own throws(Failure) in
      try own.speed.growth("growth-ksmps.json", over: \.ksmps)
    },
    "speed of authors": { own throws(Failure) in try own.authors() },
    "opcodes": { own throws(Failure) in try own.opcodes() },
    "checks": { $0.checks },
    "options": { $0.options },
    "messages": { $0.messages },
    "sound of distortions": { _ throws(Failure) in try SoundTables().text(of: .distortion) },
    "sound of oscillators": { _ throws(Failure) in try SoundTables().text(of: .oscillator) },
    "sound: tuning": { _ throws(Failure) in try SoundTables().text(of: .tuning) },
    "sound: gain": { _ throws(Failure) in try SoundTables().text(of: .gain) },
    "findings": { _ throws(Failure) in try FindingTables().counts },
    "findings in the newest Csound": { _ throws(Failure) in try FindingTables().current },
    "findings in older Csounds": { _ throws(Failure) in try FindingTables().past },
    "versions counts": { own throws(Failure) in try own.atlas().counts },
    "versions changes": { own throws(Failure) in try own.atlas().changes },
    "versions news": { own throws(Failure) in try own.atlas().news + ".\n" },
  ]

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
