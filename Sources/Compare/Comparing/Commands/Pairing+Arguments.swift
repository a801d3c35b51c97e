import CommandKit
import Foundation
import HarnessBase
import Rendering

/// Builds the plugin of a product of the kit's package if it is out of date.
package typealias ProductBuild = @Sendable (_ product: String) throws(Failure) -> Void

extension Pairing {
  /// The pairings of these names that have one of the selected rates; all pairings if no name is given. A name is that
  /// of an opcode, which stands for all of its files in Benchmarks/, or that of one file or of a group.
  ///
  /// A pairing that cannot be read is left out with a message. If it was asked for, its failure is added to `failures`
  /// instead.
  ///
  /// Pairings of the kit itself, in Benchmarks/kit, are included if they are named, or with `hasKit` if their plugins
  /// can be built. Those with rivals from outside Csound, in Benchmarks/world, are included only if the group or the
  /// file is named. Pairings without a rival are included only with `withoutRivals`, else a message says that they are
  /// left out.
  static func chosen(
    _ names: [String], _ selection: Selection, on csound: CsoundVersion, hasKit: Bool = false,
    withoutRivals: Bool = false, building build: ProductBuild?, failures: inout [Failure]
  ) throws(Failure) -> [Pairing] {
    let root = Project.root
    var (all, broken) = try Pairing.all(in: root + "/Benchmarks", withoutRivals: true)
    let kit = "\(root)/Benchmarks/kit"
    if hasKit && build != nil || !names.isEmpty, FileManager.default.fileExists(atPath: kit) {
      let (own, faulty) = try Pairing.all(in: kit, withoutRivals: true)
      (all, broken) = (all + own, broken + faulty)
    }
    let world = "\(root)/Benchmarks/world"
    var outside: [Pairing] = []
    if names.contains(where: { name in !all.contains { $0.answers(to: name) } }),
      FileManager.default.fileExists(atPath: world)
    {
      let (own, faulty) = try Pairing.all(in: world, withoutRivals: true)
      (outside, broken) = (own, broken + faulty)
    }
    if !withoutRivals {
      let lacking = all.filter { $0.rival.isEmpty }.map { "'\($0.name).json'" }
      if names.isEmpty && !lacking.isEmpty {
        printError(
          "opcodekit: left out: 'rival' is missing in \(lacking.joined(separator: ", ")); only"
            + " bench --against-build and build --cpu native do without.")
      }
      all.removeAll { $0.rival.isEmpty }
    }
    func leaveOut(_ reason: String, where isMeant: (Pairing) -> Bool) {
      let subjects = all.filter(isMeant).map(\.subject)
      guard !subjects.isEmpty else { return }
      printError(
        "opcodekit: left out: the rivals of \(subjects.joined(separator: ", ")) are \(reason)")
      all.removeAll(where: isMeant)
    }
    if names.isEmpty && installedProgram("faust") == nil {
      leaveOut("written in Faust; as root, run: apt-get install faust") {
        $0.rivalSource?.hasSuffix(".dsp") == true
      }
    }
    if names.isEmpty && csound == .seven {
      leaveOut("plugins in C that are not written for Csound 7.") { $0.rivalSource != nil }
    }
    guard !names.isEmpty || !all.isEmpty || !broken.isEmpty else {
      throw .usage(
        "No pair of Benchmarks/ has a rival that can be used, so there is nothing to compare.")
    }
    let chosen = try Self.chosen(
      names, selection, of: all, outside: outside, broken, failures: &failures)
    for product in Set(chosen.compactMap(\.subjectProduct)).sorted() {
      guard let build else {
        throw .unavailable(
          "Opcodes of the plugin '\(product)' are measured with Csound 6 only; leave them out.")
      }
      try build(product)
    }
    return chosen
  }

  private static func chosen(
    _ names: [String], _ selection: Selection, of all: [Pairing], outside: [Pairing],
    _ broken: [(name: String, failure: Failure)], failures: inout [Failure]
  ) throws(Failure) -> [Pairing] {
    for (name, failure) in broken {
      if names.isEmpty || names.contains(name) {
        failures.append(failure)
      } else {
        printError("opcodekit: left out: \(failure.message)")
      }
    }
    var chosen = names.isEmpty ? all : []
    let unreadable = Set(broken.map(\.name))
    for name in names {
      let ofOpcode = all.filter { $0.subject == name }
      let found =
        ofOpcode.isEmpty
        ? (all + outside).filter { $0.name == name || $0.group == name } : ofOpcode
      guard !found.isEmpty || unreadable.contains(name) else {
        let short = Set(all.map(\.subject) + (all + outside).compactMap(\.group))
        let names = short.union((all + outside).map(\.name))
        let isNear = !NearNames.of(name, among: names).isEmpty
        throw .usage(
          NearNames.unknown("No opcode paired with a rival", name, isNear ? names : short))
      }
      chosen += found.filter { item in !chosen.contains { $0.name == item.name } }
    }
    let known = Set(chosen.flatMap { $0.rates.map(\.name) })
    if let unknown = selection.unknownRates(among: known) {
      let names = known.sorted().map { $0.contains(",") ? "'\($0)'" : $0 }
      throw .usage("--rates is '\(unknown)'; it takes \(names.joined(separator: ", ")).")
    }
    return chosen.filter { $0.rates.contains { selection.hasRates($0.name) } }
  }

  /// The pairings whose rivals can be built. The others are left out with a message, and their failures are added.
  static func building(
    _ pairings: [Pairing], _ grid: Grid, failures: inout [Failure]
  ) throws(Failure) -> [Pairing] {
    defer { ProgressLine.clear() }
    var built: [Pairing] = []
    for pairing in pairings {
      if let source = pairing.rivalSource { ProgressLine.show("building \(source)") }
      do throws(Failure) {
        try grid.buildRival(pairing)
        built.append(pairing)
      } catch {
        guard [.badInput, .missingInput, .unavailable].contains(error.kind) else { throw error }
        ProgressLine.clear()
        printError("opcodekit: \(pairing.name) is left out: \(error.message)")
        failures.append(error)
      }
    }
    return built
  }

  /// Whether a command means this pairing by a name: that of the opcode, of the file or of the group.
  func answers(to name: String) -> Bool { [subject, self.name, group].contains(name) }
}

extension Failure {
  /// Fails if single pairings have failed, after the others are done.
  static func raise(_ failures: [Failure]) throws(Failure) {
    guard let first = failures.first else { return }
    for failure in failures where failure != first { printError("opcodekit: \(failure.message)") }
    throw first
  }
}

extension Grid {
  init(_ arguments: Arguments, otherBuild: String? = nil) throws(Failure) {
    self.init(
      root: Project.root, evidenceDirectory: try Project.outputDirectory("compare"),
      plugin: Project.plugin(arguments), otherBuild: otherBuild,
      worker: Project.worker, timeLimit: arguments[.timeLimit])
  }
}

extension Selection {
  init(_ arguments: Arguments) {
    self.init(
      ksmps: arguments[.ksmps], sampleRates: arguments[.sampleRate], rates: arguments[.rates])
  }
}
