import CsoundHost
import Foundation
import HarnessBase
import Rendering

/// Records the sound of orchestras and checks that they still sound the same, on the side of the
/// parent process. Every render has its own worker process.
public struct Golden: Sendable {
  private let pool: WorkerPool
  private let parallel: Int

  public init(
    worker: [String], parallel: Int, timeLimit: Double = WorkerPool.defaultTimeLimit
  ) {
    // A new process for each render, so that an engine's leftovers cannot affect the next render.
    pool = WorkerPool(
      worker, pinsPlugins: false, pinsOptions: true, timeLimit: timeLimit, jobsPerWorker: 1)
    self.parallel = parallel
  }

  /// A variant that was recorded.
  public struct Recorded: Sendable {
    public var reference: GoldenRecording.Reference
    /// Largest absolute sample, full scale at 1.
    public var peak: Double
    /// The comparison of a second render with the reference.
    public var repetition: GoldenComparison
  }

  /// Renders the variants of an orchestra, each twice, and writes the recording. If a variant
  /// cannot be rendered, or the second render is not within the recording's limits, it fails and
  /// changes no file. FLAC files of the earlier recording `old` that are no longer used are
  /// removed.
  public func record(
    _ file: GoldenFile, _ variants: [GoldenRecording.Variant], replacing old: GoldenFile?,
    progress: @Sendable @escaping (Int, JobProgress) -> Void = { _, _ in }
  ) throws(Failure) -> [Recorded] {
    let isNew = !FileManager.default.fileExists(atPath: file.directory)
    try makeDirectory(file.directory)
    var outputs: [OutputFile] = []
    let others = file.others
    let own = old?.recording.references.map(\.file) ?? []
    for variant in variants {
      let name = file.fileName(variant)
      if let owner = others[name] {
        throw .unwritableOutput(
          "'\(file.directory)/\(name)' belongs to the recording '\(owner)'; give another --into.")
      }
      let path = "\(file.directory)/\(name)"
      guard !FileManager.default.fileExists(atPath: path) || own.contains(name) else {
        throw .unwritableOutput(
          "'\(path)' is there, and is of no recording; move it, or give another --into.")
      }
      outputs.append(try OutputFile(path))
    }
    defer {
      for output in outputs { output.discard() }
      // Removes it only when it is empty.
      if isNew { rmdir(file.directory) }
    }
    let recorded = try render(file, variants, outputs, progress)
    for output in outputs { try output.finish() }
    var finished = file
    finished.recording.references = recorded.map(\.reference)
    finished.recording.csound = Csound.version
    try finished.write()
    let kept = recorded.map(\.reference.file)
    for reference in old?.recording.references ?? []
    where !kept.contains(reference.file) && others[reference.file] == nil {
      unlink(file.directory + "/" + reference.file)
    }
    return recorded
  }

  private func render(
    _ file: GoldenFile, _ variants: [GoldenRecording.Variant], _ outputs: [OutputFile],
    _ progress: @Sendable @escaping (Int, JobProgress) -> Void
  ) throws(Failure) -> [Recorded] {
    let recording = file.recording
    let jobs = zip(variants, outputs).map { variant, output in
      RecordJob(
        orchestra: file.orchestra(variant), duration: recording.duration, output: output,
        maySilent: recording.limits.maySilent)
    }
    let rendered = try pool.run(jobs, parallel: parallel) { progress($0, $1.stage) }
    let sounds = try zip(variants, rendered).map { variant, report throws(Failure) in
      guard let sound = report.reply else {
        throw variant.told(report.failure(of: "Rendering '\(file.csd)'"))
      }
      return sound
    }
    let references = zip(variants, sounds).map { variant, sound in
      GoldenRecording.Reference(
        variant: variant, file: file.fileName(variant), sampleRate: sound.sampleRate,
        frames: sound.frames, scales: sound.scales)
    }
    let checks = zip(references, outputs).map { reference, output in
      file.check(reference, path: output.part, evidence: nil)
    }
    let reports = try pool.run(checks, parallel: parallel) { progress($0, $1.stage) }
    var recorded: [Recorded] = []
    for (index, report) in reports.enumerated() {
      let variant = variants[index]
      guard let checked = report.reply else {
        throw variant.told(report.failure(of: "Rendering '\(file.csd)' again"))
      }
      if let deviation = checked.comparison.deviations.first {
        throw variant.told(
          .badInput(
            "'\(file.csd)' sounds different each time: rendered again, \(deviation.sentence); give its"
              + " random opcodes fixed seeds, or --tolerance and --spectral-limit that allow it."))
      }
      recorded.append(
        Recorded(
          reference: references[index], peak: sounds[index].peak, repetition: checked.comparison))
    }
    return recorded
  }

