import CCsound

/// A statement, operand or label of an orchestra as Csound's parser gives it: one opcode a statement, with temporaries
/// for what an expression computes on the way, defaults filled in, and jumps for conditions and loops.
public struct OrchestraNode: Codable, Equatable, Sendable {
  /// The overload that a statement calls.
  public struct Entry: Codable, Equatable, Sendable {
    /// Its name, such as `tone.k`, and its type strings.
    public var name, outputs, inputs: String
    public var hasInit, hasPerformance: Bool

    public init(
      name: String, outputs: String, inputs: String, hasInit: Bool, hasPerformance: Bool
    ) {
      (self.name, self.outputs, self.inputs) = (name, outputs, inputs)
      (self.hasInit, self.hasPerformance) = (hasInit, hasPerformance)
    }
  }

  /// The opcode's name, the variable or the number; empty for what has no name.
  public var text: String
  /// The line in the orchestra, counted from 1; 0 for what the parser has added.
  public var line: Int
  public var isUserOpcode = false
  public var entry: Entry?
  /// Outputs of a statement; the name of a user-defined opcode, whose children are its types.
  public var left: [OrchestraNode] = []
  /// Inputs of a statement; the statements of a user-defined opcode.
  public var right: [OrchestraNode] = []
}

extension Csound {
  /// The statements of an orchestra, with those of its instruments and user-defined opcodes within them. Nil for a
  /// Csound that cannot be asked.
  ///
  /// The corresponding C function is `csoundParseOrc`.
  public func parse(_ orchestra: String) throws(CsoundError) -> [OrchestraNode]? {
    let reader = NodeReader()
    let data = Unmanaged.passUnretained(reader).toOpaque()
    let first = log.count
    let status = Self.inside("it parsed an orchestra") {
      ccs_parse_orchestra(engine, orchestra, data) { data, depth, side, node in
        guard let data, let node else { return }
        Unmanaged<NodeReader>.fromOpaque(data).takeUnretainedValue()
          .see(node.pointee, depth: Int(depth), isRight: side == 1)
      }
    }
    guard status <= 0 else {
      throw .orchestra(path: "", message: log.diagnosis(from: first))
    }
    return status < 0 ? nil : reader.nodes
  }
}

/// Puts the nodes that Csound shows one after another under their parents.
private final class NodeReader {
  private(set) var nodes: [OrchestraNode] = []
  private var sides: [Bool] = []

  func see(_ node: ccs_node, depth: Int, isRight: Bool) {
    var new = OrchestraNode(
      text: node.text.map { String(cString: $0) } ?? "", line: Int(max(node.line, 0)),
      isUserOpcode: node.is_user_opcode != 0)
    if let entry = node.entry?.pointee {
      let seen = ccs_registration_of(node.entry)
      // With thread 0 a comparison runs in the pass of what it compares.
      let isInit = entry.outypes.map { String(cString: $0) } == "b"
      let thread = seen.thread
      new.entry = OrchestraNode.Entry(
        name: String(cString: entry.opname),
        outputs: entry.outypes.map { String(cString: $0) } ?? "",
        inputs: entry.intypes.map { String(cString: $0) } ?? "",
        hasInit: thread == 0 ? isInit : thread & 1 != 0,
        hasPerformance: thread == 0 ? !isInit : thread & 2 != 0)
    }
    sides = Array(sides.prefix(depth)) + [isRight]
    append(new, to: &nodes, level: 0)
  }

  private func append(_ node: OrchestraNode, to list: inout [OrchestraNode], level: Int) {
    guard level < sides.count - 1 else { return list.append(node) }
    let last = list.count - 1
    if sides[level + 1] {
      append(node, to: &list[last].right, level: level + 1)
    } else {
      append(node, to: &list[last].left, level: level + 1)
    }
  }
}
