import CsoundHost
@testable import CsoundLive
import Foundation
import OpcodeKit
import TestSupport
import TestOpcodes

extension OpcodeCode {
  init(_ library: any OpcodeLibrary.Type) {
    self.init(describedBy: { library.describe(to: $0, $1) })
  }

  static let first = OpcodeCode(FirstVersion.self)
  static let same = OpcodeCode(SameVersion.self)
  static let softer = OpcodeCode(SofterVersion.self)
  static let wider = OpcodeCode(WiderVersion.self)
  static let failing = OpcodeCode(FailingVersion.self)
}

/// An offline render during which versions are offered at frames.
struct SwapRun {
  var samples: [Double] = []
  var messages: [String] = []
  var noteErrors: [String] = []
  /// At the end of the score, before anything is freed.
  var counts = OpcodeSwap.Counts()
  /// Bytes of state after each cycle.
  var bytes: [Int] = []

  static let header = """
    sr = 48000
    nchnls = 1
    0dbfs = 1
    seed 7
    """

  init(
    _ instruments: String, _ score: String, ksmps: Int = 64,
    _ offers: [(frame: Int, code: OpcodeCode)] = [], options: [String] = []
  ) throws {
    let (csound, swap, path) = try Self.engine(instruments, score, ksmps: ksmps, options)
    defer { unlink(path) }
    var waiting = offers[...]
    var goesOn = true
    while goesOn {
      if let offer = waiting.first, offer.frame <= samples.count {
        waiting.removeFirst()
        if let change = swap.offer(offer.code) { messages.append(change) }
      }
      goesOn = csound.performKsmps()
      if goesOn { samples += csound.output }
      bytes.append(swap.counts.bytes)
    }
    counts = swap.counts
    messages += csound.messages
    noteErrors = csound.noteErrors
  }

  static func csd(_ instruments: String, _ score: String) -> String {
    """
    \(header)
    \(instruments)
    """.csd(score: score)
  }

  /// An engine in which a piece is compiled, with the first version; the CSD goes when it is done.
  static func engine(
    _ instruments: String, _ score: String, ksmps: Int, _ options: [String]
  ) throws -> (Csound, OpcodeSwap, path: String) {
    let path = Rig.file() + ".csd"
    try csd(instruments, score).save(to: path)
    FloatMode.current = .csound
    let swap = OpcodeSwap(.first, checksMemory: true)
    let csound = try Csound(registering: swap.register)
    FloatMode.current = .csound
    try csound.compile(path, options: ["--ksmps=\(ksmps)"] + options)
    return (csound, swap, path)
  }

  /// The largest step from one sample to the next in these frames.
  func step(_ frames: Range<Int>) -> Double {
    frames.dropFirst().map { abs(samples[$0] - samples[$0 - 1]) }.max() ?? 0
  }
}
