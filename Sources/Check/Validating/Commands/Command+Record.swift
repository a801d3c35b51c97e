import CommandKit
import Foundation
import HarnessBase
import Rendering

extension Command {
  private static let into = Option(
    name: "into", value: "DIR",
    help: "The recordings' directory; 'golden' beside each CSD unless given.")
  private static let duration = Option(
    name: "duration", value: "SECONDS", takes: .number(GoldenRecording.durationRange),
    help: "Render this many seconds of a CSD that does not end sooner.")
  private static let ksmps = Option(
    name: "ksmps", value: "LIST", takes: .wholeNumbers(Orchestra.ksmpsRange),
    help: "Also record variants at these ksmps, such as 1,64.")
  private static let sampleRate = Option(
    name: "sample-rate", value: "LIST", takes: .numbers(Orchestra.sampleRateRange),
    help: "Also record variants at these sample rates.")
  private static let tolerance = Option(
    name: "tolerance", value: "DB", takes: .number(GoldenRecording.Limits.toleranceRange),
    help: "Largest RMS of a difference over that of the reference; -90 unless given.")
  private static let spectralLimit = Option(
    name: "spectral-limit", value: "DB", takes: .number(GoldenRecording.Limits.spectralRange),
    help: "Largest spectral distance; 0.1 unless given.")
  private static let allowSilence = Option(
    name: "allow-silence", help: "Record a silent sound, too, and let check pass it.")
  private static let replace = Option(
    name: "replace", help: "Replace existing recordings; options not given keep their values.")

  static let record = Command(
    name: "record", operands: "CSD …",
    summary: "Keep what orchestras sound like, for check to compare with.",
    options: [
      into, duration, ksmps, sampleRate, tolerance, spectralLimit, allowSilence, .macros, .plugin,
      .toolCsound, .timeLimit, replace,
    ]
  ) { arguments throws(Failure) in
    guard !arguments.operands.isEmpty else {
      throw .usage("record needs a CSD; see ./opcodekit record --help.")
    }
    let orders = try arguments.operands.map { csd throws(Failure) in
      try Order(csd: csd, arguments)
    }
    try arguments.handOver(toHostOf: orders.map(\.csd))
    for (index, order) in orders.enumerated() {
      if let other = orders[..<index].first(where: { $0.file.path == order.file.path }) {
        throw .usage(
          "'\(other.csd)' and '\(order.csd)' would have the same recording; give each CSD once,"
            + " and record those of the same name with another --into.")
      }
    }
    var rows = [["orchestra", "variant", "seconds", "channels", "sr", "peak dBFS", "again dB"]]
    for order in orders {
      let line = ProgressLine(order.csd)
      let recorded = try Golden(arguments).record(
        order.file, order.variants, replacing: order.old
      ) { line.count($1) }
      ProgressLine.clear()
      rows += recorded.map { item in
        let reference = item.reference
        return [
          OrchestraAndScore.told(order.csd), reference.variant.title,
          reference.duration.formatted(3),
          "\(reference.scales.count)", "\(Int(reference.sampleRate.rounded()))",
          item.peak > 0 ? (20 * log10(item.peak)).formatted(1) : "silent",
          item.repetition.difference.decibels,
        ]
      }
      printError("Wrote \(Project.short(order.file.path)).")
    }
    print(
      Table(rows: rows, alignment: [.left, .left, .right, .right, .right, .right, .right]).text)
    print(
      ("Recorded \(rows.count - 1) reference\(rows.count == 2 ? "" : "s"); nothing was checked."
        + " ./opcodekit check compares with them from now on.").callingTool)
    return .success
  }

  /// What is to be recorded for one CSD.
  private struct Order {
    let csd: String
    let file: GoldenFile
    let old: GoldenFile?
    let variants: [GoldenRecording.Variant]

