import CCsound
import CElf
import CsoundHost
import Foundation
import Synchronization

/// What came of letting a plugin register itself.
struct Recording: Sendable {
  var signatures: [Signature] = []
  var generators: [String] = []
  /// Whether the plugin is in C++, whose frameworks give Csound functions an opcode may not have.
  var isFromFramework = false
  /// What went wrong on the way.
  var findings: [Finding] = []
}

/// Lets a plugin register its opcodes in an engine of its own, and writes down what it says.
///
/// The engine's `AppendOpcode` is replaced by a function that records and passes on; in the plugin's
/// table of imports, so is the function libcsound exports. Csound copies no strings and keeps 16 bits
/// of a block's size; what is recorded here is the plugin's own word, copied at once.
enum PluginRecorder {
  /// Records a plugin that is a file, as Csound would load it.
  static func record(_ path: String) throws(Failure) -> Recording {
    let library = try Plugin.open(path)
    return try record { csound, record in
      record.isFromFramework = celf_needs(library, "libstdc++.so") != 0
      load(library, into: csound, &record)
    } preparing: {
      celf_replace_import(
        library, "csoundAppendOpcode", unsafeBitCast(exportedHook, to: UnsafeMutableRawPointer.self)
      )
    }
  }

  /// Records what a host of this process registers.
  static func record(registering register: Csound.Registration) throws(Failure) -> Recording {
    try record { csound, record in
      let known = Set(generatorNames(csound))
      register(csound)
      record.generators = generatorNames(csound).filter { !known.contains($0) }
    } preparing: {
    }
  }

  private static func record(
    _ body: (UnsafeMutablePointer<CSOUND>, inout Recording) -> Void, preparing prepare: () -> Void
  ) throws(Failure) -> Recording {
    let csound = try PluginSearch.none.engine()
    guard let append = csound.engine.pointee.AppendOpcode else {
      throw Failure(.unavailable, "Csound has no AppendOpcode.")
    }
    hooks.withLock { $0 = Hooks(append: append) }
    csound.engine.pointee.AppendOpcode = memberHook
    prepare()
    var recording = Recording()
    body(csound.engine, &recording)
    csound.engine.pointee.AppendOpcode = append
    // Those of a table are there already, in their order.
    recording.signatures = hooks.withLock { $0?.signatures ?? [] } + recording.signatures
    recording.findings += csound.messages.compactMap(refusal)
    return recording
  }

  /// What the kit says when it refuses an overload, without Csound's own words around it.
  private static func refusal(_ message: String) -> Finding? {
    guard let start = message.range(of: "OpcodeKit refuses ") else { return nil }
    return .fault(.kitRefusal, nil, String(message[start.lowerBound...]))
  }

  private static func generatorNames(_ csound: UnsafeMutablePointer<CSOUND>) -> [String] {
    var next = csound.pointee.GetNamedGens(csound)?
      .assumingMemoryBound(to: ccs_named_generator.self)
    var names: [String] = []
    while let entry = next {
      names.append(String(cString: entry.pointee.name))
      next = entry.pointee.next
    }
    return names
  }
}

// MARK: Loading, in Csound's order

extension PluginRecorder {
  private typealias ModuleFunction = @convention(c) (UnsafeMutablePointer<CSOUND>) -> CInt
  private typealias TableFunction =
    @convention(c) (
      UnsafeMutablePointer<CSOUND>, UnsafeMutablePointer<UnsafeMutablePointer<OENTRY>?>
    ) -> Int
  private typealias GeneratorFunction =
    @convention(c) (
      UnsafeMutablePointer<CSOUND>
    ) -> UnsafeMutablePointer<NGFENS>?

  private static func load(
    _ library: UnsafeMutableRawPointer, into csound: UnsafeMutablePointer<CSOUND>,
    _ recording: inout Recording
  ) {
    func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(library, name) }

