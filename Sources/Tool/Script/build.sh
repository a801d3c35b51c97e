# How the script `opcodekit` builds the program that a command runs.

require_swift() {
  command -v swift >/dev/null ||
    fail 69 "Swift 6.3 or newer is missing: install it from https://www.swift.org/install/linux and put 'swift' on the PATH."
}

# A build by Swift contains the path of its directory, so it is of no use after the directory is moved.
forget_moved_build() {
  local plan=$OPCODEKIT_ROOT/$scratch/debug.yaml
  [ -e "$plan" ] && ! grep -qF "\"$OPCODEKIT_ROOT/" "$plan" || return 0
  echo "opcodekit: this directory was somewhere else when it was built; building anew" >&2
  rm -rf -- "$OPCODEKIT_ROOT/.build"
}

# Removes the tool for Csound 7 that was built before a C header of the kit changed, because Swift does not notice that
# for headers of the system. The date of the file `begun` is that of the first build.
forget_older_headers() {
  [ "$csound" = 7 ] || return 0
  [ ! -e $scratch/begun ] || [ -n "$(find Sources/Kit/CCsound -newer $scratch/begun -print -quit)" ] || return 0
  rm -rf -- $scratch
  mkdir -p $scratch
  touch $scratch/begun
}

# The manifest links the tool with the Csound 7 that the variable names.
swift_command() {
  if [ "$csound" = 7 ]; then
    env -u OPCODEKIT_STANDALONE OPCODEKIT_CSOUND7="$OPCODEKIT_ROOT/.build/csound7/host" swift "$@"
  else
    swift "$@"
  fi
}

# Builds and shows the progress: on a terminal as Swift does, elsewhere with a line for each 20 %.
swift_build() {
  local line fifths shown=0
  # The compiler's index takes a fifth of the time. Editors make their own.
  set -- --disable-index-store "${swift_words[@]}" "$@"
  # Within `swift package build-opcodes`, which has locked .build.
  [ -z "${OPCODEKIT_IGNORES_LOCK:-}" ] || set -- --ignore-lock "$@"
  if [ -t 2 ]; then
    swift_command build "$@" >&2
    return
  fi
  swift_command build "$@" 2>&1 | while IFS= read -r line; do
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
      fifths=$((5 * BASH_REMATCH[1] / BASH_REMATCH[2]))
      [ "$fifths" -le "$shown" ] || echo "opcodekit: built $((20 * fifths)) %" >&2
      shown=$((fifths > shown ? fifths : shown))
    elif [[ $line != Build* && $line != *whole*module*optimization* ]]; then
      # Leaves out the compiler's remark that optimised modules are compiled as a whole.
      echo "$line" >&2
    fi
  done
}

# The programs that have a command, beginning with the one that is built soonest; the whole tool has every command.
programs_of() {
  local named
  case $1 in
    --version) named='opcodekit-bench opcodekit-core' ;;
    test) named=opcodekit-core ;;
    *) named=$(awk -F '\t' -v name="$1" '$1 == name { print $2 }' "$OPCODEKIT_ROOT/$tables/commands.txt" 2>/dev/null) || true ;;
  esac
  echo ${named%opcodekit} opcodekit
}

# Whether a program exists and no source is newer; documentation does not count as source.
is_fresh() {
  [ -x "$programs/$1" ] &&
    [ -z "$(find Package.swift Sources -name '*.docc' -prune -o -newer "$programs/$1" -print -quit)" ]
}

# Builds in the background what a new clone's first command needs in addition to its program: the program that expands
# macros and, for a command that plays the pack, the plugin for this machine, with the arguments of plugin.flags, which
# PluginBuild.swift uses, too. PluginBuild.swift later waits for this build, and builds again whatever differs.
begin_plugin() {
  local macros=.build/macros/release/OpcodeMacros-tool level=x86-64-v3 target flag words
  export OPCODEKIT_STANDALONE=1
  swift build -c release --scratch-path .build/macros --product OpcodeMacros && [ -e "$macros" ] || return
  case $1 in bench | compare | lint | list | play | render | test | validate) ;; *) return ;; esac
  [ "$(uname -m)" = x86_64 ] || return
  for flag in avx2 bmi2 fma movbe abm f16c; do grep -qw "$flag" /proc/cpuinfo || level=x86-64; done
  flag=$OPCODEKIT_ROOT/$macros-$(date -r "$macros" +%s)
  ln -f "$macros" "$flag"
  target=$level
  [ "$csound" = 6 ] || target=csound7-$level
  mapfile -t words < <(sed "/^#/d; s|{kit}|$OPCODEKIT_ROOT|; s|{plugin}|libopcodes-$target.so|" \
    Sources/Kit/CCsound/plugin.flags)
  [ "$csound" = 6 ] || words+=(-Xcc "-I$OPCODEKIT_ROOT/.build/csound7/include")
  OPCODEKIT_MACROS=1 swift build --package-path "$OPCODEKIT_ROOT" -c release \
    --scratch-path "$OPCODEKIT_ROOT/.build/standalone-$target" --product opcodes "${words[@]}" \
    -Xswiftc -load-plugin-executable -Xswiftc "$flag#OpcodeMacros" -Xcc -march="$level"
}

# The program to run for a command. Builds it if a source is newer.
fresh_program() {
  local command played package program stamp least
  command=$(command_of "$@")
  # In a package the package's own plugin is played, not the kit's.
  if in_package; then package=$PWD; else played=${1:-}; fi
  cd -- "$OPCODEKIT_ROOT"
  forget_moved_build
  least=$(programs_of "$command")
  [ -z "$asked_program" ] || least="$asked_program opcodekit"
  for program in $least; do
    if is_fresh "$program"; then
      echo "$program"
      return
    fi
  done
  read -r program _ <<<"$least"
  require_swift
  fetch_csound7 host include
  forget_older_headers
  echo "opcodekit: building$([ "$csound" = 6 ] || echo ' for Csound 7')" >&2
  # The program gets the date at which the build began, so that sources saved during the build are newer.
  mkdir -p .build
  stamp=$(mktemp .build/begin.XXXXXX)
  trap "rm -f -- '$stamp'" EXIT
  [ -e .build/macros ] || begin_plugin "${played:-}" >/dev/null 2>&1 </dev/null &
  # The plugin of a package is built meanwhile, if there is a program that can.
  if [ "$command" = test ] && [ -n "${package:-}" ] && is_fresh opcodekit-bench; then
    (cd -- "$package" && exec "$programs/opcodekit-bench" test-build) >/dev/null 2>&1 </dev/null &
  fi
  swift_build --product "$program" || fail 65 "the build failed; the compiler's messages are above."
  touch -r "$stamp" "$programs/$program"
  echo "$program"
}
