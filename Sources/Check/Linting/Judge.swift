import CCsound
import CElf
import CsoundHost
import Foundation
import HarnessBase
import TypeLetters

/// Finds out which entry a call resolves to, by asking Csound's own resolver.
///
/// The engine has Csound's own opcodes, then those of the installed plugins, then the signatures to
/// lint, in their order. Csound chooses the first that fits.
final class Judge {
  /// The provider of the entry that a call resolves to.
  enum Answer: Hashable {
    /// The signature with this index.
    case signature(Int)
    case csound
    /// An installed plugin.
    case installed(path: String)
    case nobody
  }

  private let engine: UnsafeMutablePointer<CSOUND>
  /// The index of a signature, by the address of the name that was passed to Csound.
  private var indices: [UnsafeRawPointer: Int] = [:]
  /// The types of the opcodes that the engine had before, by name.
  private var earlier: [String: [ConcreteCall]] = [:]

  /// `search` must exclude the plugin that the signatures come from.
  init(_ signatures: [Signature], among search: PluginSearch) throws(Failure) {
    engine = try search.engine().engine
    listEarlier()
    for (index, signature) in signatures.enumerated() {
      // Csound's resolver crashes on unbalanced brackets.
      guard TypeString(signature.outputs) != nil, TypeString(signature.inputs) != nil,
        !signature.opcode.isEmpty
      else { continue }
      let name = append(signature.name, signature.outputs, signature.inputs)
      indices[name] = index
      append(Self.alone(index), signature.outputs, signature.inputs)
      append(Self.inputsAlone(index), "a", signature.inputs)
    }
    append(Self.letterK, "K", "K")
  }

  /// Whether this Csound has the letter `K`, a control with a value at init time: Debian's has since 6.18.1+dfsg-3.
  var hasLetterK: Bool { resolve(Self.letterK, ConcreteCall(outputs: "k", inputs: "k")) != nil }

  /// The provider of the entry that a call in an orchestra resolves to.
  func answer(_ opcode: String, _ call: ConcreteCall) -> Answer {
    resolve(opcode, call).map(owner) ?? .nobody
  }

  /// Whether a signature would accept a call if it were the only one of its name.
  func takes(_ index: Int, _ call: ConcreteCall) -> Bool {
    resolve(Self.alone(index), call) != nil
  }

  /// Whether a signature's inputs accept those of a call.
  func takesInputs(_ index: Int, _ call: ConcreteCall) -> Bool {
    resolve(Self.inputsAlone(index), ConcreteCall(outputs: "a", inputs: call.inputs)) != nil
  }

  /// Whether the engine had an opcode of this name before.
  func hasEarlier(_ opcode: String) -> Bool { earlier[opcode] != nil }

  /// The provider of the first earlier overload of this name that has outputs, or that has none;
  /// nil if there is no such overload.
  func earlierOwner(of opcode: String, hasOutputs: Bool) -> Answer? {
    guard let types = earlier[opcode]?.first(where: { $0.outputs.isEmpty != hasOutputs }) else {
      return nil
    }
    let entry = Self.withMutable([opcode, hasOutputs ? types.outputs : "0", types.inputs]) {
      ccs_find_opcode(engine, 1, $0[0], $0[1], $0[2])
    }
    return entry.map(owner) ?? .csound
  }

  private static let letterK = "opcodekit_letter_k"
  private static func alone(_ index: Int) -> String { "opcodekit_alone_\(index)" }
  private static func inputsAlone(_ index: Int) -> String { "opcodekit_inputs_\(index)" }

  private func listEarlier() {
    var list: UnsafeMutablePointer<opcodeListEntry>?
    let count = csoundNewOpcodeList(engine, &list)
    guard count > 0, let list else { return }
    for entry in UnsafeBufferPointer(start: list, count: Int(count)) {
      earlier[String(cString: entry.opname), default: []].append(
        ConcreteCall(
          outputs: String(cString: entry.outypes), inputs: String(cString: entry.intypes)))
    }
    csoundDisposeOpcodeList(engine, list)
  }

  /// Adds an entry without functions. The strings are never freed, because Csound keeps them.
  @discardableResult
  private func append(_ name: String, _ outputs: String, _ inputs: String) -> UnsafeRawPointer {
    let name = strdup(name)!
    _ = ccs_append_empty(engine, name, strdup(outputs), strdup(inputs))
    return UnsafeRawPointer(name)
  }

  private func resolve(_ opcode: String, _ call: ConcreteCall) -> UnsafePointer<OENTRY>? {
    // For a call without arguments, Csound's compiler passes NULL.
    Self.withMutable([opcode, call.outputs, call.inputs]) {
      ccs_find_opcode(
        engine, 0, $0[0], call.outputs.isEmpty ? nil : $0[1], call.inputs.isEmpty ? nil : $0[2])
    }
  }

  private func owner(_ entry: UnsafePointer<OENTRY>) -> Answer {
    if let index = indices[UnsafeRawPointer(entry.pointee.opname)] { return .signature(index) }
    let function = ccs_entry_function(entry)
    let path = celf_library_of(unsafeBitCast(function, to: UnsafeRawPointer?.self))
    guard let path = path.map({ String(cString: $0) }), !Self.isCsounds(path) else {
      return .csound
    }
    return .installed(path: path)
  }

  private static func isCsounds(_ path: String) -> Bool {
    (path as NSString).lastPathComponent.hasPrefix("libcsound64")
      || Csound.neededPlugins.map { path.hasPrefix($0 + "/") } ?? false
  }

  private static func withMutable<R>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
  ) -> R {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies)
  }
}