    guard let create = symbol("csoundModuleCreate") else {
      if symbol("csoundModuleInit") != nil {
        recording.findings.append(
          .fault(
            .loadIgnoredEntry, nil,
            "'csoundModuleInit' is never called: Csound calls it only beside a csoundModuleCreate;"
              + " add one that returns 0."))
      }
      if let function = symbol("csound_fgen_init") {
        record(unsafeBitCast(function, to: GeneratorFunction.self)(csound), &recording)
      }
      if let function = symbol("csound_opcode_init") {
        var table: UnsafeMutablePointer<OENTRY>?
        let bytes = unsafeBitCast(function, to: TableFunction.self)(csound, &table)
        record(table, bytes: bytes, &recording)
      }
      return
    }
    for name in ["csound_opcode_init", "csound_fgen_init"] where symbol(name) != nil {
      recording.findings.append(
        .fault(
          .loadIgnoredEntry, nil,
          "'\(name)' is never called: beside a csoundModuleCreate Csound ignores it; call"
            + " csound->AppendOpcode in csoundModuleInit, and put GEN routines in a library"
            + " without csoundModuleCreate."))
    }
    for (name, function) in [("csoundModuleCreate", create)]
      + (symbol("csoundModuleInit").map { [("csoundModuleInit", $0)] } ?? [])
    {
      let status = unsafeBitCast(function, to: ModuleFunction.self)(csound)
      guard status == 0 else {
        recording.findings.append(
          .fault(
            .loadReturnValue, nil,
            "'\(name)' returned \(status); Csound ends then, or crashes when the plugin is in its"
              + " plugin directory. Return 0 and print what is wrong."))
        break
      }
    }
  }

  private static func record(
    _ list: UnsafeMutablePointer<NGFENS>?, _ recording: inout Recording
  ) {
    guard var entry = list else {
      recording.findings.append(
        .fault(
          .loadReturnValue, nil,
          "'csound_fgen_init' returned NULL, which Csound reads as a list and crashes; return a list"
            + " that ends with an entry of NULL."))
      return
    }
    while let name = entry.pointee.name {
      recording.generators.append(String(cString: name))
      entry += 1
    }
  }

  private static func record(
    _ table: UnsafeMutablePointer<OENTRY>?, bytes: Int, _ recording: inout Recording
  ) {
    let count = bytes / MemoryLayout<OENTRY>.stride
    guard bytes >= 0, count == 0 || table != nil else {
      recording.findings.append(
        .fault(
          .loadReturnValue, nil,
          "'csound_opcode_init' returned \(bytes) and \(table == nil ? "no" : "a") table, which"
            + " Csound takes for a failure; return the table's size in bytes, or 0 for none."))
      return
    }
    for index in 0..<count {
      let entry = table![index]
      guard let name = entry.opname else { break }
      recording.signatures.append(
        Signature(
          name: String(cString: name), outputs: string(entry.outypes),
          inputs: string(entry.intypes), blockBytes: Int(entry.dsblksiz),
          thread: Int(entry.thread), flags: Int(entry.flags),
          functions: (entry.iopadr, entry.kopadr, entry.aopadr), registration: .table))
    }
  }
}

// MARK: In the place of AppendOpcode

private typealias PassFunction =
  @convention(c) (UnsafeMutablePointer<CSOUND>?, UnsafeMutableRawPointer?) -> CInt

private typealias AppendFunction =
  @convention(c) (
    UnsafeMutablePointer<CSOUND>?, UnsafePointer<CChar>?, CInt, CInt, CInt, UnsafePointer<CChar>?,
    UnsafePointer<CChar>?, PassFunction?, PassFunction?, PassFunction?
  ) -> CInt

private struct Hooks: Sendable {
  let append: AppendFunction
  var signatures: [Signature] = []
}

private let hooks = Mutex<Hooks?>(nil)

private let memberHook: AppendFunction = { append(.member, $0, $1, $2, $3, $4, $5, $6, $7, $8, $9) }
private let exportedHook: AppendFunction = {
  append(.exported, $0, $1, $2, $3, $4, $5, $6, $7, $8, $9)
}

private func append(
  _ registration: Signature.Registration, _ csound: UnsafeMutablePointer<CSOUND>?,
  _ name: UnsafePointer<CChar>?, _ blockBytes: CInt, _ flags: CInt, _ thread: CInt,
  _ outputs: UnsafePointer<CChar>?, _ inputs: UnsafePointer<CChar>?, _ initialize: PassFunction?,
  _ perform: PassFunction?, _ audio: PassFunction?
) -> CInt {
  let function: AppendFunction? = hooks.withLock { hooks in
    hooks?.signatures.append(
      Signature(
        name: string(name), outputs: string(outputs), inputs: string(inputs),
        blockBytes: Int(blockBytes), thread: Int(thread), flags: Int(flags),
        functions: (initialize, perform, audio), registration: registration))
    return hooks?.append
  }
  return function?(
    csound, name, blockBytes, flags, thread, outputs, inputs, initialize, perform, audio) ?? -1
}

private func string(_ text: UnsafePointer<CChar>?) -> String {
  text.map { String(cString: $0) } ?? ""
}

extension Signature {
  fileprivate init(
    name: String, outputs: String, inputs: String, blockBytes: Int, thread: Int, flags: Int,
    functions: (PassFunction?, PassFunction?, PassFunction?), registration: Registration
  ) {
    let given = [
      (Slot.initialize, functions.0), (.perform, functions.1), (.audio, functions.2),
    ]
    self.init(
      name: name, outputs: outputs, inputs: inputs, blockBytes: blockBytes, thread: thread,
      flags: flags, slots: given.compactMap { $1 == nil ? nil : $0 }, registration: registration,
      functions: given.map { UInt(bitPattern: unsafeBitCast($1, to: Int.self)) })
  }
}
