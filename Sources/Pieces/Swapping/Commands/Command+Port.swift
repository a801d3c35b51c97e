import CommandKit
import Foundation
import HarnessBase
import PluginBuilding
import Rendering

extension Command {
  private static let newPackage = Option(
    name: "new", value: "DIR", help: "Make a new package in DIR for the opcodes.")
  private static let writeOnly = Option(
    name: "write-only", help: "Write the files, and neither compare nor time.")

  static let port = Command(
    name: "port", operands: "PIECE.csd [NAME …]",
    summary: "Write a piece's user-defined opcodes in Swift; without a NAME, list which can be.",
    options: [newPackage, writeOnly, SwapOptions.sound, .timeLimit(30)]
  ) { arguments throws(Failure) in
    guard let piece = arguments.operands.first else {
      throw .usage("port needs a CSD, or a directory with some; see ./opcodekit port --help.")
    }
    guard CsoundVersion.tools == .six else {
      throw .unavailable("port reads opcodes with the parser of Csound 6.18; leave out --csound 7.")
    }
    if !PieceFiles.folders([piece]).isEmpty {
      guard arguments[newPackage] == nil, !arguments[writeOnly] else {
        throw .usage("'\(piece)' is a directory, whose opcodes are only listed; name one piece.")
      }
      print(try PortSurvey(of: arguments.operands).text)
      return .success
    }
    let found = try opcodes(of: piece)
    let settings = SwapOptions.settings(arguments)
    let names = Array(arguments.operands.dropFirst())
    guard !names.isEmpty else {
      if arguments[newPackage] != nil {
        throw .usage("--new is for opcodes that are ported; name at least one.")
      }
      return list(found, shares: shares(of: piece, settings))
    }
    var chosen: [PortedOpcode] = []
    for name in names {
      let candidates = found.filter { $0.name == name }
      guard !candidates.isEmpty else {
        throw .usage(
          NearNames.unknown("No user-defined opcode of '\(piece)'", name, Set(found.map(\.name))))
      }
      chosen.append(try ported(candidates, among: found, in: piece))
    }
    if let twice = chosen.first(where: { one in
      chosen.count { $0.name == one.name || $0.structName == one.structName } > 1
    }) {
      throw .usage(
        "Two of the opcodes would be '\(twice.structName)' in Swift; port one of them in another call."
      )
    }
    guard !arguments[writeOnly] else {
      _ = try write(chosen, new: arguments[newPackage])
      return .success
    }
    let ported = try PortedPiece(of: piece, chosen, among: found)
    let package = try write(chosen, new: arguments[newPackage])
    try measure(chosen.map(\.name), in: package)
    try ported.write(with: AuthorPackage.around(package)!, settings)
    return .success
  }

  private static func opcodes(of piece: String) throws(Failure) -> [UserOpcode] {
    try requireReadableFile(piece)
    let path = URL(fileURLWithPath: OrchestraAndScore.original(of: piece)).path
    let pool = WorkerPool(
      Project.worker, directory: path.parentPath, pinsPlugins: false, timeLimit: 30)
    let found = try pool.run([OpcodesJob(path: path)])[0].reply(of: "reading '\(piece)'")
    guard !found.isEmpty else { throw .badInput("'\(piece)' has no user-defined opcodes.") }
    return found
  }

  /// The parts of the piece's time; none if it does not play, and a message says why.
  private static func shares(of piece: String, _ settings: SwapSettings) -> [String: Double] {
    let path = URL(fileURLWithPath: piece).path
    do throws(Failure) {
      let scratch = try ScratchDirectory("port")
      defer { scratch.remove() }
      return try settings.shares(of: SwapTrial(of: path, settings, scratch: scratch.path))
    } catch {
      printError("opcodekit: shares of the time are not known: \(error.message)")
      return [:]
    }
  }

  /// What cannot be ported is a reason.
  private static func list(_ opcodes: [UserOpcode], shares: [String: Double]) -> ExitCode {
    var rows = [["opcode", "out", "in", "time %", "port", "in the way, with its line"]]
    var count = 0
    for opcode in opcodes {
      let obstacles = Translation.obstacles(to: opcode, among: opcodes)
      if obstacles.isEmpty { count += 1 }
      rows.append(
        [
          opcode.name, UserOpcode.types(opcode.outputs), UserOpcode.types(opcode.inputs),
          shares[opcode.name].map { ($0 * 100).formatted(1) } ?? "–",
          obstacles.isEmpty ? "yes" : "no",
        ] + [
          obstacles.map { $0.line > 0 ? "\($0.what) (\($0.line))" : $0.what }.joined(
            separator: ", ")
        ])
    }
    print(Table(rows: rows, alignment: [.left, .left, .left, .right]).text)
    print("\n\(count) of \(opcodes.count) user-defined opcodes can be ported.")
    return .success
  }

