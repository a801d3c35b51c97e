public import CCsound
import Glibc

/// A statement of an orchestra as Csound compiled it.
public struct CompiledStatement: Equatable, Sendable {
  /// The name of the opcode entry, such as `oscili.a`, and the entry's output and input type
  /// strings.
  public var opcode: String
  public var outputs: String
  public var inputs: String
  /// Whether a note of the statement's instrument has started.
  public var hasStarted: Bool
}

extension Csound {
  /// The statements of all instruments and user-defined opcodes, in Csound's order.
  public var statements: [CompiledStatement] {
    var statements: [CompiledStatement] = []
    var body = engine.pointee.GetInstrumentList?(engine)?.pointee
    while let instrument = body {
      var place = instrument.pointee.nxtop
      while let statement = place {
        if let entry = statement.pointee.t.oentry {
          statements.append(
            CompiledStatement(
              opcode: Self.text(entry.pointee.opname), outputs: Self.text(entry.pointee.outypes),
              inputs: Self.text(entry.pointee.intypes),
              hasStarted: instrument.pointee.instance != nil))
        }
        place = statement.pointee.nxtop
      }
      body = instrument.pointee.nxtinstxt
    }
    return statements
  }

  private static func text(_ start: UnsafePointer<CChar>?) -> String {
    start.map { String(cString: $0) } ?? ""
  }

  /// Adds further names for opcodes that an engine has, with all of their overloads. The memory of
  /// the names is never freed.
  ///
  /// - Parameters:
  ///   - names: the further names as keys, the opcodes they stand for as values.
  public static func add(
    names: [String: String], to engine: UnsafeMutablePointer<CSOUND>
  ) {
    loadNeededPlugins(engine)
    var list: UnsafeMutablePointer<opcodeListEntry>?
    let count = Int(csoundNewOpcodeList(engine, &list))
    guard count > 0, let list else { return }
    defer { csoundDisposeOpcodeList(engine, list) }
    let further = Dictionary(grouping: names.keys) { names[$0]! }
    for index in 0..<count {
      let entry = list[index]
      guard let name = entry.opname,
        let more = further[String(text(name).prefix { $0 != "." })],
        let found = ccs_find_opcode(
          engine, 1, UnsafeMutablePointer(mutating: name),
          UnsafeMutablePointer(mutating: entry.outypes),
          UnsafeMutablePointer(mutating: entry.intypes))
      else { continue }
      for other in more { ccs_append_alias(engine, strdup(other), found) }
    }
  }
}
