import CCsound
import CsoundHost
import HarnessBase

/// Lists the opcodes of Csound itself, without those of other plugins.
enum BuiltinOpcodes {
  static func report() throws(Failure) -> LintReport {
    let csound = try PluginSearch.none.engine().engine
    Csound.loadNeededPlugins(csound)
    var list: UnsafeMutablePointer<opcodeListEntry>?
    let count = Int(csoundNewOpcodeList(csound, &list))
    guard count > 0, let list else { throw .unavailable("Csound does not list its opcodes.") }
    defer { csoundDisposeOpcodeList(csound, list) }
    var report = LintReport()
    var seen: Set<String> = []
    for index in 0..<count {
      let entry = list[index]
      guard let name = entry.opname, let outputs = entry.outypes, let inputs = entry.intypes,
        let found = ccs_find_opcode(csound, 1, name, outputs, inputs)
      else { continue }
      guard
        seen.insert(
          "\(String(cString: name)) \(String(cString: outputs)) \(String(cString: inputs))"
        ).inserted
      else { continue }
      report.signatures += registeredSignatures(in: found, count: 1, .table)
    }
    report.signatures.sort { ($0.name, $0.inputs) < ($1.name, $1.inputs) }
    return report
  }
}
