public import CCsound

/// What takes the description of each overload, with the pointer it was given.
public typealias OverloadReceiver =
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<ccs_overload>) -> Void

extension OpcodeLibrary {
  /// What `opcodekit_overloads` does: tells a host that lets an opcode's code change while it sounds of each
  /// overload without a problem. A standalone plugin has none to tell of.
  public static func describe(
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
