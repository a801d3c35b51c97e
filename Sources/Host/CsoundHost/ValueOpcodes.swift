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
    guard ccs_channel(engine, &place, name, Int32(kind | direction)) == 0, let place else { return }
    let channel = UnsafeMutableRawPointer(place)
    if isText {
      ccs_lock_channel(engine, name)
      defer { ccs_unlock_channel(engine, name) }
      let string = channel.assumingMemoryBound(to: STRINGDAT.self)
      guard toChannel else {
        if let text = string.pointee.data { ccs_give_text(value, text) }
        return
      }
      let text = value.assumingMemoryBound(to: CChar.self)
      let length = strlen(text) + 1
      ccs_reserve_string(engine, string, Int32(length))
      string.pointee.data?.update(from: text, count: length)
    } else if toChannel {
      place.pointee = value.assumingMemoryBound(to: Double.self).pointee
    } else {
      value.assumingMemoryBound(to: Double.self).pointee = place.pointee
    }
  }
}
