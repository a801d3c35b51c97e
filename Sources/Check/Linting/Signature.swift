import CCsound

/// One signature of an opcode, as a plugin registered it.
public struct Signature: Codable, Equatable, Sendable {
  /// A function of an entry. Only Csound 6 has the third, only Csound 7 the fourth.
  public enum Slot: String, Codable, CaseIterable, Sendable {
    case initialize = "init"
    case perform
    case audio
    case deinitialize = "deinit"
  }

  /// How an entry reached Csound.
  public enum Registration: String, Codable, Sendable {
    /// `csound->AppendOpcode`, as most modules do.
    case member = "csound->AppendOpcode"
    /// `csound->AppendOpcodes`, for a list.
    case list = "csound->AppendOpcodes"
    /// The function with the same purpose that libcsound exports.
    case exported = "csoundAppendOpcode"
    /// The table `csound_opcode_init` returns.
    case table = "csound_opcode_init"
  }

  /// The name with its suffix, if any.
  public var name: String
  public var outputs: String
  public var inputs: String
  /// The block's size as the plugin gave it; Csound keeps 16 bits of it.
  public var blockBytes: Int
  public var thread: Int
  public var flags: Int
  /// The functions that are given.
  public var slots: [Slot]
  public var registration: Registration
  /// The addresses of the functions, to distinguish a repeated registration from a second opcode.
  var functions: [UInt]

  /// The name in orchestras: the part before the first dot.
  public var opcode: String { String(name.prefix { $0 != "." }) }

  /// Whether Csound calls its init function. Csound 6 goes by the thread, Csound 7 by what is given.
  public var hasInit: Bool { goesByThread ? thread & 1 != 0 : slots.contains(.initialize) }

  /// Whether Csound calls its performance function.
  public var hasPerformance: Bool { goesByThread ? thread & 2 != 0 : slots.contains(.perform) }

  /// Whether it puts out controls or sound and has a performance function that Csound, by the thread, never calls.
  public var isNeverPerformed: Bool {
    !hasPerformance && slots.contains(.perform) && function(.perform) != function(.initialize)
      && outputs.contains { "akfmz".contains($0) }
  }

  private var goesByThread: Bool { ccs_entries_have_threads() != 0 && thread & 3 != 0 }

  /// The address of a function; 0 for none.
  func function(_ slot: Slot) -> UInt { functions[Slot.allCases.firstIndex(of: slot)!] }

  /// The signature, for messages.
  var subject: String { "'\(name)' (outputs '\(outputs)', inputs '\(inputs)')" }
}

extension Signature {
  /// What a list of Csound's opcodes says of one.
  package init(name: String, outputs: String, inputs: String) {
    self.init(
      name: name, outputs: outputs, inputs: inputs, blockBytes: 0, thread: 0, flags: 0, slots: [],
      registration: .table, functions: [])
  }
}
