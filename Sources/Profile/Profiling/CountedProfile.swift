/// The instructions that rendering an orchestra takes, by instrument, opcode, line and call: exact
/// counts, for JSON output.
public struct CountedProfile: Codable, Sendable {
  public var path: String
  public var sampleRate: Double
  public var ksmps: Int
  public var soundSeconds: Double
  public var cycles: Int
  /// All instructions of the k-cycles: the sum of the engine's and the opcodes' instructions.
  public var instructions: Int
  /// The part of the instructions that is attributed to an opcode or the engine, 0 to 1.
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
    /// Performance passes, the samples they computed, and their own instructions, without calls
    /// inside.
    public var passes: Int
    public var samples: Int
    public var own: Int
    /// Init passes, including those before the first k-cycle, and their own instructions.
    public var inits: Int
    public var initOwn: Int
    /// Instructions of performance and init passes, including the calls inside them.
    public var total: Int
    public var notes: Int?
    public var mostNotes: Int?
  }

  /// A statement at its place in the tree of calls.
  public struct Call: Codable, Equatable, Sendable {
    /// The index of the call that contains this call; nil at the top level.
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
  /// The profile in whole instructions; nil if instructions were not counted.
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
  /// The order of the tables: most instructions first. Ties are ordered by place and name, so that
  /// the order is the same in each run.
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
