import CCsound
import TypeLetters

/// Rules about the size of a signature's block, into which Csound writes.
extension LintRules {
  /// The limit of a block's size in bytes: Csound keeps the size modulo this number.
  static let sizeLimit = 1 << Int(ccs_block_size_bits)
  /// The block size in bytes from which Csound 6's parser does not know the name. In Csound 7, see
  /// `CCS_BLOCK_FAULT`.
  static let unnamedBytes = ccs_largest_block() + 1
  /// A call must have fewer inputs than this (Csound's VARGMAX).
  static let argumentLimit = 1999
  /// With room for this many argument pointers, a variadic opcode gets no note.
  private static let usualArguments = 64
  private static let headerBytes = MemoryLayout<OPDS>.size
  private static let pointerBytes = MemoryLayout<UnsafeRawPointer>.size

  func size(_ index: Int) -> Finding? {
    let signature = signatures[index]
    let bytes = signature.blockBytes
    let what: String
    if bytes >= Self.sizeLimit || bytes < 0 {
      let kept = ((bytes % Self.sizeLimit) + Self.sizeLimit) % Self.sizeLimit
      what = "of which Csound allocates \(kept)"
    } else if bytes >= Self.unnamedBytes, !hasSmallerOverload(index) {
      what = "and " + CCS_BLOCK_FAULT
    } else {
      return nil
    }
    return .fault(
      .blockTooLarge, signature,
      "\(signature.subject): its block is \(bytes) bytes, \(what); at most \(Self.unnamedBytes - 1)"
        + " are allowed. Keep large state in memory from csound->AuxAlloc.")
  }

  /// Whether another overload makes the name known to the parser: an earlier opcode, or one with a
  /// smaller block.
  func hasSmallerOverload(_ index: Int) -> Bool {
    let opcode = signatures[index].opcode
    return judge.hasEarlier(opcode)
      || signatures.contains { $0.opcode == opcode && $0.blockBytes < Self.unnamedBytes }
  }

  func block(_ index: Int, _ types: Types) -> [Finding] {
    let signature = signatures[index]
    let bytes = signature.blockBytes
    guard bytes >= 0, bytes < Self.sizeLimit else { return [] }
    let inputs = types.inputs.items
    let variadic = inputs.last.flatMap { TypeString.Side.inputs.isVariadic($0) ? $0 : nil }
    // The block also has pointers for outputs that a call leaves out.
    let fixed =
      types.outputs.items.count + inputs.count { !TypeString.Side.inputs.isVariadic($0) }
    let least = fixed + (variadic == nil ? 0 : 2)
    let needed = Self.headerBytes + least * Self.pointerBytes
    guard bytes >= needed else {
      return [
        .fault(
          .blockTooSmall, signature,
          "\(signature.subject): its block is \(bytes) bytes, but the header and \(least) argument"
            + " pointers take \(needed)"
            + (variadic.map { ", two for '\($0.text)', which any number may stand for" } ?? "")
            + "; Csound writes them over whatever follows. Begin the struct with OPDS and a pointer for"
            + " each argument.")
      ]
    }
    var findings: [Finding] = []
    let room = (bytes - Self.headerBytes) / Self.pointerBytes
    let hasVariadicOutput =
      types.outputs.items.last.map(TypeString.Side.outputs.isVariadic) ?? false
    if variadic != nil || hasVariadicOutput, room < Self.usualArguments {
      findings.append(
        .note(
          .blockVariadicRoom, signature,
          "\(signature.subject): its block has room for at most \(room) argument pointers, and Csound"
            + " accepts a call with any number and overwrites what follows; make room for"
            + " \(Self.usualArguments) at least, \(Self.argumentLimit - 1) to be safe."))
    }
    if bytes % Self.pointerBytes != 0, size(index) == nil {
      findings.append(
        .note(
          .blockAlignment, signature,
          "\(signature.subject): its block is \(bytes) bytes, no multiple of \(Self.pointerBytes), so"
            + " the opcodes after it in an instrument are misaligned, which C and Swift forbid; round"
            + " it up."))
    }
    return findings
  }
}
