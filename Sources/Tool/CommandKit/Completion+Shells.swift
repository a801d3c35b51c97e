extension Completion {
  /// A branch of a `case` for each command whose text is not empty, without the last line end.
  private func branches(_ indent: String, _ text: (Command) -> String) -> String {
    commands.map { ($0.name, text($0)) }.filter { !$0.1.isEmpty }
      .map { "\(indent)'\($0.0)') \($0.1) ;;" }.joined(separator: "\n")
  }

  // MARK: bash

  var bash: String {
    let values = commands.flatMap { command in
      command.options.compactMap { option in
        Self.words(for: option).map { words in
          let names = ["--\(option.name)"] + (option.letter.map { ["-\($0)"] } ?? [])
          return (names.map { "'\(command.name) \($0)'" }.joined(separator: " | "), words)
        }
      }
    }
    let valueBranches = values.map { "    \($0.0)) \(inBash($0.1)); return ;;" }
      .joined(separator: "\n")
    return """
      # Completion of the command opcodekit in bash: source <(opcodekit completion bash)

      # The words of a list that begin with the word that is typed.
      _opcodekit_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word"); }

      # Directories, and files whose names end so.
      _opcodekit_files() {
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X "!*$1" -- "$word" |
          while IFS= read -r name; do [ -d "$name" ] || echo "$name"; done)
      }

      _opcodekit() {
        local tool=$1 word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} verb= index
        # bash takes --option=value for three words.
        if [ "$word" = = ]; then word=; elif [ "$before" = = ]; then before=${COMP_WORDS[COMP_CWORD - 2]}; fi
        for ((index = 1; index < COMP_CWORD; index++)); do
          case ${COMP_WORDS[index]} in
            --package) ((index++)); [ "${COMP_WORDS[index]}" != = ] || ((index++)) ;;
            -*) ;;
            dev) verb='dev ' ;;
            *) verb+=${COMP_WORDS[index]}; break ;;
          esac
        done
        case "$verb $before" in
          *' --package') _opcodekit_files /; return ;;
      \(valueBranches)
        esac
        case $verb in
          '') _opcodekit_words '\(verbs.map(\.name).joined(separator: " ")) --package --version --help'; return ;;
          'dev ') _opcodekit_words '\(developersVerbs.map(\.name).joined(separator: " "))'; return ;;
        esac
        if [[ $word == -* ]]; then
          case $verb in
      \(branches("      ") { command in
        "_opcodekit_words '\((command.options.map { "--\($0.name)" } + ["--help"]).joined(separator: " "))'"
      })
          esac
          return
        fi
        case $verb in
      \(branches("    ") { command in
        let words = Self.operands(of: command)
        return words == .none ? "" : inBash(words)
      })
        esac
      }
      complete -F _opcodekit opcodekit

      """
  }

  private func inBash(_ words: Words) -> String {
    switch words {
    case .none: ":"
    case .directories: "_opcodekit_files /"
    case .opcodes: "_opcodekit_words \"$(\"$tool\" completion opcodes 2>/dev/null)\""
    case .files(let ending): "_opcodekit_files '\(ending ?? "")'"
    case .choices(let choices): "_opcodekit_words '\(choices.joined(separator: " "))'"
    }
  }

  // MARK: zsh

  var zsh: String {
    func described(_ verbs: [(name: String, summary: String)]) -> String {
      verbs.map { "'\($0.name):\($0.summary.firstClause)'" }.joined(separator: " ")
    }
    func arguments(_ command: Command) -> String {
      let options = command.options.map { option in
        let value = Self.words(for: option).map { ":value:\(inZsh($0))" } ?? ""
        let text = "[\(option.help.firstClause)]\(value)"
        let long = option.value == nil ? "--\(option.name)" : "--\(option.name)="
        let letter = option.letter.map { " '-\($0)\(text)'" } ?? ""
        return "'\(long)\(text)'\(letter)"
      }
      let operands = Self.operands(of: command)
      return
        (["_arguments '--help[Explain this command]'"] + options
        + (operands == .none ? [] : ["'*:operand:\(inZsh(operands))'"])).joined(separator: " ")
    }
    return """
      #compdef opcodekit
      # Completion of the command opcodekit in zsh: source <(opcodekit completion zsh), after compinit.

      _opcodekit_opcodes() { compadd -- ${(f)"$($opcodekit_tool completion opcodes 2>/dev/null)"} }

      _opcodekit_options() {
        case $1 in
      \(branches("    ", arguments))
          *) _files ;;
        esac
      }

      _opcodekit() {
        local opcodekit_tool=$words[1] verb index=2
        local -a verbs=(\(described(verbs)))
        local -a developers=(\(described(developersVerbs)))
        while [[ $words[index] == --package* && index -lt CURRENT ]]; do
          if [[ $words[index] == --package ]]; then
            (( index + 1 < CURRENT )) || { _files -/; return }
            (( index++ ))
          fi
          (( index++ ))
        done
        if (( index == CURRENT )); then
          _describe command verbs
          return
        fi
        verb=$words[index]
        if [[ $verb == dev ]]; then
          (( index++ ))
          if (( index == CURRENT )); then
            _describe command developers
            return
          fi
          verb="dev $words[index]"
        fi
        shift $((index - 1)) words
        (( CURRENT -= index - 1 ))
        _opcodekit_options $verb
      }
      compdef _opcodekit opcodekit

      """
  }

  private func inZsh(_ words: Words) -> String {
    switch words {
    case .none: " "
    case .directories: "_files -/"
    case .opcodes: "_opcodekit_opcodes"
    case .files(let ending): ending.map { "_files -g \"*\($0)\"" } ?? "_files"
    case .choices(let choices): "(\(choices.joined(separator: " ")))"
    }
  }

  // MARK: fish

  var fish: String {
    let verbLines = verbs.map {
      "complete -c opcodekit -n '__opcodekit_verb \"\"' -a '\($0.name)' -d '\($0.summary.firstClause)'"
    }
    let developersLines = developersVerbs.map {
      "complete -c opcodekit -n '__opcodekit_verb dev' -a '\($0.name)' -d '\($0.summary.firstClause)'"
    }
    let rest = commands.flatMap { command -> [String] in
      let head = "complete -c opcodekit -n '__opcodekit_verb \"\(command.name)\"'"
      let options = command.options.map { option in
        let letter = option.letter.map { " -s \($0)" } ?? ""
        let value = Self.words(for: option).map { " -x\(inFish($0))" } ?? ""
        return "\(head)\(letter) -l \(option.name)\(value) -d '\(option.help.firstClause)'"
      }
      let operands = Self.operands(of: command)
      return (operands == .none ? [] : ["\(head)\(inFish(operands))"]) + options
    }
    return """
      # Completion of the command opcodekit in fish: opcodekit completion fish | source

      # Whether the words before the cursor have this verb; two words for the verbs of dev.
      function __opcodekit_verb
        set -l words (commandline -opc)[2..-1]
        while string match -q -- '--package*' $words[1]
          test $words[1] = --package; and set -e words[1]
          set -e words[1]
        end
        set -l verb $words[1]
        test "$verb" = dev; and set verb (string join ' ' $words[1..2])
        test "$verb" = "$argv[1]"
      end

      function __opcodekit_opcodes
        set -l tool (commandline -opc)[1]
        $tool completion opcodes 2>/dev/null
      end

      complete -c opcodekit -f
      complete -c opcodekit -n '__opcodekit_verb ""' -l package -x -a '(__fish_complete_directories)' -d 'The package whose opcodes these are'
      complete -c opcodekit -l help -d 'Explain the command'
      \((verbLines + developersLines + rest).joined(separator: "\n"))

      """
  }

  private func inFish(_ words: Words) -> String {
    switch words {
    case .none: ""
    case .directories: " -a '(__fish_complete_directories)'"
    case .opcodes: " -a '(__opcodekit_opcodes)'"
    case .files(let ending): " -a '(__fish_complete_suffix \(ending ?? ""))'"
    case .choices(let choices): " -a '\(choices.joined(separator: " "))'"
    }
  }
}
