import CCsound
import CElf
import CsoundHost
import Foundation
import HarnessBase
import Rendering

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
    return try record(importsOf: library) { csound, record in
      record.isFromFramework = celf_needs(library, "libstdc++.so") != 0
      load(library, into: csound, &record)
    }
  }

  /// Records what a host of this process registers.
  static func record(registering register: Csound.Registration) throws(Failure) -> Recording {
    try record(importsOf: nil) { csound, record in
      let known = Set(generatorNames(csound))
      register(csound)
      record.generators = generatorNames(csound).filter { !known.contains($0) }
    }
  }

  private static func record(
    importsOf library: UnsafeMutableRawPointer?,
    _ body: (UnsafeMutablePointer<CSOUND>, inout Recording) -> Void
  ) throws(Failure) -> Recording {
    let csound = try PluginSearch.none.engine()
    registered.withLock { $0 = [] }
    ccs_watch_registrations(csound.engine) { registration, way in
      guard let registration else { return }
      registered.withLock { $0.append(Signature(registration.pointee, way)) }
    }
    if let library {
      celf_replace_import(library, "csoundAppendOpcode", ccs_exported_append())
    }
    var recording = Recording()
    body(csound.engine, &recording)
    ccs_leave_registrations(csound.engine)
    // Those of a table are there already, in their order.
    recording.signatures = registered.withLock { $0 } + recording.signatures
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
