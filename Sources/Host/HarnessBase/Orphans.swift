import CProcess
import Foundation

/// Kills the programs that this one has started, and the programs that those have started, as soon as
/// this program has ended, even by SIGKILL.
///
/// A shell waits at a socket until this program ends. It then kills every process whose environment
/// contains this program's mark, whatever its process group and its parent are.
package enum Orphans {
  /// The environment variable with the mark; programs inherit it. SwiftPM ignores this variable when it
  /// checks whether the environment has changed; for a variable of our own it would evaluate every
  /// manifest again.
  private static let name = "TERM_SESSION_ID"

  private static let mark = "opcodekit-\(UUID().uuidString)"

  /// The shell and our end of its socket; nil if the shell cannot be started, so that nothing is killed.
  private static let watch: (shell: pid_t, connection: Int32)? = {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
    defer { close(ends[1]) }
    var shell: pid_t = 0
    let call = ["/bin/sh", "-c", script, "sh", mark]
    let variables = ["PATH=/usr/bin:/bin", "LC_ALL=C"]
    let words = call.map { strdup($0) } + [nil]
    let settings = variables.map { strdup($0) } + [nil]
    defer { for text in words + settings { free(text) } }
    guard process_start(&shell, "/bin/sh", words, settings, "/", [ends[1], -1, -1]) == 0 else {
      close(ends[0])
      return nil
    }
    atexit { Orphans.end() }
    return (shell, ends[0])
  }()

  /// After an orderly end the script stops at the first search that finds no process, otherwise at the
  /// second in a row: a process that was just being started may not have its environment yet. It gives
  /// up after 30 searches.
  private static let script = """
    trap '' HUP INT TERM
    read -r looks
    passes=0
    empty=0
    while [ "$empty" -lt "${looks:-2}" ] && [ "$passes" -lt 30 ]; do
      [ "$passes" = 0 ] || sleep 0.1
      passes=$((passes + 1))
      empty=$((empty + 1))
      for file in $(grep -lsaF "$1" /proc/[0-9]*/environ); do
        empty=0
        number=${file#/proc/}
        kill -9 "${number%/environ}"
      done
    done
    """

  /// The environment with the mark, for a program that is to end when this one ends.
  package static func marked(_ environment: [String: String]) -> [String: String] {
    guard watch != nil else { return environment }
    var marked = environment
    let outer = environment[name]
    guard outer?.contains(mark) != true else { return environment }
    marked[name] = outer.map { "\($0) \(mark)" } ?? mark
    return marked
  }

  /// The words that start a program which is to stay when this one ends, such as a server for several programs.
  package static func outliving(_ words: [String]) -> [String] {
    ["/usr/bin/env", "-u", name] + words
  }

  /// Marks every program that this one starts from now on, by whatever call. It changes this process's
  /// environment, so no other thread may read the environment at the same time.
  package static func markAll() {
    guard let value = marked(ProcessInfo.processInfo.environment)[name] else { return }
    setenv(name, value, 1)
  }

  private static func end() {
    guard let watch else { return }
    send(watch.connection, "1\n", 2, Int32(MSG_NOSIGNAL))
    var status: Int32 = 0
    while waitpid(watch.shell, &status, 0) == -1, errno == EINTR {}
  }
}
