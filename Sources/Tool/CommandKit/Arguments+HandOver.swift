import Foundation
import HarnessBase
import Rendering

extension Arguments {
  /// If another Csound than the tool's is asked for, replaces this process by the tool that is linked with that Csound,
  /// which the script `opcodekit` builds if it is missing; otherwise does nothing.
  package func handOver() throws(Failure) {
    let csound = self[.toolCsound]
    guard csound != .tools else { return }
    try handOver("", csound)
  }

  /// Replaces this process by another program of the tool, which the script `opcodekit` builds if it is missing.
  package func handOver(to program: String) throws(Failure) {
    try handOver(program, .tools)
  }

  /// Does the same, with the whole tool, if one of these CSDs needs a host of widgets and this program is none.
  package func handOver(toHostOf csds: [String]) throws(Failure) {
    guard WidgetHost.current == nil, csds.contains(where: WidgetHost.isNeeded) else { return }
    try handOver(to: "opcodekit")
  }

  /// An empty name stands for the program that the script chooses.
  private func handOver(_ program: String, _ csound: CsoundVersion) throws(Failure) {
    let script = Project.kit + "/opcodekit"
    var words = [script] + command.split(separator: " ").map(String.init)
    for (name, value) in given where name != Option.toolCsound.name {
      words.append("--\(name)" + (value.isEmpty ? "" : "=\(value)"))
    }
    words += ["--"] + operands
    setenv("OPCODEKIT_TOOL_CSOUND", "\(csound.rawValue)", 1)
    setenv("OPCODEKIT_PROGRAM", program, 1)
    fflush(nil)
    // What is ignored here would be ignored there.
    signal(SIGPIPE, SIG_DFL)
    execv(script, words.map { strdup($0) } + [nil])
    let reason = String(cString: strerror(errno))
    throw Failure(.unavailable, "'\(script)' cannot be started: \(reason).")
  }
}
