import CTrace
import Foundation

/// Callgrind's counts of the calls that went through call sites, read from one of its files.
struct SiteCounts {
  struct Arc {
    var calls = 0
    /// Including the instructions of all calls inside.
    var instructions = 0

    static func += (left: inout Arc, right: Arc) {
      left.calls += right.calls
      left.instructions += right.instructions
    }
  }

  /// The counts by the number of the call site.
  private var arcs: [Int: Arc] = [:]
  /// All instructions counted.
  private(set) var total = 0
  /// The tracer's own instructions in `total`.
  private(set) var overhead = 0

  /// Parses a file in Callgrind's format. An empty text gives counts of 0.
  init(_ text: String) {
    var function: Substring = "", called: Substring = ""
    var calls: Int?
    for line in text.split(separator: "\n") {
      if line.hasPrefix("fn=") {
        function = Self.name(line.dropFirst(3))
      } else if line.hasPrefix("cfn=") {
        called = Self.name(line.dropFirst(4))
      } else if line.hasPrefix("calls=") {
        calls = Int(line.dropFirst(6).prefix { $0 != " " })
      } else if line.first?.isNumber == true {
        let count = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        if let calls {
          if let site = Self.site(function, called) {
            arcs[site, default: Arc()] += Arc(calls: calls, instructions: count)
          }
        } else {
          total += count
          if function.hasPrefix("trace_") { overhead += count }
        }
        calls = nil
      }
    }
  }

  /// A function's name without the suffix, such as `'2`, that Callgrind adds for recursion.
  private static func name(_ text: Substring) -> Substring { text.prefix { $0 != "'" } }

  private static func site(_ high: Substring, _ low: Substring) -> Int? {
    guard high.hasPrefix("trace_high_"), low.hasPrefix("trace_low_"),
      let quotient = Int(high.dropFirst("trace_high_".count)),
      let remainder = Int(low.dropFirst("trace_low_".count))
    else { return nil }
    return quotient * Int(TRACE_LOW_SITES) + remainder
  }

  /// The passes of a call that its caller made in its own init passes (`insideInit`) or performance
  /// passes.
  subscript(call: Int, isInit isInit: Bool, insideInit insideInit: Bool) -> Arc {
    arcs[Int(trace_site(call, isInit ? 1 : 0, insideInit ? 1 : 0))] ?? Arc()
  }

  /// All passes of a call.
  func passes(_ call: Int, isInit: Bool) -> Arc {
    var sum = self[call, isInit: isInit, insideInit: false]
    sum += self[call, isInit: isInit, insideInit: true]
    return sum
  }
}

/// The own instructions of each call, without calls inside it, and of the engine.
struct OwnCounts {
  /// Instructions of performance and of init passes, in the order of the trace's calls.
  var perform: [Int]
  var initialize: [Int]
  /// The instructions outside all calls; meaningless for the count before the first k-cycle.
  var engine: Int
  /// The numbers of performance passes and of init passes, in the order of the trace's calls.
  var passes: [Int]
  var inits: [Int]

  /// `cycles` is the number of calls of `csoundPerformKsmps`.
  init(_ counts: SiteCounts, _ calls: [ProfileTake.Call], cycles: Int) {
    let indices = calls.indices
    let performed = indices.map { counts.passes($0, isInit: false) }
    let initialized = indices.map { counts.passes($0, isInit: true) }
    func own(_ arc: SiteCounts.Arc) -> Int {
      arc.instructions - arc.calls * Int(TRACE_INSIDE)
    }
    perform = performed.map(own)
    initialize = initialized.map(own)
    passes = performed.map(\.calls)
    inits = initialized.map(\.calls)
    engine = counts.total - cycles * Int(TRACE_INSIDE)
    for index in indices {
      for insideInit in [false, true] {
        var called = counts[index, isInit: false, insideInit: insideInit]
        called += counts[index, isInit: true, insideInit: insideInit]
        let taken = called.instructions + called.calls * Int(TRACE_OUTSIDE)
        if let caller = calls[index].caller {
          if insideInit {
            initialize[caller] -= taken
          } else {
            perform[caller] -= taken
          }
        } else {
          engine -= taken
        }
      }
    }
  }

  /// The instructions of all calls.
  var sum: Int { perform.reduce(0, +) + initialize.reduce(0, +) }
}
