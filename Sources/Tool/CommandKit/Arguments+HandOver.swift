import Foundation
import HarnessBase
import Rendering

extension Arguments {
  /// If another Csound than the tool's is asked for, replaces this process by the tool that is linked with that Csound,
  /// which the script `opcodekit` builds if it is missing; otherwise does nothing.
  package func handOver() throws(Failure) {
    let chosen = self[.toolCsound]
    guard chosen.version != .tools || chosen.library != nil else { return }
    try handOver("", chosen.version, chosen.library)
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
  private func handOver(
    _ program: String, _ csound: CsoundVersion, _ library: CsoundLibrary? = nil
  ) throws(Failure) {
    try library?.requireFitness()
    for (name, value) in try library?.toolEnvironment() ?? [:] { setenv(name, value, 1) }
    let plugins = library?.plugins.map { " " + $0 } ?? ""
    let script = Project.kit + "/opcodekit"
    var words = [script] + command.split(separator: " ").map(String.init)
    for (name, value) in given where name != Option<ChosenCsound>.toolCsound.name {
      let value = OrchestraAndScore.original(of: value)
      words.append("--\(name)" + (value.isEmpty ? "" : "=\(value)"))
    }
    words.append("--")
    for operand in operands {
      guard let source = OrchestraAndScore.source(of: operand) else {
        words.append(operand)
        continue
      }
      words += [source.orchestra] + (source.score.map { [$0] } ?? [])
    }
    OrchestraAndScore.remove()
    setenv("OPCODEKIT_TOOL_CSOUND", "\(csound.rawValue)\(plugins)", 1)
    setenv("OPCODEKIT_PROGRAM", program, 1)
    fflush(nil)
    // What is ignored here would be ignored there.
    signal(SIGPIPE, SIG_DFL)
    execv(script, words.map { strdup($0) } + [nil])
    let reason = String(cString: strerror(errno))
    throw .unavailable("'\(script)' cannot be started: \(reason).")
  }
}
