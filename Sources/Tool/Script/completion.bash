# Completion of the command opcodekit in bash: source <(opcodekit completion bash)
_opcodekit() {
  local IFS=$'\n' word=${COMP_WORDS[COMP_CWORD]} proposed
  [ "$word" != = ] || word=
  mapfile -t proposed < <("$1" completion words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  case ${proposed[0]} in
    @directories) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
    @files*)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$word"; compgen -f -X "!*${proposed[0]#@files}" -- "$word" |
        while IFS= read -r name; do [ -d "$name" ] || echo "$name"; done) ;;
    *) mapfile -t COMPREPLY < <(compgen -W "${proposed[*]%%$'\t'*}" -- "$word") ;;
  esac
}
complete -F _opcodekit opcodekit