  /// The first of several overloads that can be ported.
  private static func ported(
    _ candidates: [UserOpcode], among all: [UserOpcode], in piece: String
  ) throws(Failure) -> PortedOpcode {
    var reasons: [String] = []
    for opcode in candidates {
      let found = Translation.obstacles(to: opcode, among: all)
      guard found.isEmpty else {
        reasons += found.map { $0.line > 0 ? "\($0.what) in line \($0.line)" : $0.what }
        continue
      }
      let translation = Translation(opcode, among: all)
      guard !([opcode] + translation.callees).contains(where: \.definition.isEmpty) else {
        reasons.append("its definition, which is not in the CSD itself")
        continue
      }
      let upper = opcode.name.uppercased()
      let name = upper == opcode.name ? upper + "_PORT" : upper
      try requireNewName(name)
      let isTaken = try isBuiltin(opcode.name)
      do throws(Translation.Obstacle) {
        return try PortedOpcode(
          translation, name: name, rival: isTaken ? opcode.name + "_udo" : nil)
      } catch { reasons.append(error.what) }
    }
    throw .badInput(
      "'\(candidates[0].name)' of '\(piece)' cannot be ported; in the way: \(reasons.joined(separator: ", "))."
    )
  }

  /// Writes the files, in the package that is current or in a new one; returns its directory.
  private static func write(
    _ opcodes: [PortedOpcode], new directory: String?
  ) throws(Failure) -> String {
    if let directory {
      let path = URL(fileURLWithPath: directory).standardizedFileURL.path
      let name = try packageName(of: path)
      let first = opcodes[0]
      let package = NewPackage(
        name: name, opcode: try NewOpcode(first.name, outputs: "", inputs: ""),
        kit: .path(relative(Project.kit, from: path)))
      let own = Set(package.opcode.files(in: "Sources/\(name)").map(\.path))
        .union([package.opcode.testFile(ofModule: name).path])
      var files = package.files.filter { !own.contains($0.path) }
      for index in files.indices where files[index].path.hasSuffix("/Library.swift") {
        let calls = opcodes.map { "register\($0.structName)(in: &registry)" }
        files[index].text = files[index].text.replacing(
          "register\(package.opcode.structName)(in: &registry)",
          with: calls.joined(separator: "\n    "))
      }
      for opcode in opcodes {
        files += opcode.files(in: "Sources/\(name)") + [opcode.testFile(ofModule: name)]
      }
      try write(try formatted(files), in: path)
      for opcode in opcodes { print(opcode.syntax) }
      return path
    }
    guard let package = AuthorPackage.current else {
      throw .usage(
        "There is no package of opcodes here for the port; '--new DIR' makes one, --package names one."
      )
    }
    let library = try OpcodeList(of: package)
    var files: [(path: String, text: String)] = []
    var list = library
    for opcode in opcodes {
      files += opcode.files(in: library.folder)
      let text = try list.adding(opcode.structName)
      list = OpcodeList(path: text.path, text: text.text)
    }
    for file in files
    where FileManager.default.fileExists(atPath: package.directory + "/" + file.path) {
      throw .unwritableOutput("'\(file.path)' is there already; nothing was changed.")
    }
    try write(try formatted(files) + [(list.path, list.text)], in: package.directory)
    for opcode in opcodes { print(opcode.syntax) }
    return package.directory
  }

  /// The Swift files as `swift format` writes them, if it is installed.
  private static func formatted(
    _ files: [(path: String, text: String)]
  ) throws(Failure) -> [(path: String, text: String)] {
    var all = files
    for index in files.indices where files[index].path.hasSuffix(".swift") {
      let place = NSTemporaryDirectory() + "/opcodekit-\(UUID().uuidString).swift"
      defer { try? FileManager.default.removeItem(atPath: place) }
      guard (try? files[index].text.write(toFile: place, atomically: true, encoding: .utf8)) != nil
      else { continue }
      let settings = "{\"version\": 1, \"lineLength\": 100, \"indentation\": {\"spaces\": 2}}"
      let result = try ChildProcess.run(
        "/usr/bin/env", ["swift", "format", "--configuration", settings, place])
      if result.isGood, !result.output.isEmpty { all[index].text = result.output }
    }
    return all
  }

  /// Compares each with the original and times both, with the commands that do so.
  private static func measure(_ names: [String], in package: String) throws(Failure) {
    for words in [["compare"] + names, ["bench"] + names] {
      // What has been printed goes before what the command prints.
      fflush(nil)
      let process = try ChildProcess(
        Project.executable, ["--package", package] + words, output: STDOUT_FILENO,
        errors: STDERR_FILENO)
      let ending = process.wait()
      try Interruption.check()
      guard case .exited(let code) = ending, code == 0 else {
        throw .badInput(
          "The files are written, but '\(words[0])' did not succeed; its own message is above.")
      }
    }
  }
}
