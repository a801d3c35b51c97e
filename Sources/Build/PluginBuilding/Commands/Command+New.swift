import CommandKit
import Foundation
import HarnessBase
import Linting
import Rendering

extension Command {
  private static let opcode = Option(
    name: "opcode", value: "NAME", takes: .text, standard: "GAIN",
    help: "The first opcode's name; GAIN unless given.")
  private static let outputs = Option(
    name: "out", value: "LETTERS",
    help: "Csound's type letters of its outputs, such as a or a[]k.")
  private static let inputs = Option(
    name: "in", value: "LETTERS", help: "Those of its inputs, such as akxo; x is k-rate or a-rate."
  )
  private static let table = Option(
    name: "table", help: "Let the opcode, a source, read a function table, its last input.")
  private static let url = Option(
    name: "url", value: "URL",
    help: "Depend on OpcodeKit by this git URL, not by the path of this clone.")
  private static let tag = Option(
    name: "tag", value: "VERSION",
    help: "With --url, depend on this version or a newer one with the same first number, such as"
      + " 1.2.3; on the branch main unless given.")
  private static let license = Option(
    name: "license", value: NewLicense.Kind.names("|"),
    help: "Write a LICENSE; none unless given.")
  private static let withC = Option(
    name: "with-c",
    help: "Let the opcode call a C function, in a module of C code that is made for it.")
  private static let author = Option(
    name: "author", value: "NAME",
    help: "Who owns the copyright that the license names; git's user.name unless given.")

  static let new = Command(
    name: "new", operands: "DIR",
    summary: "Make a package of opcodes of your own, with a first opcode that sounds.",
    options: [opcode, outputs, inputs, table, withC, url, tag, license, author]
  ) { arguments throws(Failure) in
    let directory = URL(
      fileURLWithPath: try arguments.operand("the new package's directory")
    ).standardizedFileURL.path
    let name = try packageName(of: directory)
    var opcode = try NewOpcode(
      arguments[opcode], outputs: arguments[outputs] ?? NewOpcode.outputs(of: arguments[inputs]),
      inputs: arguments[inputs] ?? (arguments[outputs] == nil && !arguments[table] ? "ax" : ""),
      readsTable: arguments[table])
    try requireNewName(opcode.name)
    if arguments[withC] {
      guard opcode.usesSample else {
        throw .usage(
          "--with-c is for an opcode that computes a sample in each frame; give one with an a in --out."
        )
      }
      opcode.product = NewPackage.product(ofPackage: name)
    }
    let package = NewPackage(
      name: name, opcode: opcode, kit: try kit(arguments, for: directory),
      license: try NewLicense(arguments[license], author: arguments[author]))
    try write(package.files + opcode.argumentFile(in: directory), in: directory)
    print(opcode.toDescribe(in: "Sources/\(name)"))
    if arguments[license] == nil {
      print("Without a LICENSE nobody may pass your opcodes on: 'new --license' writes one.")
    }
    if (directory + "/").hasPrefix(Project.kit + "/") {
      printError(
        "opcodekit: '\(Project.short(directory))' is in the kit's clone; a package is better outside of it, in a"
          + " repository of its own.")
    }
    print("Next: cd \(Project.short(directory)) && opcodekit test")
    return .success
  }