  /// A variant that was checked.
  public struct Checked: Codable, Sendable {
    public var file: GoldenFile
    public var reference: GoldenRecording.Reference
    public var evidence: GoldenEvidence
    let report: Report<CheckedSound>

    public var result: Result<CheckedSound, Failure> {
      report.reply.map { .success($0) } ?? .failure(report.failure(of: "Rendering '\(file.csd)'"))
    }

    public var passed: Bool { (try? result.get().comparison.passed) == true }
  }

  /// Renders every variant of the recordings and compares it with its reference. For variants that
  /// differ, sounds and a picture are written into subdirectories of `evidence`.
  public func check(
    _ files: [GoldenFile], evidence directory: String,
    progress: @Sendable @escaping (Int, JobProgress) -> Void = { _, _ in }
  ) throws(Failure) -> [Checked] {
    var names: Set<String> = []
    var items: [(file: GoldenFile, reference: GoldenRecording.Reference, evidence: GoldenEvidence)]
    items = []
    for file in files {
      for reference in file.recording.references {
        let name = (file.fileName(reference.variant) as NSString).deletingPathExtension
        var unique = name
        var number = 1
        while !names.insert(unique).inserted {
          number += 1
          unique = "\(name)-\(number)"
        }
        let evidence = GoldenEvidence(directory: directory + "/" + unique)
        evidence.remove()
        items.append((file, reference, evidence))
      }
    }
    let jobs = items.filter { $0.file.obstacle == nil }.map { item in
      let path = item.file.directory + "/" + item.reference.file
      return item.file.check(item.reference, path: path, evidence: item.evidence)
    }
    var reports = try pool.run(jobs, parallel: parallel) { progress($0, $1.stage) }[...]
    return items.map { item in
      Checked(
        file: item.file, reference: item.reference, evidence: item.evidence,
        report: item.file.obstacle.map(Report.failed) ?? reports.removeFirst())
    }
  }
}

extension GoldenFile {
  fileprivate func check(
    _ reference: GoldenRecording.Reference, path: String, evidence: GoldenEvidence?
  ) -> CheckJob {
    CheckJob(
      orchestra: orchestra(reference.variant), duration: recording.duration,
      reference: reference, path: path, limits: recording.limits, evidence: evidence)
  }

  fileprivate func write() throws(Failure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let output = try OutputFile(path)
    do {
      try output.write(encoder.encode(recording) + Data("\n".utf8))
    } catch let failure as Failure {
      throw failure
    } catch {
      throw .internalFault("'\(path)' cannot be written as JSON: \(error).")
    }
  }

  /// The sound files of other recordings in its directory, with the names of those.
  fileprivate var others: [String: String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    let own = name + Self.suffix
    return names.filter { $0.hasSuffix(Self.suffix) && $0 != own }.reduce(into: [:]) {
      files, name in
      let other = try? GoldenFile(readingFrom: "\(directory)/\(name)")
      for reference in other?.recording.references ?? [] { files[reference.file] = name }
    }
  }

  /// The paths of all recordings in a directory and its subdirectories, in alphabetical order.
  static func all(in directory: String) -> [String] {
    let names = FileManager.default.enumerator(atPath: directory)
    let paths = (names?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(suffix) }
    return paths.sorted().map { directory + "/" + $0 }
  }
}
