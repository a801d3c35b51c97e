/// How many instructions an orchestra's rendering takes, and where: exact counts, for machines to
/// read.
public struct CountedProfile: Encodable, Sendable {
  public var path: String
  public var sampleRate: Double
  public var ksmps: Int
  public var soundSeconds: Double
  public var cycles: Int
  /// All instructions of the k-cycles; the engine's and the opcodes' add up to it.
  public var instructions: Int
  /// The part of them that is some opcode's or the engine's.
  public var accounted: Double
  public var engine: Int
  /// Whether the samples were the same as those of a render without valgrind, to the last bit.
  public var isBitIdentical: Bool
  public var instruments: [Row]
  public var opcodes: [Row]
  public var lines: [Row]
  public var calls: [Call]
  public var noteErrors: [String]

  /// A line of a table: an instrument, an opcode or a line of the orchestra.
  public struct Row: Codable, Equatable, Sendable {
    public var name: String
    public var file: String?
    public var line: Int?
    public var text: String?
    /// Performance passes, the samples they computed, and the instructions of their own.
    public var passes: Int
    public var samples: Int
    public var own: Int
    /// Init passes, those before the first k-cycle too.
    public var inits: Int
    public var initOwn: Int
    /// Performance and init, with what they called.
    public var total: Int
    public var notes: Int?
    public var mostNotes: Int?
  }

  /// A statement at its place in the tree of calls.
  public struct Call: Codable, Equatable, Sendable {
    /// Index of the call that it is in.
    public var caller: Int?
    public var opcode: String
    public var body: String
    public var file: Int
    public var line: Int
    public var passes: Int
    public var own: Int
    public var total: Int
    public var inits: Int
    public var initOwn: Int
    public var initTotal: Int
  }
}

extension Profile {
  /// The same in whole instructions, where instructions were counted.
  public var counted: CountedProfile? {
    instructions.map { instructions in
      CountedProfile(
        path: path, sampleRate: sampleRate, ksmps: ksmps, soundSeconds: soundSeconds,
        cycles: load.cycles, instructions: instructions, accounted: accounted,
        engine: Int(engine.seconds), isBitIdentical: tracing.isBitIdentical,
        instruments: self.instruments.map(CountedProfile.Row.init).sorted {
          ($1.total, $0.name) < ($0.total, $1.name)
        },
        opcodes: opcodes.map(CountedProfile.Row.init).sorted(by: CountedProfile.Row.isAbove),
        lines: lines.map(CountedProfile.Row.init).sorted(by: CountedProfile.Row.isAbove),
        calls: calls.map(CountedProfile.Call.init),
        noteErrors: noteErrors)
    }
  }
}

extension CountedProfile.Row {
  /// The order of tables, the same each time where rows have as many instructions.
  fileprivate static func isAbove(_ row: Self, _ other: Self) -> Bool {
    (other.own + other.initOwn, row.file ?? "", row.line ?? 0, row.name)
      < (row.own + row.initOwn, other.file ?? "", other.line ?? 0, other.name)
  }

  fileprivate init(_ row: Profile.Row) {
    self.init(
      name: row.name, file: row.file, line: row.line, text: row.text, passes: row.passes,
      samples: row.samples, own: Int(row.seconds), inits: row.inits,
      initOwn: Int(row.initSeconds), total: Int(row.total), notes: row.notes,
      mostNotes: row.mostNotes)
  }
}

extension CountedProfile.Call {
  fileprivate init(_ call: Profile.Call) {
    self.init(
      caller: call.caller, opcode: call.opcode, body: call.body, file: call.file, line: call.line,
      passes: call.passes, own: Int(call.seconds), total: Int(call.total), inits: call.inits,
      initOwn: Int(call.initSeconds), initTotal: Int(call.initTotal))
  }
}
