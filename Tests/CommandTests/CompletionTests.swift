import HarnessBase
import TestSupport
import Testing

@Suite("What shells propose while a command is typed")
struct CompletionTests {
  static let scripts = root + "/Sources/Tool/Script"

  static func lacks(_ shell: String) -> Bool { installedProgram(shell) == nil }

  @Test("Another shell is refused in a sentence")
  func otherShell() throws {
    try opcodekit("completion", "ksh").refused(64, "'ksh' is no shell")
  }

  /// Words as they are typed, the last one unfinished, and what is proposed for it.
  static let lines: [([String], [String])] = [
    (["--package", "csd", "rend"], ["render"]), (["bench", "--js"], ["--json"]),
    (["render", "csd/MOOGLADDER."], ["csd/MOOGLADDER.csd"]), (["new", "Sou"], ["Sources"]),
    (["bench", "--json", "READ"], ["README.md"]), (["dev", "do"], ["docs"]),
    (["bench", "MOOGL"], ["MOOGLADDER"]), (["new", "X", "--license", "Ap"], ["Apache-2.0"]),
    (["completion", "z"], ["zsh"]),
  ]
  /// Those that are different for a shell; what is proposed for the others bash tells as well.
  static let kinds = Array(lines.prefix(5))

  @Test("bash", arguments: lines)
  func bash(typed: [String], proposed: [String]) throws {
    let program = """
      source '\(Self.scripts)/completion.bash'
      COMP_WORDS=("$0" "$@"); COMP_CWORD=$#
      _opcodekit "$0"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let ending = try run(
      "/usr/bin/bash", ["--norc", "-c", program, root + "/opcodekit"] + typed)
    #expect(ending.output.split(separator: "\n").map(String.init) == proposed, "\(ending.errors)")
  }

  @Test("fish", .disabled(if: lacks("fish"), "fish is not installed"), arguments: kinds)
  func fish(typed: [String], proposed: [String]) throws {
    let line = (["./opcodekit"] + typed).joined(separator: " ")
    let ending = try run(
      "/usr/bin/env",
      [
        "fish", "--no-config", "-c",
        "source '\(Self.scripts)/completion.fish'; complete -C '\(line)'",
      ])
    let words = ending.output.split(separator: "\n").map { line in
      // A word, a tab, a description; fish ends the name of a directory with a slash.
      String(line.prefix { $0 != "\t" }.trimmingSuffix { $0 == "/" })
    }
    #expect(words == proposed, "\(ending.errors)")
  }

  @Test("zsh", .disabled(if: lacks("zsh"), "zsh is not installed"), arguments: kinds)
  func zsh(typed: [String], proposed: [String]) throws {
    // A zsh with a terminal, in which the words and Tab are typed; its `opcodekit` prints what it is given.
    let program = """
      zmodload zsh/zpty
      zpty z zsh -f -i
      zpty -w z "PS1= PS2= RPS1=; unsetopt zle_bracketed_paste; autoload -U compinit; compinit -u -D"
      zpty -w z 'opcodekit() { [[ $2 == words ]] && \(root)/opcodekit "$@" || print -r -- "GOT:$*:"; }'
      zpty -w z "source '\(Self.scripts)/completion.zsh'; print REA''DY"
      zpty -r -m z out '*READY*'
      zpty -w z "opcodekit $1"$'\\t'
      zpty -r -m z out '*GOT:*:*'
      print -r -- ${${out##*GOT:}%%:*}
      """
    let ending = try run(
      "/usr/bin/env",
      ["timeout", "-k", "1", "20", "zsh", "-f", "-c", program, "zsh", typed.joined(separator: " ")])
    let expected = typed.dropLast() + proposed
    let completed = ending.output.split(separator: "\n").last.map(String.init) ?? ""
    // zsh ends the name of a directory with a slash, and an option that takes a value with '='.
    #expect(
      String(completed.trimmingSuffix { "/= ".contains($0) }) == expected.joined(separator: " "),
      "\(ending.output)\(ending.errors)")
  }

  @Test("In a package the names of opcodes are the package's")
  func ownOpcodes() throws {
    let directory = try temporaryDirectory() + "/Mine"
    #expect(try opcodekit("new", directory, "--opcode", "MINE").exitCode == 0)
    let words = ["completion", "words", "bench", ""]
    let names = try run(root + "/opcodekit", words, directory: directory)
    #expect(names.output == "MINE\n")
    let kits = try run(root + "/opcodekit", words, directory: "/")
    #expect(kits.output.contains("\nMOOGLADDER\n") && !kits.output.contains("MINE"))
  }

  @Test("Values of options, also after =, of letters, and commands of two words")
  func words() throws {
    let expected: [([String], String)] = [
      (["bench", "--csound", ""], "7\t\n6\t\n"), (["bench", "--csound", "=", ""], "7\t\n6\t\n"),
      (["render", "-o", ""], "@files\n"), (["--package", ""], "@directories\n"),
      (["--package", "x", "bench", "--ksmps", ""], "\n"), (["nothing", ""], "\n"),
      (["render", "--duration", "3", ""], "@files.csd\n"),
      (["dev", "docs", "--output", ""], "@directories\n"),
    ]
    for (typed, proposed) in expected {
      let ending = try run(root + "/opcodekit", ["completion", "words"] + typed)
      #expect(ending.output == proposed, "\(typed): \(ending.errors)")
    }
  }
}

extension StringProtocol {
  fileprivate func trimmingSuffix(_ matches: (Character) -> Bool) -> SubSequence {
    self[..<(lastIndex { !matches($0) }.map(index(after:)) ?? startIndex)]
  }
}
