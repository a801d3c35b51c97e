public import CCsound
import Glibc

/// Connects the opcodes `invalue` and `outvalue`, whose values come from and go to the host, to the
/// software-bus channels of the same names, which `chnget` and `chnset` use. Csound calls these
/// functions on the thread that performs.
public enum ValueOpcodes {
  public static func connect(_ engine: UnsafeMutablePointer<CSOUND>) {
    csoundSetInputChannelCallback(engine) { engine, name, value, type in
      guard let engine, let name, let value, let type else { return }
      ValueOpcodes.copy(
        engine, name, value, type, CSOUND_INPUT_CHANNEL.rawValue, toChannel: false)
    }
    csoundSetOutputChannelCallback(engine) { engine, name, value, type in
      guard let engine, let name, let value, let type else { return }
      ValueOpcodes.copy(
        engine, name, value, type, CSOUND_OUTPUT_CHANNEL.rawValue, toChannel: true)
    }
  }

  /// Does nothing if the channel's type is not that of the opcode.
  private static func copy(
    _ engine: UnsafeMutablePointer<CSOUND>, _ name: UnsafePointer<CChar>,
    _ value: UnsafeMutableRawPointer, _ type: UnsafeRawPointer, _ direction: UInt32,
    toChannel: Bool
  ) {
    let letter = type.assumingMemoryBound(to: CS_TYPE.self).pointee.varTypeName?.pointee
    let isText = letter == CChar(UInt8(ascii: "S"))
    let kind = isText ? CSOUND_STRING_CHANNEL.rawValue : CSOUND_CONTROL_CHANNEL.rawValue
    var place: UnsafeMutablePointer<Double>?
    guard ccs_channel(engine, &place, name, Int32(kind | direction)) == 0, let place else {
      return
    }
    let channel = UnsafeMutableRawPointer(place)
    if isText {
      // For `invalue`, `value` is a STRINGDAT to fill; for `outvalue`, the characters themselves.
      let (read, written) =
        toChannel
        ? (
          value.assumingMemoryBound(to: CChar.self), channel.assumingMemoryBound(to: STRINGDAT.self)
        )
        : (
          channel.assumingMemoryBound(to: STRINGDAT.self).pointee.data,
          value.assumingMemoryBound(to: STRINGDAT.self)
        )
      ccs_lock_channel(engine, name)
      defer { ccs_unlock_channel(engine, name) }
      guard let read else { return }
      let length = strlen(read) + 1
      ccs_reserve_string(engine, written, Int32(length))
      written.pointee.data?.update(from: read, count: length)
    } else if toChannel {
      place.pointee = value.assumingMemoryBound(to: Double.self).pointee
    } else {
      value.assumingMemoryBound(to: Double.self).pointee = place.pointee
    }
  }
}
