import Foundation
import HarnessBase
import Rendering

extension Project {
  /// If another Csound than the tool's is asked for, replaces this process by the tool that is linked with that Csound,
  /// which the script `opcodekit` builds if it is missing; otherwise does nothing.
  package static func handOver(_ arguments: Arguments) throws(Failure) {
    let csound = arguments[.toolCsound]
    guard csound != .tools else { return }
    try handOver(arguments, "", csound)
  }

  /// Replaces this process by another program of the tool, which the script `opcodekit` builds if it is missing.
  package static func handOver(_ arguments: Arguments, to program: String) throws(Failure) {
    try handOver(arguments, program, .tools)
  }

  /// Does the same, with the whole tool, if one of these CSDs needs a host of widgets and this program is none.
  package static func handOver(_ arguments: Arguments, toHostOf csds: [String]) throws(Failure) {
    guard WidgetHost.current == nil, csds.contains(where: WidgetHost.isNeeded) else { return }
    try handOver(arguments, to: "opcodekit")
  }

  /// An empty name stands for the program that the script chooses.
  private static func handOver(
    _ arguments: Arguments, _ program: String, _ csound: CsoundVersion
  ) throws(Failure) {
    let script = kit + "/opcodekit"
    var words = [script] + arguments.command.split(separator: " ").map(String.init)
    for (name, value) in arguments.given where name != Option.toolCsound.name {
      words.append("--\(name)" + (value.isEmpty ? "" : "=\(value)"))
    }
    words += ["--"] + arguments.operands
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
