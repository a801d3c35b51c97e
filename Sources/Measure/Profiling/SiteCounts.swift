import CTrace
import Foundation

/// What Callgrind counted of the calls that went through sites, read from a file it wrote.
struct SiteCounts {
  struct Arc {
    var calls = 0
    /// With all that was called.
    var instructions = 0

    static func += (left: inout Arc, right: Arc) {
      left.calls += right.calls
      left.instructions += right.instructions
    }
  }

  /// By number of the site.
  private var arcs: [Int: Arc] = [:]
  /// Everything that was counted.
  private(set) var total = 0
  /// Our own instructions in it.
  private(set) var overhead = 0

  /// Counts nothing where `text` has nothing.
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

  /// A function's name without the `'2` of one that is called inside itself.
  private static func name(_ text: Substring) -> Substring { text.prefix { $0 != "'" } }

  private static func site(_ high: Substring, _ low: Substring) -> Int? {
    guard high.hasPrefix("trace_high_"), low.hasPrefix("trace_low_"),
      let quotient = Int(high.dropFirst("trace_high_".count)),
      let remainder = Int(low.dropFirst("trace_low_".count))
    else { return nil }
    return quotient * Int(TRACE_LOW_SITES) + remainder
  }

  /// The passes of a call that were made from init passes or from performance passes of its caller.
  subscript(call: Int, isInit isInit: Bool, insideInit insideInit: Bool) -> Arc {
    arcs[Int(trace_site(call, isInit ? 1 : 0, insideInit ? 1 : 0))] ?? Arc()
  }

  /// The passes of a call, whoever made them.
  func passes(_ call: Int, isInit: Bool) -> Arc {
    var sum = self[call, isInit: isInit, insideInit: false]
    sum += self[call, isInit: isInit, insideInit: true]
    return sum
  }
}

/// The instructions of each call's own passes, and of the engine.
struct OwnCounts {
  /// Parallel to the calls of the trace.
  var perform: [Int]
  var initialize: [Int]
  /// What is left when all calls are taken away; meaningless before the first k-cycle.
  var engine: Int
  /// Passes of performance.
  var passes: [Int]
  var inits: [Int]

  /// `cycles` is how often the engine was let perform.
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

  /// Of all calls.
  var sum: Int { perform.reduce(0, +) + initialize.reduce(0, +) }
}
