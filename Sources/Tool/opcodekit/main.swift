import CommandKit
import Comparing
import DevCommands
import HarnessBase
import Playing
import PluginBuilding
import Profiling
import Rendering
import Reporting
import Swapping
import Validating
import WidgetOpcodes

// All commands of the tool. The other programs have parts of them, and are built alone if no other command is called.

WidgetHost.current = .panels

let parts: [Feature] = [
  .speed, .pieces, .reporting, .building, .linting, .validation, .profiling, .goldens,
  .packaging, .versions, .rendering,
  .playing { WidgetBoard.install(in: $0, for: $1) },
]
let features = parts + [.merging(parts)]
// The commands of the programs that can be built alone, the smallest first.
let core: [Feature] = [.speed, .building, .linting, .validation, .goldens, .versions, .rendering]
let programs: [(String, [Feature])] = [
  ("opcodekit-play", [.playing()]), ("opcodekit-bench", [.speed, .building]),
  ("opcodekit-core", core + [.merging(core)]),
  ("opcodekit-pieces", [.profiling, .pieces, .reporting, .speed, .playing()]),
]
let tool = Tool(
  features + [
    .documentation(
      of: features.flatMap(\.commands),
      programs: programs.map { (name: $0.0, commands: $0.1.flatMap(\.commands)) })
  ], test: PackageTest.run)

tool.run { words in
  switch words.first {
  case nil, "help", "--help", "-h": Command.overview(tool.commands)
  case "dev" where words.count == 1 || ["help", "--help", "-h"].contains(words[1]):
    Command.developersOverview(tool.commands)
  case "test-summary": TestRun.summary(words.dropFirst().first ?? "") + "\n"
  case "tests-left-out":
    LiveTests.leftOut(record: words.dropFirst().first ?? "", in: Project.kit) + "\n"
  case "changed-tests": TestRun.filter(for: Array(words.dropFirst()), in: Project.kit) + "\n"
  default: nil
  }
}