  static let add = Command(
    name: "add", operands: "NAME", summary: "Add an opcode to the package of opcodes you are in.",
    options: [outputs, inputs, table]
  ) { arguments throws(Failure) in
    let name = try arguments.operand("the new opcode's name")
    guard let package = AuthorPackage.current else {
      throw .usage(
        "There is no package of opcodes here; 'opcodekit new DIR' makes one, --package names one.")
    }
    let opcode = try NewOpcode(
      name, outputs: arguments[outputs] ?? NewOpcode.outputs(of: arguments[inputs]),
      inputs: arguments[inputs] ?? (arguments[outputs] == nil && !arguments[table] ? "ax" : ""),
      readsTable: arguments[table])
    try requireNewName(opcode.name)
    // Names that differ in case alone give one type in Swift.
    let others = try Manual.all(in: package.sources).map(\.name)
    if let other = others.first(where: { $0.lowercased() == opcode.name.lowercased() }) {
      throw .usage("The package has an opcode '\(other)' already; nothing was changed.")
    }
    let library = try OpcodeList(of: package)
    var added = opcode.files(in: library.folder)
    let test = opcode.testFile(ofModule: (library.folder as NSString).lastPathComponent)
    // A package may have no unit tests.
    if FileManager.default.fileExists(atPath: "\(package.directory)/\(test.path.parentPath)") {
      added.append(test)
    }
    for file in added
    where FileManager.default.fileExists(atPath: package.directory + "/" + file.path) {
      throw .unwritableOutput("'\(file.path)' is there already; nothing was changed.")
    }
    let list = try library.adding(opcode.structName)
    let known = try opcode.argumentFile(in: package.directory)
    try write(added + known + [list], in: package.directory)
    print(opcode.toDescribe(in: library.folder))
    return .success
  }

  /// The name of a new package in a directory. Fails if it is no name, or the directory is not empty.
  package static func packageName(of directory: String) throws(Failure) -> String {
    let name = (directory as NSString).lastPathComponent
    guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*/) != nil else {
      throw .usage(
        "The package would be called '\(name)'; its name is a letter, then letters, digits or '_'.")
    }
    let modules: Set = ["OpcodeKit", "OpcodeMacros", "CCsound", "Swift", "Foundation", "Testing"]
    guard !NewOpcode.keywords.contains(name), !modules.contains(name) else {
      throw .usage(
        "The package would be called '\(name)', which has a meaning in Swift; choose another name.")
    }
    let files = FileManager.default
    guard
      (try? files.contentsOfDirectory(atPath: directory))?.isEmpty ?? !files.fileExists(
        atPath: directory)
    else {
      throw .unwritableOutput(
        "'\(directory)' is there already and not empty; name a new directory.")
    }
    return name
  }

  /// Where the new package finds the kit.
  private static func kit(
    _ arguments: Arguments, for directory: String
  ) throws(Failure) -> NewPackage.Kit {
    guard let url = arguments[url] else {
      if let tag = arguments[tag] {
        throw .usage("--tag is '\(tag)' without --url; give the URL whose tag that is, too.")
      }
      return .path(relative(Project.kit, from: directory))
    }
    let version = arguments[tag].flatMap(NewPackage.TaggedVersion.init)
    if let tag = arguments[tag], version == nil {
      throw .usage("--tag is '\(tag)'; it takes a version, three numbers such as 1.2.3.")
    }
    return .url(url, from: version)
  }

  /// Fails if Csound has an opcode of this name, because Csound would keep its own.
  package static func requireNewName(_ name: String) throws(Failure) {
    guard try !isBuiltin(name) else {
      throw .usage(
        "'\(name)' is an opcode of Csound's own, which cannot be replaced; give yours another name."
      )
    }
  }

  /// Whether Csound has an opcode of this name.
  package static func isBuiltin(_ name: String) throws(Failure) -> Bool {
    let pool = WorkerPool(Project.worker, pinsPlugins: false, timeLimit: 10)
    return try pool.builtins().contains { $0.opcode == name }
  }

  package static func write(
    _ files: [(path: String, text: String)], in directory: String
  ) throws(Failure) {
    for file in files {
      let path = directory + "/" + file.path
      try makeDirectory(path.parentPath)
      try OutputFile(path).write(Data(file.text.utf8))
      print(Project.short(path))
    }
  }

  /// The path relative to a directory.
  package static func relative(_ path: String, from directory: String) -> String {
    let (to, from) = (
      URL(fileURLWithPath: path).pathComponents, URL(fileURLWithPath: directory).pathComponents
    )
    let common = zip(to, from).prefix { $0 == $1 }.count
    return (Array(repeating: "..", count: from.count - common) + to[common...]).joined(
      separator: "/")
  }
}
