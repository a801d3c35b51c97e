import Foundation
import TestSupport
import Testing

@Suite("The script opcodekit, with programs of our own in place of swift and apt")
struct ScriptTests {
  let directory: String
  let programs: String

  init() throws {
    directory = try temporaryDirectory()
    programs = directory + "/programs"
    for folder in ["Sources", "Opcodes", "programs"] {
      try Files.makeDirectories("\(directory)/\(folder)")
    }
    try Files.copy(root + "/opcodekit", to: directory + "/opcodekit")
    // The script finds commands in their sources.
    try Files.link(directory + "/Sources/Tool", to: root + "/Sources/Tool")
    for file in ["Package.swift", "Sources/a.swift"] { try write("// Nothing.\n", to: file) }
    // Records what it builds, with the number 7 before what is for Csound 7. The programs that it makes print nothing.
    try program(
      "swift",
      """
      place=.build
      while [ "$1" != --product ]; do
        [ "$1" != --scratch-path ] || place=$2
        shift
      done
      if [ "$2" = OpcodeMacros ]; then
        [ ! -e \(directory)/macros ] || . \(directory)/macros
        exit 0
      fi
      echo "${OPCODEKIT_CSOUND7:+7 }$2" >> \(directory)/builds
      [ -e \(directory)/during ] && . \(directory)/during
      mkdir -p $place/debug
      printf '#!/bin/sh\\n[ ! -e \(directory)/body ] || . \(directory)/body\\n' > "$place/debug/$2"
      chmod +x "$place/debug/$2"
      printf '"%s/Sources/":\\n' "$PWD" > $place/debug.yaml
      """)
  }

  func write(_ text: String, to file: String) throws {
    try text.save(to: "\(directory)/\(file)")
  }

  func program(_ name: String, _ script: String) throws {
    try Files.writeProgram(script, to: "\(programs)/\(name)")
  }

  func opcodekit(_ word: String, path: String? = nil) throws -> Ending {
    try opcodekit([word], path: path)
  }

  func opcodekit(
    _ words: [String], path: String? = nil, _ environment: [String: String] = [:]
  ) throws -> Ending {
    try run(
      directory + "/opcodekit", words,
      environment: ["PATH": path ?? programs + ":/usr/bin:/bin"].merging(environment) { $1 },
      directory: directory)
  }

  func lines(_ file: String) -> Int {
    ((try? String(file: "\(directory)/\(file)")) ?? "")
      .split(separator: "\n").count
  }

  func builds() throws -> [String] {
    try String(file: directory + "/builds").split(separator: "\n")
      .map(String.init)
  }

  @Test("A source saved while it is built is built the next time")
  func edited() throws {
    try write("sleep 0.1; echo '// More.' >> Sources/a.swift; sleep 0.1\n", to: "during")
    #expect(try opcodekit("list").exitCode == 0)
    #expect(lines("builds") == 1)
    try Files.remove(directory + "/during")
    #expect(try opcodekit("list").exitCode == 0)
    #expect(lines("builds") == 2)
    #expect(try opcodekit("list").exitCode == 0)
    #expect(lines("builds") == 2)
    let left = try Files.names(in: directory + "/.build")
    #expect(!left.contains { $0.hasPrefix("begin") })
  }

  @Test("What was built before the directory was moved is forgotten")
  func moved() throws {
    #expect(try opcodekit("list").exitCode == 0)
    try write("\"/somewhere/else/Sources/\":\n", to: ".build/debug.yaml")
    try write("stale", to: ".build/stale")
    try opcodekit("list").good().tells("somewhere else when it was built; building anew")
    #expect(lines("builds") == 2)
    #expect(!Files.exist(directory + "/.build/stale"))
    #expect(try opcodekit("list").errors.isEmpty)
  }

