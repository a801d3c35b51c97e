# How the script `opcodekit` runs the kit's own tests.

# The words for `swift test`.
swift_testing=(--disable-index-store --enable-swift-testing --disable-xctest)

# The command `test` of the kit, after that word.
kit_tests() {
  if [ "${1:-}" = --all ]; then
    export OPCODEKIT_TESTS=all
    shift
  fi
  # bench, as tests run it, times briefly.
  export OPCODEKIT_TESTS=${OPCODEKIT_TESTS:-brief}
  require_swift
  install_extras tests "${OPCODEKIT_TESTS:-}"
  case ${1:-} in
    --changed | [!-]*) run_some_tests "$@" ;;
  esac
  forget_moved_build
  run_tests "$@"
}

# Runs the tests. A build with a sanitizer has a directory of its own, so that the other build remains up to date.
run_tests() {
  local kind tests
  kind=$(value_of --sanitize "$@")
  cd -- "$OPCODEKIT_ROOT"
  if [ -n "$kind" ]; then
    tests=$OPCODEKIT_ROOT/Tests/Sanitizers
    export OPCODEKIT_SANITIZER=$kind
    # Leaks are not detected, because memory that main still holds at exit, and that Foundation's Process.run keeps,
    # would be reported.
    export ASAN_OPTIONS=detect_leaks=0${ASAN_OPTIONS:+:$ASAN_OPTIONS}
    export TSAN_OPTIONS=suppressions=$tests/thread.txt${TSAN_OPTIONS:+:$TSAN_OPTIONS}
    set -- --scratch-path ".build/sanitize-$kind" "$@"
  fi
  # Builds the tests and the tool, then the plugin that the tests play.
  if [ -z "$kind" ]; then
    [ -e .build/macros ] || begin_plugin test >/dev/null 2>&1 </dev/null &
    swift_build --build-tests || fail 65 "the build failed; the compiler's messages are above."
    # The usual tests play the opcodes as compiled for this machine's level alone.
    if [ "$OPCODEKIT_TESTS" = all ]; then
      "$programs/opcodekit" build >/dev/null || exit
    else
      "$programs/opcodekit" list >/dev/null || exit
    fi
    [ $# -gt 0 ] || run_tests_side_by_side
    set -- --skip-build "$@"
  fi
  local events=.build/test-events.jsonl ending=0
  rm -f -- "$events"
  swift test "${swift_testing[@]}" --event-stream-output-path "$events" "$@" || ending=$?
  [ -e "$events" ] || exit "$ending"
  "$programs/opcodekit" test-summary "$events"
  exit "$ending"
}

# Runs all tests that are built, except those of what plays live while that is as it was when they last passed. Tests of
# commands often wait for other programs, so they run in parallel with the rest.
run_tests_side_by_side() {
  local tests=$programs/OpcodeKitPackageTests.xctest events=.build/test-events ending=0 other passed=.build/live-tests
  local left
  left=$("$programs/opcodekit" tests-left-out "$passed")
  rm -f -- "$events"-*.jsonl
  # Signals that the caller ignores (nohup does), or that bash ignores in background jobs, have their default effect.
  env --default-signal "$tests" --testing-library swift-testing --filter '^CommandTests\.' \
    --skip "^(${left// /|})[./]" --event-stream-output-path "$events-commands.jsonl" &
  other=$!
  env --default-signal "$tests" --testing-library swift-testing --skip "^(CommandTests${left:+|${left// /|}})[./]" \
    --event-stream-output-path "$events-modules.jsonl" || ending=$?
  wait "$other" || ending=$?
  "$programs/opcodekit" test-summary "$events-modules.jsonl"
  "$programs/opcodekit" test-summary "$events-commands.jsonl"
  [ "$ending" != 0 ] || mv -f -- "$passed.begun" "$passed" || true
  [ -z "$left" ] || echo "Left out, because what they test is as it was when they last passed (test --all runs them):
$left"
  exit "$ending"
}

# Runs some tests in a debug build, which takes seconds after a change of one file: with --changed those about files
# changed since the last commit, else those with these names.
run_some_tests() {
  local filter files
  cd -- "$OPCODEKIT_ROOT"
  swift_build --build-tests || fail 65 "the build failed; the compiler's messages are above."
  if [ "$1" = --changed ]; then
    mapfile -t files < <(git diff --name-only HEAD && git ls-files --others --exclude-standard)
    [ ${#files[@]} -gt 0 ] || fail 0 "nothing has changed since the last commit."
    filter=$("$programs/opcodekit" changed-tests "${files[@]}")
    [ -n "$filter" ] || fail 0 "no test is about ${files[*]}; ./opcodekit test runs them all."
    shift
  else
    filter=$1
    shift
    while [ $# -gt 0 ] && [[ $1 != -* ]]; do
      filter="$filter|$1"
      shift
    done
  fi
  exec swift test "${swift_testing[@]}" --skip-build --filter "$filter" "$@"
}
