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
    'add --out') :; return ;;
    'add --in') :; return ;;
    'bench --ksmps') :; return ;;
    'bench --rates') :; return ;;
    'bench --sample-rate') :; return ;;
    'bench --instances') :; return ;;
    'bench --seed') :; return ;;
    'bench --self-check') :; return ;;
    'bench --plugin') _opcodekit_files ''; return ;;
    'bench --csound') _opcodekit_words '6 7'; return ;;
    'bench --time-limit') :; return ;;
    'bench --json') _opcodekit_files ''; return ;;
    'bench --shard') :; return ;;
    'bench --save') :; return ;;
    'bench --against') :; return ;;
    'bench --against-build') _opcodekit_files ''; return ;;
    'bench --threshold') :; return ;;
    'bench --count-threshold') :; return ;;
    'bench --junit') _opcodekit_files ''; return ;;
    'bench --markdown') _opcodekit_files ''; return ;;
    'build --csound') _opcodekit_words '6 7 both'; return ;;
    'build --csound-include') _opcodekit_files /; return ;;
    'build --os') :; return ;;
    'build --arch') :; return ;;
    'build --cpu') :; return ;;
    'check --evidence') _opcodekit_files /; return ;;
    'check --plugin') _opcodekit_files ''; return ;;
    'check --csound') _opcodekit_words '6 7'; return ;;
    'check --time-limit') :; return ;;
    'check --json') _opcodekit_files ''; return ;;
    'check --junit') _opcodekit_files ''; return ;;
    'check --markdown') _opcodekit_files ''; return ;;
    'check --shard') :; return ;;
    'check --results') _opcodekit_files ''; return ;;
    'compare --input') _opcodekit_files ''; return ;;
    'compare --ksmps') :; return ;;
    'compare --rates') :; return ;;
    'compare --sample-rate') :; return ;;
    'compare --plugin') _opcodekit_files ''; return ;;
    'compare --csound') _opcodekit_words '6 7'; return ;;
    'compare --arch') :; return ;;
    'compare --time-limit') :; return ;;
    'compare --json') _opcodekit_files ''; return ;;
    'compare --shard') :; return ;;
    'compare --results') _opcodekit_files ''; return ;;
    'dev docs --output' | 'dev docs -o') _opcodekit_files /; return ;;
    'dev docs --base-path') :; return ;;
    'dev findings --issues') _opcodekit_files /; return ;;
    'dev findings --time-limit') :; return ;;
    'dev findings --json') _opcodekit_files ''; return ;;
    'dev panels --duration') :; return ;;
    'dev panels --pictures') _opcodekit_files /; return ;;
    'dev panels --csound') _opcodekit_words '6 7'; return ;;
    'dev panels --time-limit') :; return ;;
    'dev panels --json') _opcodekit_files ''; return ;;
    'dev panels --shard') :; return ;;
    'dev panels --results') _opcodekit_files ''; return ;;
    'dev sound --plugin') _opcodekit_files ''; return ;;
    'dev sound --csound') _opcodekit_words '6 7'; return ;;
    'dev sound --json') _opcodekit_files ''; return ;;
    'dev spent --duration') :; return ;;
    'dev spent --top') :; return ;;
    'dev spent --jobs') :; return ;;
    'dev spent --time-limit') :; return ;;
    'dev spent --plugin') _opcodekit_files ''; return ;;
    'dev spent --csound') _opcodekit_words '6 7'; return ;;
    'dev spent --json') _opcodekit_files ''; return ;;
    'dev spent --shard') :; return ;;
    'dev spent --results') _opcodekit_files ''; return ;;
    'dev survey --only') :; return ;;
    'dev survey --duration') :; return ;;
    'dev survey --limit') :; return ;;
    'dev survey --time-limit') :; return ;;
    'dev survey --jobs') :; return ;;
    'dev survey --plugin') _opcodekit_files ''; return ;;
    'dev survey --csound') _opcodekit_words '6 7'; return ;;
    'dev survey --json') _opcodekit_files ''; return ;;
    'dev survey --shard') :; return ;;
    'dev survey --results') _opcodekit_files ''; return ;;
    'dev targets --only') :; return ;;
    'dev targets --time-limit') :; return ;;
    'dev targets --json') _opcodekit_files ''; return ;;
    'dev timing --events') :; return ;;
    'dev timing --voices') :; return ;;
    'dev trust --csound') _opcodekit_words '6 7'; return ;;
    'dev trust --jobs') :; return ;;
    'dev trust --json') _opcodekit_files ''; return ;;
    'dev trust --shard') :; return ;;
    'dev trust --results') _opcodekit_files ''; return ;;
    'faster --output' | 'faster -o') _opcodekit_files '.csd'; return ;;
    'faster --only') :; return ;;
    'faster --duration') :; return ;;
    'faster --limit') :; return ;;
    'faster --time-limit') :; return ;;
    'faster --plugin') _opcodekit_files ''; return ;;
    'faster --csound') _opcodekit_words '6 7'; return ;;
    'faster --json') _opcodekit_files ''; return ;;
    'faster --shard') :; return ;;
    'faster --results') _opcodekit_files ''; return ;;
    'install --csound') _opcodekit_words '6 7 both'; return ;;
    'lint --plugin') _opcodekit_files ''; return ;;
    'lint --csound') _opcodekit_words '6 7'; return ;;
    'lint --time-limit') :; return ;;
    'lint --json') _opcodekit_files ''; return ;;
    'list --plugin') _opcodekit_files ''; return ;;
    'list --csound') _opcodekit_words '6 7'; return ;;
    'man --sources') _opcodekit_files /; return ;;
    'man --format') :; return ;;
    'man --output' | 'man -o') _opcodekit_files /; return ;;
    'man --csound') _opcodekit_words '6 7'; return ;;
    'merge --json') _opcodekit_files ''; return ;;
    'merge --junit') _opcodekit_files ''; return ;;
    'merge --markdown') _opcodekit_files ''; return ;;
    'new --opcode') :; return ;;
    'new --out') :; return ;;
    'new --in') :; return ;;
    'new --url') :; return ;;
    'new --tag') :; return ;;
    'new --license') _opcodekit_words 'MIT BSD-2-Clause Apache-2.0 none'; return ;;
    'new --author') :; return ;;
    'package --csound') _opcodekit_words '6 7 both'; return ;;
    'package --csound-include') _opcodekit_files /; return ;;
    'package --out') _opcodekit_files /; return ;;
    'package --os') :; return ;;
    'package --arch') :; return ;;
    'package --cpu') :; return ;;
    'package --version') :; return ;;
    'package --maintainer') :; return ;;
    'package --url') :; return ;;
    'panels --export-osc') _opcodekit_files ''; return ;;
    'panels --target') :; return ;;
    'play --device') :; return ;;
    'play --input') :; return ;;
    'play --period') :; return ;;
    'play --periods') :; return ;;
    'play --sample-rate') :; return ;;
    'play --ksmps') :; return ;;
    'play --midi') :; return ;;
    'play --mpe') :; return ;;
    'play --midi-out') :; return ;;
    'play --clock-out') :; return ;;
    'play --clock-in') :; return ;;
    'play --cc') :; return ;;
    'play --record') _opcodekit_files ''; return ;;
    'play --port') :; return ;;
    'play --osc') :; return ;;
    'play --osc-address') :; return ;;
    'play --duration') :; return ;;
    'play --omacro') :; return ;;
    'play --plugin') _opcodekit_files ''; return ;;
    'play --csound') _opcodekit_words '6 7'; return ;;
    'profile --duration') :; return ;;
    'profile --sample-rate') :; return ;;
    'profile --ksmps') :; return ;;
    'profile --plugin') _opcodekit_files ''; return ;;
    'profile --csound') _opcodekit_words '6 7'; return ;;
    'profile --time-limit') :; return ;;
    'profile --renders') :; return ;;
    'profile --top') :; return ;;
    'profile --json') _opcodekit_files ''; return ;;
    'profile --folded') _opcodekit_files ''; return ;;
    'profile --speedscope') _opcodekit_files ''; return ;;
    'profile --html') _opcodekit_files ''; return ;;
    'record --into') _opcodekit_files /; return ;;
    'record --duration') :; return ;;
    'record --ksmps') :; return ;;
    'record --sample-rate') :; return ;;
    'record --tolerance') :; return ;;
    'record --spectral-limit') :; return ;;
    'record --omacro') :; return ;;
    'record --plugin') _opcodekit_files ''; return ;;
    'record --csound') _opcodekit_words '6 7'; return ;;
    'record --time-limit') :; return ;;
    'render --output' | 'render -o') _opcodekit_files ''; return ;;
    'render --duration') :; return ;;
    'render --omacro') :; return ;;
    'render --sample-rate') :; return ;;
    'render --ksmps') :; return ;;
    'render --plugin') _opcodekit_files ''; return ;;
    'render --csound') _opcodekit_words '6 7'; return ;;
    'render --arch') :; return ;;
    'render --time-limit') :; return ;;
    'render --largest-file') :; return ;;
    'report --output' | 'report -o') _opcodekit_files /; return ;;
    'report --bench') _opcodekit_files ''; return ;;
    'report --sources') _opcodekit_files /; return ;;
    'report --plugin') _opcodekit_files ''; return ;;
    'report --csound') _opcodekit_words '6 7'; return ;;
    'report --arguments') _opcodekit_files ''; return ;;
    'report --time-limit') :; return ;;
    'uninstall --csound') _opcodekit_words '6 7 both'; return ;;
    'validate --plugin') _opcodekit_files ''; return ;;
    'validate --csound') _opcodekit_words '6 7'; return ;;
    'validate --checks') :; return ;;
    'validate --level') :; return ;;
    'validate --seed') :; return ;;
    'validate --jobs') :; return ;;
    'validate --json') _opcodekit_files ''; return ;;
    'validate --junit') _opcodekit_files ''; return ;;
    'validate --arguments') _opcodekit_files ''; return ;;
    'validate --exclude') _opcodekit_files ''; return ;;
    'validate --time-limit') :; return ;;
    'validate --shard') :; return ;;
    'validate --results') _opcodekit_files ''; return ;;
    'watch --device') :; return ;;
    'watch --input') :; return ;;
    'watch --period') :; return ;;
    'watch --periods') :; return ;;
    'watch --sample-rate') :; return ;;
    'watch --ksmps') :; return ;;
    'watch --picture') _opcodekit_files ''; return ;;
    'watch --duration') :; return ;;
    'watch --time-limit') :; return ;;
    'watch --csound') _opcodekit_words '6 7'; return ;;
    'watch --trial') :; return ;;
  esac
  case $verb in
    '') _opcodekit_words 'add bench build check compare completion convert devices faster install lint list man merge new package panels play profile record render report uninstall validate watch dev test --package --version --help'; return ;;
    'dev ') _opcodekit_words 'docs findings panels sound spent survey targets timing trust'; return ;;
  esac
  if [[ $word == -* ]]; then
    case $verb in
      'add') _opcodekit_words '--out --in --help' ;;
      'bench') _opcodekit_words '--all --ksmps --rates --sample-rate --instances --seed --self-check --plugin --csound --time-limit --json --shard --save --replace --against --against-build --counts --threshold --count-threshold --junit --markdown --help' ;;
      'build') _opcodekit_words '--csound --csound-include --os --arch --cpu --all --costs --help' ;;
      'check') _opcodekit_words '--evidence --plugin --csound --time-limit --json --junit --markdown --shard --results --help' ;;
      'compare') _opcodekit_words '--input --ksmps --rates --sample-rate --plugin --csound --arch --time-limit --json --shard --results --help' ;;
      'completion') _opcodekit_words '--help' ;;
      'convert') _opcodekit_words '--help' ;;
      'dev docs') _opcodekit_words '--output --base-path --update --check --help' ;;
      'dev findings') _opcodekit_words '--issues --check --time-limit --json --help' ;;
      'dev panels') _opcodekit_words '--duration --pages --pictures --csound --time-limit --json --shard --results --help' ;;
      'dev sound') _opcodekit_words '--plugin --csound --json --help' ;;
      'dev spent') _opcodekit_words '--duration --top --jobs --time-limit --plugin --csound --json --shard --results --help' ;;
      'dev survey') _opcodekit_words '--only --duration --limit --time-limit --jobs --plugin --csound --json --shard --results --help' ;;
      'dev targets') _opcodekit_words '--only --pieces --time-limit --json --help' ;;
      'dev timing') _opcodekit_words '--events --voices --help' ;;
      'dev trust') _opcodekit_words '--csound --jobs --json --shard --results --help' ;;
      'devices') _opcodekit_words '--json --help' ;;
      'faster') _opcodekit_words '--output --only --duration --limit --time-limit --plugin --csound --json --shard --results --help' ;;
      'install') _opcodekit_words '--csound --help' ;;
      'lint') _opcodekit_words '--plugin --csound --time-limit --json --help' ;;
      'list') _opcodekit_words '--json --plugin --csound --help' ;;
      'man') _opcodekit_words '--sources --markdown --format --output --csound --help' ;;
      'merge') _opcodekit_words '--json --junit --markdown --help' ;;
      'new') _opcodekit_words '--opcode --out --in --with-c --url --tag --license --author --help' ;;
      'package') _opcodekit_words '--csound --csound-include --out --os --all --arch --cpu --version --maintainer --url --help' ;;
      'panels') _opcodekit_words '--export-osc --target --help' ;;
      'play') _opcodekit_words '--device --input --period --periods --sample-rate --ksmps --midi --mpe --midi-out --clock-out --clock-in --cc --record --panel --port --lan --initial --loads --osc --osc-address --duration --omacro --plugin --csound --help' ;;
      'profile') _opcodekit_words '--duration --sample-rate --ksmps --plugin --csound --time-limit --counts --perf --every-call --removal --renders --top --json --folded --speedscope --html --help' ;;
      'record') _opcodekit_words '--into --duration --ksmps --sample-rate --tolerance --spectral-limit --allow-silence --omacro --plugin --csound --time-limit --replace --help' ;;
      'render') _opcodekit_words '--output --duration --omacro --sample-rate --ksmps --plugin --csound --arch --time-limit --largest-file --help' ;;
      'report') _opcodekit_words '--output --bench --sources --plugin --csound --arguments --time-limit --help' ;;
      'uninstall') _opcodekit_words '--csound --help' ;;
      'validate') _opcodekit_words '--plugin --csound --builtin --checks --list --level --seed --jobs --only-failed --json --junit --arguments --exclude --time-limit --shard --results --help' ;;
      'watch') _opcodekit_words '--play --device --input --period --periods --sample-rate --ksmps --picture --duration --time-limit --csound --trial --help' ;;
    esac
    return
  fi
  case $verb in
    'bench') _opcodekit_words "$("$tool" completion opcodes 2>/dev/null)" ;;
    'check') _opcodekit_files '.csd' ;;
    'compare') _opcodekit_words "$("$tool" completion opcodes 2>/dev/null)" ;;
    'completion') _opcodekit_words 'bash zsh fish' ;;
    'convert') _opcodekit_files '' ;;
    'dev timing') _opcodekit_words '[events latency timers ring channels panel]...' ;;
    'faster') _opcodekit_files '.csd' ;;
    'lint') _opcodekit_files '.so' ;;
    'man') _opcodekit_words "$("$tool" completion opcodes 2>/dev/null)" ;;
    'new') _opcodekit_files / ;;
    'panels') _opcodekit_files '.csd' ;;
    'play') _opcodekit_files '.csd' ;;
    'profile') _opcodekit_files '.csd' ;;
    'record') _opcodekit_files '.csd' ;;
    'render') _opcodekit_files '.csd' ;;
    'report') _opcodekit_words "$("$tool" completion opcodes 2>/dev/null)" ;;
    'validate') _opcodekit_words "$("$tool" completion opcodes 2>/dev/null)" ;;
    'watch') _opcodekit_files '.csd' ;;
  esac
}
complete -F _opcodekit opcodekit
