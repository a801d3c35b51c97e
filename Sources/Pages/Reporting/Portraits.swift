import Comparing
import Foundation
import HarnessBase
import Linting
import PluginBuilding
import Rendering

/// Measures everything that the pages of opcodes show, in worker processes.
public struct Portraits: Sendable {
  /// One measurement to show, and the texts around it.
  public struct Item: Sendable {
    public enum Kind: Sendable {
      /// A call with an impulse in its inputs: its response.
      case response
      /// The same call with a sine of full scale in its inputs.
      case sine
      /// A call without signals: what it generates.
      case generated
      case sound
      case contrast
    }

    public var opcode: String
    /// For a call: the line of syntax that it is an example of.
    public var form: String?
    public var kind: Kind
    /// The call, the orchestra, or the two opcodes.
    public var subject: String
    /// Further lines: the tables of a call, the case of a comparison.
    public var details: [String]
    public var job: PortraitJob
    public var result: Result<Portrait, Failure>
  }

  private let root: String
  private let plugin: String?
  private let pool: WorkerPool

  /// `plugin` has the opcodes; without one they are the worker's own.
  public init(
    root: String, plugin: String?, worker: [String],
    timeLimit: Double = WorkerPool.defaultTimeLimit
  ) {
    self.root = root
    self.plugin = plugin
    // Workers run in the directory of the orchestras, as Csound looks for files there.
    pool = WorkerPool(worker, directory: root + "/csd", timeLimit: timeLimit)
  }

  /// Measures everything that is shown of these opcodes. `examples` are their orchestras, by
  /// opcode; `known` is the file with values for their arguments.
  public func measure(
    _ manuals: [Manual], examples: [String: [String]], arguments known: ArgumentFile,
    parallel: Int, progress: @Sendable @escaping (Int, JobProgress) -> Void
  ) throws(Failure) -> [Item] {
    let signatures = try signatures()
    try known.requireNames(among: signatures)
    // A pairing that is named like its opcode comes before the opcode's other pairings.
    let pairings = try Pairing.all(in: root + "/Benchmarks").pairings
      .sorted { $0.name == $0.subject && $1.name != $1.subject }
    var items: [Item] = []
    for manual in manuals {
      items += manual.forms.flatMap { calls($0, of: manual.name, signatures, known) }
      for pairing in pairings where pairing.subject == manual.name && pairing.rivalSource == nil {
        items.append(try contrast(pairing))
      }
      items += (examples[manual.name] ?? []).map { path in
        Item(
          opcode: manual.name, kind: .sound, subject: path, details: [],
          job: .sound(Orchestra(path: root + "/" + path, plugin: plugin)), result: Self.notYet)
      }
    }
    let reports = try pool.run(items.map(\.job), parallel: parallel) { progress($0, $1.stage) }
    for (index, report) in reports.enumerated() {
      if case .done(let portrait) = report {
        items[index].result = .success(portrait)
      } else {
        items[index].result = .failure(report.failure(of: "Measuring \(items[index].subject)"))
      }
    }
    return items
  }

  private static let notYet = Result<Portrait, Failure>.failure(
    Failure(.internalFault, "It was not measured."))

  private func signatures() throws(Failure) -> [Signature] {
    try pool.run([LintJob(plugin: plugin, amongInstalled: false)])[0]
      .reply(of: "Listing the opcodes").signatures
  }

  /// Calls of a form's first overload with the values of the argument file; empty if it has no
  /// audio output, or takes an array or a spectral signal.
  private func calls(
    _ form: Manual.Form, of opcode: String, _ signatures: [Signature], _ known: ArgumentFile
  ) -> [Item] {
    guard let signature = signatures.first(where: { $0.name == form.overloads.first }),
      let plan = try? CallPlan(
        signature, siblings: signatures.filter { $0.opcode == opcode && $0 != signature },
        entry: known.entry(signature)),
      plan.outputs.contains(where: { $0.rate == .a && !$0.isArray }),
      plan.inputs.allSatisfy({ !$0.isArray && $0.rate != .f })
    else { return [] }
    let inputs = plan.inputs.indices.filter { !plan.inputs[$0].isLeftOut }
    let parameters = form.syntax.inputs
    func name(_ index: Int) -> String {
      let known = plan.inputs[index].data.name
      return index < parameters.count ? parameters[index].name : known ?? "in\(index + 1)"
    }
    let words = inputs.map { index in
      let input = plan.inputs[index]
      if input.isSignal || input.isTable { return name(index) }
      return input.rate == .S ? "\"\(input.data.string ?? "text")\"" : Scene.number(input.value)
    }
    let outputs = form.syntax.outputs.map(\.text)
    let tables = inputs.filter { plan.inputs[$0].isTable }.map {
      "\(name($0)) ftgen 0, 0, \(plan.inputs[$0].data.table!)"
    }
    let call = [outputs.joined(separator: ", "), opcode, words.joined(separator: ", ")]
    let kinds: [(Item.Kind, CallJob.Stimulus)] =
      plan.signals.isEmpty ? [(.generated, .none)] : [(.response, .impulse), (.sine, .sine)]
    return kinds.map { kind, stimulus in
      let job = CallJob(plan: plan, stimulus: stimulus, plugin: plugin, outputNames: outputs)
      return Item(
        opcode: opcode, form: form.syntax.text, kind: kind, subject: call.joined(separator: " "),
        details: tables, job: .call(job), result: Self.notYet)
    }
  }

  /// Compares the opcodes of a pairing in its case with noise, which has all frequencies, or else
  /// in its first case.
  private func contrast(_ pairing: Pairing) throws(Failure) -> Item {
    let item = pairing.cases.first { $0.name.contains("noise") } ?? pairing.cases[0]
    let sampleRates = item.sampleRates ?? pairing.sampleRates
    let sampleRate = sampleRates.contains(48_000) ? 48_000 : sampleRates[0]
    let ksmps = pairing.ksmps.contains(64) ? 64 : pairing.ksmps[0]
    let rates = pairing.rates[0]
    let orchestra = try pairing.orchestra(
      root: root, rates: rates, macros: item.macros, sampleRate: sampleRate, ksmps: ksmps,
      plugin: plugin)
    return Item(
      opcode: pairing.subject, kind: .contrast,
      subject: "\(pairing.subject) and \(pairing.rival)",
      details: [
        "case '\(item.name)', \(rates.name), sr \(Int(sampleRate.rounded())), ksmps \(ksmps)"
      ],
      job: .contrast(
        subject: orchestra.with(["OPCODE": pairing.subject]),
        rival: orchestra.with(pairing.rivalMacros)), result: Self.notYet)
  }
}
