import CCsound
import CElf
import CsoundHost
import Foundation
import HarnessBase
import Rendering

/// What a plugin registered.
struct Recording: Sendable {
  var signatures: [Signature] = []
  var generators: [String] = []
  /// Whether the plugin is in C++. C++ frameworks register init and performance functions for every
  /// opcode, even if the opcode has only one of them.
  var isFromFramework = false
  /// Problems found while it registered its opcodes.
  var findings: [Finding] = []
}

/// Lets a plugin register its opcodes in a new engine, and records the registrations.
///
/// The engine's `AppendOpcode` is replaced by a function that records its arguments and calls the
/// original. In the plugin's imports, the function `csoundAppendOpcode` is replaced in the same way.
/// The arguments are copied at once, because Csound does not copy the strings and keeps only 16 bits
/// of a block's size.
enum PluginRecorder {
  /// Records a plugin file, loading it as Csound would.
  static func record(_ path: String) throws(Failure) -> Recording {
    let library = try Plugin.open(path)
    return try record(importsOf: library) { csound, record in
      record.isFromFramework = celf_needs(library, "libstdc++.so") != 0
      load(library, into: csound, &record)
    }
  }

  /// Records the opcodes that this process itself registers.
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
    // The signatures from a table are in the recording already, in their order.
    recording.signatures = registered.withLock { $0 } + recording.signatures
    recording.findings += csound.messages.compactMap(refusal)
    return recording
  }

  /// A finding for a message in which OpcodeKit refuses an overload, without Csound's text around it;
  /// nil for other messages.
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
