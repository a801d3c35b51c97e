import CommandKit
import Foundation
import HarnessBase
import PluginBuilding

extension Command {
  private static let output = Option(
    name: "output", letter: "o", value: "DIR",
    help: "Where the site goes; build/docs of the kit unless given.")
  private static let basePath = Option(
    name: "base-path", value: "PATH",
    help: "The path of the site on its server, such as /opcodekit; the server's root unless given.")
  private static let updating = Option(
    name: "update",
    help: "Instead of building, update the tables in README and articles from code and results.")
  private static let checking = Option(
    name: "check",
    help: "Instead of building, check those tables and all links between pages.")

  /// `others` are the tool's other commands, which the documentation describes, too.
  static func docs(
    _ others: [Command], programs: [(name: String, commands: [Command])]
  ) -> Command {
    Command(
      name: "dev docs", operands: "",
      summary: "Build the documentation as a static site.",
      options: [output, basePath, updating, checking]
    ) { arguments throws(Failure) in
      let commands = others + [docs(others, programs: programs)]
      let table = CommandTable.text(commands, programs: programs + [("opcodekit", commands)])
      return try build(arguments, commands, table)
    }
  }

  private static func build(
    _ arguments: Arguments, _ commands: [Command], _ table: String
  ) throws(Failure) -> ExitCode {
    try arguments.requireOperands(atMost: 0)
    let documentation = Documentation(root: Project.kit)
    switch (arguments[updating], arguments[checking]) {
    case (true, true):
      throw .usage("--update and --check exclude each other; leave one out.")
    case (true, false):
      for page in try stale(documentation, commands, table) {
        try FileExport("\(Project.kit)/\(page.path)").write(page.text, isTold: false)
        print("\(page.path): written anew")
      }
      return .success
    case (false, true):
      var problems = documentation.problems {
        FileManager.default.fileExists(atPath: Project.kit + "/" + $0)
      }
      problems += try stale(documentation, commands, table).map {
        "\($0.path): a table is not what code and recorded results say; ./opcodekit dev docs --update"
          + " writes it anew."
      }
      for problem in problems { print(problem) }
      if problems.isEmpty { print("\(documentation.pages.count) pages: tables and links are good") }
      return problems.isEmpty ? .success : .checkFailed
    case (false, false):
      let directory =
        arguments[output].map { URL(fileURLWithPath: $0).standardizedFileURL.path }
        ?? Project.kit + "/build/docs"
      let opcodes = try OpcodeArticles(plugin: PluginBuild(ofKit: "opcodes").renewed())
      try DocumentationSite(
        documentation: documentation, opcodes: opcodes, basePath: arguments[basePath]
      ).build(into: directory)
      let path = Project.short(directory)
      print("\(path): \(documentation.articles.count.counted("article")) and the kit's public API")
      if arguments[basePath] == nil {
        print("To read it: python3 -m http.server --directory \(path), then http://localhost:8000")
      }
      return .success
    }
  }

  /// The texts that the script reads before anything is built.
  private static func scriptTexts(_ commands: [Command], _ table: String) -> [Article] {
    let directory = "Sources/Tool"
    return [
      Article(path: "\(directory)/opcodekit/Tool.docc/help.txt", text: Command.overview(commands)),
      Article(
        path: "\(directory)/opcodekit/Tool.docc/help-dev.txt",
        text: Command.developersOverview(commands)),
      Article(path: "\(directory)/Script/commands.txt", text: table),
    ]
  }

  /// The pages whose tables are out of date, with their tables updated.
  private static func stale(
    _ documentation: Documentation, _ commands: [Command], _ table: String
  ) throws(Failure) -> [Article] {
    let tables = try DocumentationTables(commands)
    var stale: [Article] = []
    for help in scriptTexts(commands, table) {
      let text = try? String(contentsOfFile: "\(Project.kit)/\(help.path)", encoding: .utf8)
      if let text, text != help.text { stale.append(help) }
    }
    for page in documentation.pages {
      let text = try GeneratedPart.updating(page.text) { name throws(Failure) in
        guard let table = try tables.text(name) else {
          throw .badInput(
            "'\(page.path)' has a table '\(name)', which nothing writes; the known tables are"
              + " \(DocumentationTables.names.joined(separator: ", ")).")
        }
        return table
      }
      guard let text else {
        throw .badInput("'\(page.path)' has a table without its last line, '<!-- end of NAME -->'.")
      }
      if text != page.text { stale.append(Article(path: page.path, text: text)) }
    }
    return stale
  }
}