  @Test("A command's program is the least that has it, and the whole tool serves for all")
  func leastProgram() throws {
    for words in [
      ["bench"], ["--package", "x", "list"], ["dev", "trust"], ["play"], ["--package=x", "play"],
      ["man"],
    ] {
      #expect(try opcodekit(words).exitCode == 0)
    }
    let least = ["opcodekit-bench", "opcodekit-core", "opcodekit-play", "opcodekit-pieces"]
    #expect(try builds() == least)
    for program in ["opcodekit-bench", "opcodekit-core"] {
      #expect(try opcodekit("bench").exitCode == 0)
      try Files.remove(directory + "/.build/debug/" + program)
    }
    #expect(try opcodekit(["dev", "docs"]).exitCode == 0)
    #expect(try opcodekit("bench").exitCode == 0)
    #expect(try builds() == least + ["opcodekit"])
  }

  @Test("A program of the tool names the one that takes over, which the script builds")
  func namedProgram() throws {
    for name in ["", "opcodekit-pieces", "", "opcodekit-pieces"] {
      try write("[ -z \"${OPCODEKIT_PROGRAM+set}\" ] || exit 3\n", to: "body")
      #expect(try opcodekit(["play"], ["OPCODEKIT_PROGRAM": name]).exitCode == 0)
    }
    #expect(try builds() == ["opcodekit-play", "opcodekit-pieces"])
  }

  @Test(
    "What a new clone's first command plays is built beside its program",
    arguments: [("list", true), ("new", false)])
  func besides(word: String, plays: Bool) throws {
    try write(
      """
      tool=.build/macros/release/OpcodeMacros-tool
      mkdir -p .build/macros/release && touch $tool
      """, to: "macros")
    #expect(try opcodekit(word).exitCode == 0)
    // It goes on behind the command.
    waits { !plays || lines("builds") >= 2 }
    #expect(try Set(builds()) == (plays ? ["opcodekit-bench", "opcodes"] : ["opcodekit-bench"]))
    // The next command finds both, and builds neither.
    #expect(try opcodekit(word).exitCode == 0)
    #expect(lines("builds") == (plays ? 2 : 1))
  }

  @Test("The plugin of a package is built beside the program that tests it, by one that is there")
  func besidesTests() throws {
    #expect(try opcodekit("bench").exitCode == 0)
    try Files.writeProgram(
      "echo \"$PWD $*\" >> \(directory)/calls\n", to: directory + "/.build/debug/opcodekit-bench")
    let package = directory + "/package"
    try Files.makeDirectories(package)
    try write(".package(path: \"../OpcodeKit\")\n", to: "package/Package.swift")
    try run(
      directory + "/opcodekit", ["test"], environment: ["PATH": programs + ":/usr/bin:/bin"],
      directory: package
    ).good()
    #expect(try builds() == ["opcodekit-bench", "opcodekit-core"])
    // It goes on behind the command.
    waits { lines("calls") > 0 }
    let calls = try String(file: directory + "/calls")
    #expect(calls.hasSuffix("/package test-build\n") && lines("calls") == 1, "\(calls)")
  }

  @Test("Each program has the commands that the script calls it for, and no other")
  func commands() throws {
    let calls = try commandNames().map { [$0] } + commandNames(of: ["dev"]).map { ["dev", $0] }
    let programs = try calls.map { call in
      let asked = try run(
        "/bin/bash",
        ["-c", ". $tables/build.sh; programs_of \"$1\"", "", call.joined(separator: " ")],
        environment: ["OPCODEKIT_ROOT": root, "tables": "Sources/Tool/Script"], directory: root)
      return asked.output.split { $0 == " " || $0 == "\n" }.map(String.init)
    }
    for program in ["opcodekit-bench", "opcodekit-core", "opcodekit-pieces", "opcodekit-play"] {
      let own = calls.filter { call in
        (try? run(products + "/" + program, call + ["--help"]).exitCode) == 0
      }
      let named = zip(calls, programs).filter { $0.1.contains(program) }.map(\.0)
      #expect(!own.isEmpty && own == named, "\(program)")
    }
    #expect(programs.allSatisfy { $0.last == "opcodekit" })
    let alone = zip(calls, programs).filter { $0.1.count == 1 }.map(\.0)
    #expect(Set(alone).isSuperset(of: [["package"], ["dev", "docs"]]))
  }

