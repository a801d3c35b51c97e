import CommandKit
import Comparing
import Foundation
import HarnessBase
import PluginBuilding
import Rendering

/// Plays plugins for targets.
struct TargetTrialRun {
  let build: PluginBuild
  /// The directory for the run's files.
  let directory: String
  let comparesPairs: Bool
  let timeLimit: Double

  /// Seconds of sound that are rendered of each piece.
  private static let seconds = 1.0

  /// Builds the plugin for a target, plays all pieces with it and compares all pairs. If the machine lacks something
  /// for that, the result says so.
  func trial(of target: BuildTarget) throws(Failure) -> TargetTrial {
    var trial = TargetTrial(
      csound: target.csound.release, processor: target.processor.rawValue, level: target.level)
    if target.system != .linux { trial.system = target.system.title }
    do throws(Failure) {
      try build.renew(for: target)
      trial.isBuilt = true
      trial.bytes = build.size(for: target)
      trial.needs = try build.needs(for: target)
      if target.system == .linux { trial.glibc = try build.neededGlibc(for: target) }
      var (player, plugin) = (CsoundProgram?.none, build.path(for: target))
      if target.system == .macos {
        let loader = try MacPlayer(for: target.csound, plugin: plugin, kit: Project.kit)
        (player, plugin) = (CsoundProgram(loader), loader.loader)
      } else {
        player = try target.player()
      }
      trial.player = player?.name ?? "this machine's Csound"
      trial.pieces = try pieces(target, player, plugin)
      if comparesPairs, target.isForEvery, target.system == .linux {
        trial.pairs = try pairs(target, player)
      }
    } catch {
      guard error.kind == .unavailable else { throw error }
      trial.lack = error.message
    }
    return trial
  }

  // MARK: Pieces

  /// Plays all pieces with the plugin at a path and compares their sound with that of the measure.
  private func pieces(
    _ target: BuildTarget, _ player: CsoundProgram?, _ plugin: String
  ) throws(Failure) -> [TargetTrial.Piece] {
    let folder = build.directory + "/csd"
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .filter { $0.hasSuffix(".csd") }.sorted()
    // On another operating system the same Csound on Linux is the measure.
    var measure = BuildTarget.tools
    if target.system != .linux {
      measure = BuildTarget(target.csound, player?.processor ?? target.processor)
    }
    try build.renew(for: measure)
    let measuring = try measure.player()
    var jobs: [CompareJob] = []
    var pieces: [TargetTrial.Piece] = []
    for file in names {
      let path = "\(folder)/\(file)"
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      for isFed in [false, true] where !isFed || text.contains("opcode Input, a, i") {
        let name = String(file.dropLast(4))
        var rival = Orchestra(
          path: path, macros: ["DURATION": "\(Self.seconds)"], plugin: build.path(for: measure))
        rival.player = measuring
        if isFed { rival.macros["SIGNAL"] = "Input" }
        var subject = rival
        subject.plugin = plugin
        subject.player = player
        let channels = text.firstMatch(of: /nchnls = (\d+)/).flatMap { Int($0.output.1) } ?? 1
        jobs.append(
          CompareJob(
            subject: subject, rival: rival, input: isFed ? try noise(channels) : nil,
            // The difference is only measured, so a limit that every difference meets.
            tolerance: 40,
            evidence: Evidence(directory: "\(directory)/\(target.suffix)/\(name)")))
        pieces.append(TargetTrial.Piece(name: name, isFed: isFed))
      }
    }
    let pool = WorkerPool(
      executable: Project.executable, arguments: ["worker"], directory: folder,
      timeLimit: timeLimit)
    let reports = try pool.run(jobs, parallel: 2)
    for (index, report) in reports.enumerated() {
      guard let comparison = report.reply, comparison.verdict == .passed else {
        pieces[index].failure =
          report.reply.map { "its sound is compared in vain: \($0.verdict.rawValue)" }
          ?? report.failure(of: "playing it").message
        continue
      }
      pieces[index].nullDepth = comparison.nullDepth.finite
      pieces[index].peakError = comparison.peakError.finite
    }
    return pieces
  }

  /// A sound file of noise, the same in every run.
  private func noise(_ channels: Int) throws(Failure) -> String {
    let path = "\(directory)/noise-\(channels).wav"
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    var state: UInt64 = 1
    let count = Int(48_000 * Self.seconds) * channels
    let samples = (0..<count).map { _ in
      // Knuth's MMIX generator: The Art of Computer Programming, volume 2, 3.3.4.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(Int64(bitPattern: state)) / 0x1p64
    }
    try Sound(sampleRate: 48_000, channelCount: channels, samples: samples).write(to: path)
    return path
  }

  // MARK: Pairs

  private func pairs(
    _ target: BuildTarget, _ player: CsoundProgram?
  ) throws(Failure) -> [TargetTrial.Pair] {
    var grid = Grid(
      root: build.directory, evidenceDirectory: "\(directory)/\(target.suffix)-pairs",
      plugin: build.path(for: target), worker: [Project.executable, "worker"],
      timeLimit: timeLimit)
    grid.player = player
    let selection = Selection(ksmps: [64], sampleRates: [48_000])
    var pairs: [TargetTrial.Pair] = []
    for pairing in try Pairing.all(in: build.directory + "/Benchmarks").pairings {
      let cases = try grid.compare(pairing, selection)
      let failures = cases.filter { !$0.passed }.map { item in
        guard let comparison = item.comparison else {
          return item.report.failure(of: "'\(item.name)', \(item.rates)").message
        }
        return "'\(item.name)', \(item.rates): \(comparison.nullDepth.decibels) dB, limit"
          + " \(item.tolerance.decibels) dB"
      }
      pairs.append(
        TargetTrial.Pair(name: pairing.name, comparisons: cases.count, failures: failures))
    }
    return pairs
  }
}
