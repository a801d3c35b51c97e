public import CCsound

/// Receives the description of each overload; the first argument is the pointer passed to `describe`.
@_documentation(visibility: internal) public typealias OverloadReceiver =
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<ccs_overload>) -> Void

extension OpcodeLibrary {
  /// The body of `opcodekit_overloads`: describes each valid overload to a host that replaces opcode code while it is
  /// playing (`watch --play`). A standalone plugin describes none.
  @_documentation(visibility: internal) public static func describe(
    to receiver: @escaping OverloadReceiver, _ context: UnsafeMutableRawPointer?
  ) {
    #if !hasFeature(Embedded)
      ccs_stay_loaded()
      var report = OverloadReport(receiver: receiver, context: context)
      registerOpcodes(in: &report)
    #endif
  }
}

#if !hasFeature(Embedded)
  private struct OverloadReport: OpcodeRegistry {
    let receiver: OverloadReceiver
    let context: UnsafeMutableRawPointer?

    mutating func add(_ overload: Overload) {
      guard overload.problem == nil else { return }
      (overload.layout() ?? "").withCString { layout in
        var description = ccs_overload(
          name: overload.name.cString, outputs: overload.outputs.cString,
          inputs: overload.inputs.cString, layout: layout, head_bytes: overload.headBytes,
          block_bytes: overload.blockSize,
          initialize: unsafeBitCast(overload.initialize, to: SUBR?.self),
          perform: unsafeBitCast(overload.perform, to: SUBR?.self))
        receiver(context, &description)
      }
    }
  }
#endif
