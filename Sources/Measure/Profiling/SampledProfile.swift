import Foundation
import HarnessBase
import Rendering

/// Where the processor was while an orchestra was rendered, by looks at it many times a second.
public struct SampledProfile: Codable, Sendable {
  public var path: String
  public var soundSeconds: Double
  /// What the looks were drawn by: `cycles` of the processor, or `cpu-clock`.
  public var event: String
  /// Looks during the k-cycles, which the rows add up to; those before and after are left out.
  public var samples: Int
  public var otherSamples: Int
  public var rows: [Row]
  public var noteErrors: [String]

  public struct Row: Codable, Sendable {
    /// The opcodes whose function it is; nil for functions of no opcode.
    public var opcodes: String?
    /// The function's symbol or, where it has none, its place in its library.
    public var function: String
    /// File name of the program or library.
    public var object: String
    public var samples: Int
  }
}

extension SampledProfile {
  init(
    _ orchestra: Orchestra, _ take: ProfileTake, _ functions: FunctionMap, event: String,
    _ samples: [Perf.Sample]
  ) {
    let during = samples.filter { take.performance?.contains($0.seconds) ?? true }
    var rows: [[String]: Row] = [:]
    for sample in during {
      let place = functions.place(sample.address)
      let object = place?.object ?? (sample.object as NSString).lastPathComponent
      let function =
        sample.symbol.map(readableSymbol) ?? place?.function
        ?? "\(object), at an unknown place"
      // An opcode's function is told by its address: perf gives it the symbol before, if any.
      let name = place?.opcodes ?? function
      rows[
        [name, object],
        default: Row(opcodes: place?.opcodes, function: function, object: object, samples: 0)
      ].samples += 1
    }
    self.init(
      path: orchestra.path, soundSeconds: take.soundSeconds, event: event,
      samples: during.count, otherSamples: samples.count - during.count,
      rows: rows.values.sorted { ($1.samples, $0.function) < ($0.samples, $1.function) },
      noteErrors: take.noteErrors)
  }
}

@_silgen_name("swift_demangle")
private func demangle(
  _ name: UnsafePointer<CChar>, _ length: Int, _ output: UnsafeMutablePointer<CChar>?,
  _ capacity: UnsafeMutablePointer<Int>?, _ flags: UInt32
) -> UnsafeMutablePointer<CChar>?

/// A symbol as a programmer writes it, where it is one of Swift's.
private func readableSymbol(_ symbol: String) -> String {
  guard symbol.hasPrefix("$s"),
    let text = demangle(symbol, symbol.utf8.count, nil, nil, 0)
  else { return symbol }
  defer { free(text) }
  let readable = String(cString: text)
  return readable.hasPrefix("generic specialization")
    ? readable.components(separatedBy: "> of ").last! : readable
}

extension Profiler {
  /// Renders once, untouched, and looks where the processor is.
  public func sample(
    _ orchestra: Orchestra, limit: Double?, with perf: Perf,
    progress: @escaping @Sendable (_ seconds: Double) -> Void = { _ in }
  ) throws(Failure) -> (profile: SampledProfile, wasCutOff: Bool) {
    let job = ProfileJob(orchestra: orchestra, limit: limit, tracingShare: nil, mode: .functions)
    let report = try perf.pool(pool).run([job]) { _, report in
      if case .progress(let seconds) = report { progress(seconds) }
    }[0]
    let work = "Rendering '\(orchestra.path)' under perf"
    let take = try report.reply(of: work)
    guard let functions = take.functions else {
      throw Failure(.internalFault, "\(work) brought no functions of opcodes.")
    }
    let (event, samples) = try perf.samples()
    return (
      SampledProfile(orchestra, take, functions, event: event, samples), take.wasCutOff
    )
  }
}
