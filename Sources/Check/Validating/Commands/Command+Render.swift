import CommandKit
import Foundation
import HarnessBase
import Rendering

extension Command {
  private static let output = Option(
    name: "output", letter: "o", value: "FILE", help: "The sound file: \(SoundFormat.extensions).")

  private static let largestFile = Option(
    name: "largest-file", value: "MB", takes: .wholeNumber(1...1_000_000),
    standard: FileLimit.standard,
    help: "Let the piece write no file larger than this; \(FileLimit.standard) unless given.")

  private static let trace = Option(
    name: "trace", value: "FILE",
    help: "Also write when each k-cycle, note and long pass ran, for Perfetto or chrome://tracing.")

  static let render = Command(
    name: "render", operands: "FILE.csd -o FILE",
    summary: "Render a CSD to a sound file, with the kit's opcodes or the package's.",
    options: [
      output, trace, .duration, .macros, .oneRate, .oneKsmps, .plugin, .playedCsound, .arch,
      .timeLimit,
      largestFile,
    ]
  ) { arguments throws(Failure) in
    try arguments.requireOperands(atMost: 1)
    guard let csd = arguments.operands.first else {
      throw .usage("render needs a CSD; see ./opcodekit render --help.")
    }
    guard let given = arguments[output] else {
      throw .usage("render needs -o FILE; see ./opcodekit render --help.")
    }
    var orchestra = Orchestra(
      path: csd, macros: arguments[.macros] ?? [:],
      sampleRate: arguments[.oneRate], ksmps: arguments[.oneKsmps],
      plugin: Project.plugin(arguments))
    orchestra.player = try arguments.player()
    if orchestra.player == nil { try arguments.handOver(toHostOf: [csd]) }
    let inputs = [csd] + (orchestra.plugin.map { [$0] } ?? [])
    let traced = try arguments[trace].map { path throws(Failure) in
      try OutputFile(path, inputs: inputs + [given])
    }
    if traced != nil, orchestra.player != nil {
      throw .usage("--trace needs the Csound that this program is linked with; leave --csound out.")
    }
    let file = try OutputFile(given, inputs: inputs)
    defer { file.discard() }
    let job = RenderJob(
      orchestra: orchestra, output: file, limit: arguments[.duration],
      largest: arguments[largestFile], trace: traced)
    let start = Date()
    defer { ProgressLine.clear() }
    let report = try WorkerPool(
      Project.worker, pinsPlugins: false, timeLimit: arguments[.timeLimit]
    ).run([job]) { _, report in
      guard case .progress(let seconds) = report else { return }
      let speed = seconds / Date().timeIntervalSince(start)
      ProgressLine.show("\(seconds.formatted(0)) s rendered, \(speed.formatted(1)) × real time")
    }[0]
    ProgressLine.clear()
    let summary = try report.reply(of: "Rendering '\(csd)'")
    try file.finish()
    print(summary.sentence(given))
    let complaints = summary.complaints
    for complaint in complaints { printError("opcodekit: \(csd): \(complaint)") }
    if let missing = summary.missingFile { throw MissingFile.failure(missing, of: csd) }
    return complaints.isEmpty ? .success : .checkFailed
  }
}

extension Renderer.Summary {
  fileprivate func sentence(_ path: String) -> String {
    let level = peak > 0 ? "peak \((20 * log10(peak)).formatted(1)) dBFS" : "silent"
    let clipped = clippedCount == 0 ? "" : ", \(clippedCount.counted("sample")) clipped"
    return
      "\(path): \(seconds.formatted(3)) s, \(channelCount.counted("channel")), \(Int(sampleRate.rounded())) Hz, "
      + "\(level)\(clipped)"
      + (endedInSilence ? ", ended as nothing sounded any more, because there is no score" : "")
  }
}