  /// The commands that `--help` lists, or `dev --help`, which the script prints before anything is
  /// built.
  func commandNames(of words: [String] = []) throws -> [String] {
    let printed = try run(root + "/opcodekit", words + ["--help"])
    #expect(try printed.output == run(tool, words + ["--help"]).output)
    #expect(try printed.output == run(root + "/opcodekit", words).output)
    return printed.output.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /^  ([a-z]+) {2,}\S/).map { String($0.output.1) }
    }.filter { $0 != "test" && $0 != "dev" }
  }

  /// Fetches nothing: makes the directories.
  private func pretendToFetch() throws {
    for folder in ["Host/Rendering/Targets", "Kit/CCsound"] {
      try Files.makeDirectories("\(directory)/Sources/\(folder)")
    }
    try program("fetch", "mkdir -p $1/csound7/$2\n")
    try Files.link(
      directory + "/Sources/Host/Rendering/Targets/fetch-csound7", to: programs + "/fetch")
  }

  @Test(
    "The tool for the other Csound is built where it is asked for, and a changed header builds it anew"
  )
  func otherCsound() throws {
    try pretendToFetch()
    try write(
      "echo \"$OPCODE7DIR64 ${OPCODEKIT_TOOL_CSOUND-none} ${OPCODEKIT_CSOUND7-none}\"\n", to: "body"
    )
    let other = ["OPCODEKIT_TOOL_CSOUND": "7", "OPCODE7DIR64": "/mine"]
    for _ in 1...2 {
      let ending = try opcodekit(["validate"], other)
      #expect(ending.output == "\(directory)/.build/csound7/host/plugins:/mine none none\n")
      #expect(ending.exitCode == 0, "\(ending.errors)")
    }
    #expect(try builds() == ["7 opcodekit-core"])
    // The tool of this machine, whose own Csound is 6, hands the command over by itself.
    #expect(try opcodekit(["validate", "--csound", "7"]).exitCode == 0)
    #expect(try builds() == ["7 opcodekit-core", "opcodekit-core"])
    try write("left", to: ".build/csound7/tool/left")
    try write("// Changed.\n", to: "Sources/Kit/CCsound/CCsound.h")
    #expect(try opcodekit(["validate"], other).exitCode == 0)
    #expect(try builds().last == "7 opcodekit-core" && lines("builds") == 3)
    #expect(!Files.exist(directory + "/.build/csound7/tool/left"))
  }

  /// Hides Csound from a program and those it starts.
  private static let hiding = """
    layer=$1 && shift && mkdir -p $layer && mount -t tmpfs none $layer && mkdir $layer/upper $layer/work &&
      mount -t overlay none -o lowerdir=/usr,upperdir=$layer/upper,workdir=$layer/work /usr &&
      rm -rf /usr/bin/csound /usr/include/csound /usr/lib/*/libcsound64.so* && exec "$@"
    """
  static let canHide: Bool = {
    guard getuid() == 0, let place = try? temporaryDirectory() else { return false }
    let words = ["-m", "sh", "-c", hiding, "sh", place + "/layer", "true"]
    return (try? run("/usr/bin/unshare", words).exitCode) == 0
  }()

  /// Runs the script on a machine without Csound. With `local`, there are headers of that version in /usr/local. Some
  /// files in /usr can be hidden, too.
  private func withoutCsound(
    _ words: [String], local: Int? = nil, hiding files: String? = nil
  ) throws -> Ending {
    let hide = files.map { "cd /usr && rm \($0) && cd - >/dev/null && " } ?? ""
    let header = "/usr/local/include/csound/version.h"
    let making =
      local.map {
        "mkdir -p \((header as NSString).deletingLastPathComponent)"
          + " && echo '#define CS_VERSION        (\($0))' > \(header) && "
      } ?? ""
    return try run(
      "/usr/bin/unshare",
      [
        "-m", "sh", "-c", Self.hiding, "sh", directory + "/layer", "sh", "-c",
        hide + making + "exec \"$@\"",
        "sh", directory + "/opcodekit",
      ] + words, environment: ["PATH": programs + ":/usr/bin:/bin"], directory: directory)
  }

  @Test(
    "Where there is only Csound 7, the tool is linked with it and Csound 6 is not installed",
    .enabled(if: canHide, "the tests cannot hide Csound"))
  func onlyCsound7() throws {
    try pretendToFetch()
    try program("apt-get", "echo \"$*\" >> \(directory)/calls\n")
    func installs() -> [String] {
      let calls = (try? String(file: directory + "/calls")) ?? ""
      return calls.split(separator: "\n").filter { $0.contains("csound") }.map(String.init)
    }
    // Headers in /usr/local; a command for 7; then what that has fetched.
    #expect(try withoutCsound(["bench"], local: 7).exitCode == 0)
    #expect(try builds() == ["7 opcodekit-bench"])
    try Files.remove(directory + "/.build")
    #expect(try withoutCsound(["bench", "--csound=7"]).exitCode == 0)
    #expect(try withoutCsound(["new", "x"]).exitCode == 0)
    #expect(try builds() == ["7 opcodekit-bench", "7 opcodekit-bench"])
    #expect(installs() == [])
    // Csound 6 is asked for; or it is in /usr/local; or nothing says which.
    #expect(try withoutCsound(["bench", "--csound", "6"]).exitCode == 0)
    #expect(try withoutCsound(["bench"], local: 6).exitCode == 0)
    try Files.remove(directory + "/.build")
    #expect(try withoutCsound(["bench"]).exitCode == 0)
    #expect(try builds().suffix(2) == ["opcodekit-bench", "opcodekit-bench"])
    #expect(
      installs().count == 3 && installs().allSatisfy { $0.contains("csound libcsound64-dev") })
  }

  @Test(
    "Without apt it names what is missing, also as Fedora does, and what is in /usr/local is not",
    .enabled(if: canHide, "the tests cannot hide Csound"))
  func noApt() throws {
    let hidden = "bin/apt-get include/lo/lo.h"
    for words in [["bench"], ["bench", "--csound", "7"]] {
      let ending = try withoutCsound(words, hiding: hidden)
      ending.refused(69, "counterparts by hand, in Fedora liblo-devel; ")
      #expect(
        ending.errors.contains("csound libcsound64-dev liblo-dev.") == (words.count == 1))
    }
    try withoutCsound(
      ["bench"], local: 6,
      hiding: "bin/apt-get && mkdir -p local/bin && ln -s /bin/true local/bin/csound"
        + " && mkdir -p local/include/csound && touch local/include/csound/csdl.h"
    ).good()
  }

  @Test("Another apt is waited for", .enabled(if: getuid() == 0))
  func apt() throws {
    for name in [
      "bash", "cat", "chmod", "dirname", "env", "find", "id", "mkdir", "mktemp", "printf",
      "readlink", "rm", "sh", "touch", "tr", "grep",
    ] {
      try Files.link("\(programs)/\(name)", to: "/usr/bin/\(name)")
    }
    try program("sleep", "echo \"$1\" >> \(directory)/waits\n")
    try program(
      "apt-get",
      """
      echo "$*" >> \(directory)/calls
      case "$*" in
        *update*)
          [ $(cat \(directory)/waits 2>/dev/null | tr -d '\\n' | tr -c '\\n' x) ] && exit 0
          echo 'E: Could not get lock /var/lib/apt/lists/lock.'; exit 100 ;;
        *) [ -e \(directory)/waits ] ;;
      esac
      """)
    let ending = try opcodekit("report", path: programs).good()
    #expect(!ending.errors.contains("could not install"), "\(ending.errors)")
    #expect(lines("waits") == 1)
    let calls = try String(file: directory + "/calls")
    #expect(calls.contains("DPkg::Lock::Timeout"))
    #expect(lines("calls") == 4)
  }
}
