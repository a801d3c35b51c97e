// kval [, ktrig] cabbageGetValue Schannel [, itrigger]     also with S and i outputs
// cabbageSetValue Schannel, kval [, ktrig]                 also with S and i values
// cabbageSet [ktrig,] Schannel, …
//
// Cabbage's opcodes for the channels of its widgets. A channel is one of Csound's software bus; its name is read when the
// note starts. `cabbageGet` with one name does the same as `cabbageGetValue`. What changes how a widget looks has no
// effect, and the panel says so.

import CCsound
import OpcodeKit

extension WidgetBoard {
  /// The place of a channel of Csound's software bus, which is made if there is none.
  static func place(
    _ name: StringInput, _ context: Context, _ type: controlChannelType = CSOUND_CONTROL_CHANNEL
  ) throws(OpcodeError) -> UnsafeMutablePointer<Double> {
    var place: UnsafeMutablePointer<Double>?
    guard ccs_channel(context.instance, &place, name.text, channelType(type)) == 0, let place else {
      throw OpcodeError("the channel is of another type.")
    }
    return place
  }

  /// The longest text that a channel gets or gives, in bytes.
  static let longestText = 1023

  /// The place of a channel with a text, which has room for the longest.
  static func text(
    _ name: StringInput, _ context: Context
  ) throws(OpcodeError) -> UnsafeMutablePointer<STRINGDAT> {
    let place = try place(name, context, CSOUND_STRING_CHANNEL)
    let text = UnsafeMutableRawPointer(place).assumingMemoryBound(to: STRINGDAT.self)
    ccs_reserve_string(context.instance, text, Int32(longestText + 1))
    return text
  }
}

/// Copies a text, cut off at the longest. Returns whether that changed it.
private func copy(_ text: UnsafePointer<CChar>?, to target: UnsafeMutablePointer<CChar>?) -> Bool {
  guard let text, let target else { return false }
  var (index, isChanged) = (0, false)
  while index < WidgetBoard.longestText, text[index] != 0 {
    if target[index] != text[index] { (target[index], isChanged) = (text[index], true) }
    index += 1
  }
  if target[index] != 0 { (target[index], isChanged) = (0, true) }
  return isChanged
}

// MARK: Reading

@Opcode("cabbageGetValue.i", "A channel's value when the note starts")
struct InitChannelValue: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let value: InitOutput
    let channel: StringInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.value.value = try WidgetBoard.place(arguments.channel, context).pointee
  }
}

@Opcode("cabbageGetValue.k", "A channel's value")
struct ChannelValue: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let value: ControlOutput
    let channel: StringInput
  }

  private let place: UnsafeMutablePointer<Double>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    place = try WidgetBoard.place(arguments.channel, context)
    arguments.value.value = place.pointee
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.value.value = place.pointee
  }
}

@Opcode("cabbageGetValue.kk", "A channel's value, and 1 in each k-cycle in which it changes")
struct ChannelChange: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let value, trigger: ControlOutput
    let channel: StringInput
    /// Above 0: the trigger is 1 in the first k-cycle, too.
    @Default(0) let atStart: InitInput
  }

  private let place: UnsafeMutablePointer<Double>
  private var last: Double
  private var isDue: Bool

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    place = try WidgetBoard.place(arguments.channel, context)
    last = place.pointee
    isDue = arguments.atStart.value > 0
    arguments.value.value = last
    arguments.trigger.value = 0
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let value = place.pointee
    arguments.trigger.value = isDue || value != last ? 1 : 0
    arguments.value.value = value
    (last, isDue) = (value, false)
  }
}

@Opcode("cabbageGetValue.S", "A channel's text")
struct ChannelText: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let text: StringOutput
    let channel: StringInput
  }

  private var reader: TextReader

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    reader = try TextReader(arguments.text, arguments.channel, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    _ = reader.read(to: arguments.text)
  }
}

@Opcode("cabbageGetValue.Sk", "A channel's text, and 1 in each k-cycle in which it changes")
struct ChannelTextChange: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let text: StringOutput
    let trigger: ControlOutput
    let channel: StringInput
    /// Above 0: the trigger is 1 in the first k-cycle, too.
    @Default(-1) let atStart: InitInput
  }

  private var reader: TextReader
  private var isDue: Bool

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    reader = try TextReader(arguments.text, arguments.channel, context)
    isDue = arguments.atStart.value > 0
    arguments.trigger.value = 0
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.trigger.value = reader.read(to: arguments.text) || isDue ? 1 : 0
    isDue = false
  }
}

/// Copies a channel's text to a variable that no other opcode writes.
private struct TextReader {
  /// Nil for a channel of numbers, of which the text is empty.
  private let channel: UnsafeMutablePointer<STRINGDAT>?

  init(
    _ output: StringOutput, _ name: StringInput, _ context: Context
  ) throws(OpcodeError) {
    channel = try? WidgetBoard.text(name, context)
    output.reserve(WidgetBoard.longestText, context)
    _ = read(to: output)
  }

  /// Returns whether the text has changed.
  func read(to output: StringOutput) -> Bool {
    let target = UnsafeMutablePointer(mutating: output.bytes.baseAddress)
    return copy(
      channel?.pointee.data,
      to: UnsafeMutableRawPointer(target)?.assumingMemoryBound(to: CChar.self))
  }
}

// MARK: Writing

@Opcode("cabbageSetValue.i", "Sets a channel when the note starts")
struct SetInitChannel: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let channel: StringInput
    let value: InitInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    try WidgetBoard.place(arguments.channel, context).pointee = arguments.value.value
  }
}

@Opcode("cabbageSetValue.k", "Sets a channel")
struct SetChannel: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let channel: StringInput
    let value: ControlInput
    /// The channel is set in each k-cycle in which this is 1.
    @Default(1) let trigger: ControlInput
  }

  private let place: UnsafeMutablePointer<Double>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    place = try WidgetBoard.place(arguments.channel, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    if arguments.trigger.value == 1 { place.pointee = arguments.value.value }
  }
}

@Opcode("cabbageSetValue.S", "Sets a channel's text when the note starts")
struct SetInitChannelText: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let channel: StringInput
    let text: StringInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let place = try WidgetBoard.text(arguments.channel, context)
    _ = arguments.text.text.withCString { copy($0, to: place.pointee.data) }
  }
}

@Opcode("cabbageSetValue.Sk", "Sets a channel's text")
struct SetChannelText: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let channel: StringInput
    let text: StringInput
    /// The channel is set in each k-cycle in which this is 1.
    let trigger: ControlInput
  }

  private let place: UnsafeMutablePointer<STRINGDAT>

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    place = try WidgetBoard.text(arguments.channel, context)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    guard arguments.trigger.value == 1 else { return }
    let text = UnsafeRawPointer(arguments.text.bytes.baseAddress)
    _ = copy(text?.assumingMemoryBound(to: CChar.self), to: place.pointee.data)
  }
}
