/// The signatures and GEN routines that a plugin registers, and the findings about them.
public struct LintReport: Codable, Sendable {
  public var signatures: [Signature] = []
  /// The names of its GEN routines.
  public var generators: [String] = []
  public var findings: [Finding] = []

  public init() {}

  init(_ recording: Recording, _ findings: [Finding]) {
    signatures = recording.signatures
    generators = recording.generators
    self.findings = recording.findings + findings
  }

  public func count(_ severity: Finding.Severity) -> Int {
    findings.count { $0.severity == severity }
  }

  /// Adds findings to each report for the signatures that an earlier report has, too.
  public static func addClashes(to reports: inout [(name: String, report: LintReport)]) {
    struct Key: Hashable { var opcode, outputs, inputs: String }
    var owners: [Key: String] = [:]
    for index in reports.indices {
      let name = reports[index].name
      let signatures = reports[index].report.signatures
      let keys = signatures.map { Key(opcode: $0.opcode, outputs: $0.outputs, inputs: $0.inputs) }
      var seen: Set<Key> = []
      for (signature, key) in zip(signatures, keys) {
        guard let owner = owners[key], seen.insert(key).inserted else { continue }
        reports[index].report.findings.append(
          .fault(
            .signatureAcrossPlugins, signature,
            "\(signature.subject) is in '\(owner)' too; which of the two is called depends on the order"
              + " in which Csound loads them. Use one of the plugins, or give one another name."))
      }
      for key in keys where owners[key] == nil { owners[key] = name }
    }
  }
}