    init(csd: String, _ arguments: Arguments) throws(Failure) {
      self.csd = csd
      try requireReadableFile(csd)
      let source = OrchestraAndScore.source(of: csd)
      let path = URL(fileURLWithPath: source?.orchestra ?? csd).standardizedFileURL.path
      let directory =
        arguments[into].map { URL(fileURLWithPath: $0).standardizedFileURL.path }
        ?? GoldenFile.directory(of: path)
      let place = GoldenFile.path(of: path, in: directory)
      old = try Self.existing(place, of: csd, path, arguments)
      var file = old ?? GoldenFile(of: path, in: directory)
      file.made = source == nil ? nil : csd
      file.recording.score = source?.score.map {
        file.relative(URL(fileURLWithPath: $0).standardizedFileURL.path)
      }
      if let seconds = arguments[duration] {
        file.recording.duration = seconds
      }
      if let macros = arguments[.macros] { file.recording.macros = macros }
      // The built plugin is elsewhere on another machine, and check builds it there.
      if !arguments.takesBuiltPlugin, let plugin = Project.plugin(arguments) {
        file.recording.plugin = file.relative(plugin)
      }
      file.played = try file.plugin(arguments)
      if let limit = arguments[tolerance] {
        file.recording.limits.tolerance = limit
      }
      if let limit = arguments[spectralLimit] {
        file.recording.limits.spectralDistance = limit
      }
      if arguments[allowSilence] { file.recording.limits.maySilent = true }
      self.file = file
      variants =
        Self.variants(arguments) ?? old?.recording.references.map(\.variant) ?? [.init()]
    }

    /// The existing recording, which may be replaced; nil if there is none.
    private static func existing(
      _ place: String, of csd: String, _ path: String, _ arguments: Arguments
    ) throws(Failure) -> GoldenFile? {
      guard FileManager.default.fileExists(atPath: place) else { return nil }
      guard arguments[replace] else {
        throw .unwritableOutput(
          "'\(csd)' is recorded already, in '\(Project.short(place))'; ./opcodekit check compares with"
            + " it, --replace records it anew.")
      }
      let old = try GoldenFile(readingFrom: place)
      guard old.csd == path else {
        throw .usage(
          "'\(Project.short(place))' is the recording of '\(Project.short(old.csd))'; give another"
            + " --into for '\(csd)'.")
      }
      return old
    }

    /// The CSD as it is, then every combination of the given ksmps and sample rates; nil if none is
    /// given.
    private static func variants(_ arguments: Arguments) -> [GoldenRecording.Variant]? {
      let (sizes, rates) = (arguments[ksmps], arguments[sampleRate])
      guard sizes != nil || rates != nil else { return nil }
      var variants = [GoldenRecording.Variant()]
      for rate in rates.map({ $0.map(Optional.some) }) ?? [nil] {
        for size in sizes.map({ $0.map(Optional.some) }) ?? [nil] {
          variants.append(.init(sampleRate: rate, ksmps: size))
        }
      }
      return variants
    }
  }
}

extension GoldenRecording.Variant {
  /// The variant's name in a table.
  var title: String { name.isEmpty ? "as it is" : name }
}

extension GoldenFile {
  /// The plugin to play it with: that of `--plugin`, or else the one that the recording names, or else the
  /// built one. A recording that names the build of a package or of the kit is played with the built one, too.
  func plugin(_ arguments: Arguments) throws(Failure) -> String? {
    let built = Project.plugin(arguments)
    guard arguments.takesBuiltPlugin, let recorded = plugin,
      !recorded.contains(/\/build\/lib[^\/]*\.so$/)
    else { return built }
    guard FileManager.default.fileExists(atPath: recorded) else {
      throw .missingInput(
        "'\(Project.short(path))' was recorded with the plugin '\(Project.short(recorded))', which does not exist; name"
          + " the plugin to play with --plugin FILE.")
    }
    return recorded
  }
}

extension Golden {
  init(_ arguments: Arguments) {
    self.init(
      worker: Project.worker,
      parallel: ProcessInfo.processInfo.activeProcessorCount,
      timeLimit: arguments[.timeLimit])
  }
}
