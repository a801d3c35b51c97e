import CCsound
import Foundation

/// Calls a plugin's functions in the order in which Csound calls them.
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

  static func load(
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
    guard let table, count > 0 else { return }
    recording.signatures += registeredSignatures(in: table, count: count, .table)
  }
}
