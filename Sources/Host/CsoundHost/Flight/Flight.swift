public import CFlight
import Foundation

/// What a piece did lately, as a `FlightRecorder` has read it. Times are seconds of the monotonic clock.
public struct Flight: Sendable {
  public var sampleRate: Double
  public var ksmps: Int
  /// Frames in a period of the audio thread, and in the sound device's buffer; 0 without.
  public var period = 0
  public var buffer = 0
  public var events: [Event]
  public var periods: [flight_period] = []

  public enum Kind: UInt32, Sendable {
    case cycle = 1
    case start, initPass, call, note, engine
  }

  public struct Event: Sendable {
    public var kind: Kind
    public var begin, end: Double
    /// The instrument's name, or else its number.
    public var instrument: String
    /// The opcode and the line that Csound reports for it; for single passes only.
    public var opcode: String
    public var line: Int

    public init(
      kind: Kind, begin: Double, end: Double, instrument: String = "0", opcode: String = "?",
      line: Int = 0
    ) {
      (self.kind, self.begin, self.end) = (kind, begin, end)
      (self.instrument, self.opcode, self.line) = (instrument, opcode, line)
    }

    var seconds: Double { end - begin }
  }

  public init(sampleRate: Double, ksmps: Int, events: [Event]) {
    (self.sampleRate, self.ksmps, self.events) = (sampleRate, ksmps, events)
  }

  /// An opcode's name as orchestras write it.
  static func readable(_ opcode: String) -> String {
    String(opcode.split(separator: ".", omittingEmptySubsequences: false)[0].drop { $0 == "#" })
  }

  /// Csound reports a later line for some statements: the nearest line at or above it that has the opcode's name.
  public mutating func findLines(in text: String) {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    for index in events.indices where events[index].line > 0 {
      let event = events[index]
      for line in stride(from: event.line, to: max(0, event.line - 4), by: -1)
      where lines.indices.contains(line - 1) && lines[line - 1].contains(event.opcode) {
        events[index].line = line
        break
      }
    }
  }
}

// MARK: The file

extension Flight {
  /// The trace-event format that Perfetto and Chrome open: complete events ("X") in microseconds from the first, nested
  /// by their times, and instants ("i").
  public func trace(of piece: String, remark: String? = nil) -> Data {
    let start = min(
      events.lazy.map(\.begin).min() ?? .infinity,
      periods.first.map { Double($0.begin) * 1e-9 } ?? .infinity)
    func microseconds(_ time: Double) -> String { String(format: "%.3f", (time - start) * 1e6) }
    var lines = [(1, "Csound"), (2, "audio thread: periods")].map { track, name in
      #"{"name":"thread_name","ph":"M","pid":1,"tid":\#(track),"args":{"name":"\#(name)"}}"#
    }
    lines.append(
      #"{"name":"process_name","ph":"M","pid":1,"tid":1,"args":{"name":\#(Self.quoted(piece))}}"#)
    func add(
      _ name: String, _ category: String, _ track: Int, _ begin: Double, _ end: Double,
      _ more: String = ""
    ) {
      let duration = String(format: "%.3f", (end - begin) * 1e6)
      lines.append(
        #"{"name":\#(Self.quoted(name)),"cat":"\#(category)","ph":"X","pid":1,"tid":\#(track),"ts":\#(microseconds(begin)),"dur":\#(duration)\#(more)}"#
      )
    }
    // A viewer nests events in the order in which they begin, the longer first.
    for event in events.sorted(by: { ($0.begin, -$0.end) < ($1.begin, -$1.end) }) {
      add(
        event.name, event.kind.category, 1, event.begin, event.end,
        event.line > 0 ? #","args":{"line":\#(event.line)}"# : "")
    }
    var dropouts = periods.first?.dropouts ?? 0
    for period in periods {
      let (begin, end) = (Double(period.begin) * 1e-9, Double(period.end) * 1e-9)
      if period.dropouts != dropouts {
        dropouts = period.dropouts
        lines.append(
          #"{"name":"dropout","ph":"i","s":"g","pid":1,"tid":2,"ts":\#(microseconds(begin))}"#)
      }
      add(
        "period", "period", 2, begin, end,
        #","args":{"frame":\#(period.frame),"busy":\#(period.busy),"interruptions":\#(period.interruptions),"faults":\#(period.faults),"disk faults":\#(period.disk_faults)}"#
      )
    }
    let other = remark.map { #","otherData":{"cause":\#(Self.quoted($0))}"# } ?? ""
    return Data(
      (#"{"displayTimeUnit":"ms","traceEvents":["# + "\n" + lines.joined(separator: ",\n")
        + "\n]\(other)}\n").utf8)
  }

  private static func quoted(_ text: String) -> String {
    let data =
      (try? JSONSerialization.data(
        withJSONObject: text, options: [.fragmentsAllowed, .withoutEscapingSlashes]))
      ?? Data("\"?\"".utf8)
    return String(decoding: data, as: UTF8.self)
  }
}

extension Flight.Kind {
  fileprivate var category: String {
    switch self {
    case .cycle: "k-cycle"
    case .start: "start"
    case .initPass: "init"
    case .call: "call"
    case .note: "note"
    case .engine: "Csound"
    }
  }
}

extension Flight.Event {
  /// What the trace calls it.
  var name: String {
    switch kind {
    case .cycle: "k-cycle"
    case .start: "start of instr \(instrument)"
    case .initPass: "init of \(opcode)"
    case .call: opcode
    case .note: "instr \(instrument)"
    case .engine: "Csound itself"
    }
  }
}
