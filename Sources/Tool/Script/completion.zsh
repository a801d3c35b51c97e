#compdef opcodekit
# Completion of the command opcodekit in zsh: source <(opcodekit completion zsh), after compinit.
_opcodekit() {
  local -a proposed
  proposed=("${(@f)$($words[1] completion words "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  case $proposed[1] in
    @directories) _files -/ ;;
    @files*) _files -g "*${proposed[1]#@files}" ;;
    ?*)
      proposed=("${(@)proposed//:/\\:}")
      proposed=("${(@)proposed/$'\t'/:}")
      _describe opcodekit proposed ;;
  esac
}
compdef _opcodekit opcodekit
