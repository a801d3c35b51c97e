import Foundation
import HarnessBase
import Rendering

/// Samples of the program counter, taken many times a second while an orchestra was rendered.
public struct SampledProfile: Codable, Sendable {
  public var path: String
  public var soundSeconds: Double
  /// The event that triggered the samples: `cycles` of the processor, or `cpu-clock`.
  public var event: String
  /// The number of samples during the k-cycles, which is the sum of the rows; and the number before
  /// and after them, which the rows leave out.
  public var samples: Int
  public var otherSamples: Int
  public var rows: [Row]
  public var noteErrors: [String]

  public struct Row: Codable, Sendable {
    /// The opcodes that use the function; nil if no opcode does.
    public var opcodes: String?
    /// The function's symbol; without a symbol, its offset in its library.
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
      // The address identifies an opcode's function; perf may report the symbol of an earlier
      // function.
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

/// The demangled form of a Swift symbol; other symbols unchanged.
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
  /// Renders once without tracing while perf samples the program counter.
  public func sample(
    _ orchestra: Orchestra, limit: Double?, with perf: Perf,
    progress: @escaping @Sendable (_ seconds: Double) -> Void = { _ in }
  ) throws(Failure) -> (profile: SampledProfile, wasCutOff: Bool) {
    let job = ProfileJob(orchestra: orchestra, limit: limit, tracingShare: nil, mode: .functions)
    let work = "Rendering '\(orchestra.path)' under perf"
    let take = try run(job, of: work, in: perf.pool(pool), progress)
    guard let functions = take.functions else {
      throw .internalFault("\(work) did not list the functions of the opcodes.")
    }
    let (event, samples) = try perf.samples()
    return (SampledProfile(orchestra, take, functions, event: event, samples), take.wasCutOff)
  }
}
