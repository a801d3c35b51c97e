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
  /// The audio thread at several times, the earliest first.
  public var thread: [ThreadTime] = []
  /// In one k-cycle of how many it has passes of opcodes; 1 unless they are so short that recording them would cost much.
  public var cyclesPerSample = 1

  /// The lines that took the most of the k-cycles' time lately, the dearest first.
  public var lines: [Line] = []

  /// A line and its share of the k-cycles' time, 0 to 1. What it calls is in it.
  public struct Line: Sendable, Equatable {
    public var opcode: String
    public var line: Int
    public var instrument: String
    public var share: Double

    public init(opcode: String, line: Int, instrument: String, share: Double) {
      (self.opcode, self.line, self.instrument, self.share) = (opcode, line, instrument, share)
    }
  }

  public enum Kind: UInt32, Sendable {
    case cycle = 1
    case start, initPass, call, note, engine, wait
  }

  public struct Event: Sendable {
    public var kind: Kind
    public var begin, end: Double
    /// The instrument's name, or else its number.
    public var instrument: String
    /// The opcode and the line that Csound reports for it; for single passes only.
    public var opcode: String
    public var line: Int
    /// 0 for the thread that performs the k-cycle, from 1 on those of `-j`.
    public var thread: Int
    /// Whether it is a k-cycle of few whose passes are recorded.
    public var isSampled: Bool

    public init(
      kind: Kind, begin: Double, end: Double, instrument: String = "0", opcode: String = "",
      line: Int = 0, thread: Int = 0, isSampled: Bool = false
    ) {
      (self.kind, self.begin, self.end, self.thread) = (kind, begin, end, thread)
      self.isSampled = isSampled
      (self.instrument, self.opcode, self.line) = (instrument, opcode, line)
    }

    var seconds: Double { end - begin }
  }

  public init(sampleRate: Double, ksmps: Int, events: [Event]) {
    (self.sampleRate, self.ksmps, self.events) = (sampleRate, ksmps, events)
  }

  /// How long it is.
  public var seconds: Double {
    let begin = events.lazy.map(\.begin).min() ?? 0
    return (events.lazy.map(\.end).max() ?? 0) - begin
  }

  /// The opcode as orchestras write it: operators as signs, names without the suffix of the overload.
  public static func readable(_ opcode: String) -> String {
    let signs = [
      "##add": "+", "##sub": "-", "##mul": "*", "##div": "/", "##pow": "^", "##mod": "%",
      "##addin": "+=", "##subin": "-=",
    ]
    let word = opcode.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)[0]
    guard !word.isEmpty else { return opcode }
    return signs[String(word)] ?? String(word.drop { $0 == "#" })
  }

  /// Csound reports a later line for some statements: the nearest line at or above it that has the opcode's name.
  public mutating func findLines(in text: String) {
    let texts = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    func found(_ opcode: String, _ last: Int) -> Int {
      stride(from: last, to: max(0, last - 4), by: -1).first {
        texts.indices.contains($0 - 1) && texts[$0 - 1].contains(opcode)
      } ?? last
    }
    for index in events.indices where events[index].line > 0 {
      events[index].line = found(events[index].opcode, events[index].line)
    }
    for index in lines.indices {
      lines[index].line = found(lines[index].opcode, lines[index].line)
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
    let threads = (events.map(\.thread).max() ?? 0)
    let names =
      ["Csound", "audio thread: periods"] + (0..<threads).map { "thread \($0 + 1) of -j" }
    var lines = names.enumerated().map { index, name in
      #"{"name":"thread_name","ph":"M","pid":1,"tid":\#(index + 1),"args":{"name":"\#(name)"}}"#
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
    for event in nested {
      add(
        event.name, event.kind.category, event.thread == 0 ? 1 : event.thread + 2, event.begin,
        event.end,
        event.line > 0
          ? #","args":{"line":\#(event.line)}"#
          : event.isSampled ? #","args":{"lines":"recorded"}"# : "")
    }
    var dropouts = periods.first?.dropouts ?? 0
    for period in periods {
      let (begin, end) = (Double(period.begin) * 1e-9, Double(period.end) * 1e-9)
      if period.dropouts != dropouts {
        dropouts = period.dropouts
        lines.append(
          #"{"name":"dropout","ph":"i","s":"g","pid":1,"tid":2,"ts":\#(microseconds(begin))}"#)
      }
      add("period", "period", 2, begin, end, #","args":{"frame":\#(period.frame)}"#)
    }
    // What the audio thread did between two looks at it, in per cent.
    for (before, now) in zip(thread, thread.dropFirst()) where before.time >= start {
      let length = max(1e-9, now.time - before.time) / 100
      let parts = [now.ran - before.ran, now.waited - before.waited].map {
        String(format: "%.1f", $0 / length)
      }
      lines.append(
        #"{"name":"audio thread","ph":"C","pid":1,"ts":\#(microseconds(before.time)),"args":{"runs":\#(parts[0]),"held up":\#(parts[1])}}"#
      )
    }
    let few =
      cyclesPerSample > 1
      ? "Lines are recorded in one k-cycle of \(cyclesPerSample), which says so, once each." : nil
    let dearest =
      self.lines.isEmpty
      ? nil
      : self.lines.prefix(3).map {
        "line \($0.line) \($0.opcode) \(String(format: "%.0f %%", 100 * $0.share))"
      }.joined(separator: ", ")
    let notes = [("cause", remark), ("dearest lines lately", dearest), ("lines", few)].compactMap {
      name, text in
      text.map { #""\#(name)":\#(Self.quoted($0))"# }
    }
    let other = notes.isEmpty ? "" : #","otherData":{\#(notes.joined(separator: ","))}"#
    return Data(
      (#"{"displayTimeUnit":"ms","traceEvents":["# + "\n" + lines.joined(separator: ",\n")
        + "\n]\(other)}\n").utf8)
  }

  /// The events in the order in which viewers nest them: as they begin, the longer first.
  private var nested: [Event] { events.sorted { ($0.begin, -$0.end) < ($1.begin, -$1.end) } }

  /// The time of each event without those inside of it, in nanoseconds, added up by the names around it.
  public var stacks: Stacks {
    var own: [[String]: Double] = [:]
    for track in Dictionary(grouping: nested, by: \.thread).values {
      var open: [Event] = []
      for event in track {
        while let last = open.last, last.end <= event.begin { open.removeLast() }
        let around = open.map(\.place)
        // Passes of few k-cycles stand for those of all.
        let seconds = event.seconds * (event.kind == .call ? Double(cyclesPerSample) : 1)
        if !around.isEmpty { own[around, default: 0] -= seconds }
        own[around + [event.place], default: 0] += seconds
        open.append(event)
      }
    }
    return Stacks(
      own.map { (frames: $0.key, weight: Int(max(0, $0.value) * 1e9)) }
        .filter { $0.weight > 0 }.sorted { $0.frames.lexicographicallyPrecedes($1.frames) })
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
    case .wait: "wait"
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
    case .wait: "waits for other threads"
    }
  }

  /// What stacks call it.
  var place: String { line > 0 ? "line \(line) \(name)" : name }
}
