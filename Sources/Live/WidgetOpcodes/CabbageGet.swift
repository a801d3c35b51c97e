// iout[] cabbageGet Schannel, Sproperty              also with k[], i, k, kk, S and S[] outputs
// Schannels[] cabbageGetWidgetChannels [Sidentifiers]
//
// Cabbage's opcodes for the properties of its widgets. They answer with what the section <Cabbage> of the piece says,
// which does not change while the piece plays. Only the property `value` changes: it is the channel's.

import OpcodeKit
import Panels

/// One number of a property.
private struct Property {
  /// The value of the channel; nil for a property that does not change.
  private let channel: UnsafeMutablePointer<Double>?
  private let written: Double

  init(_ channel: StringInput, _ name: StringInput, _ context: Context) {
    written = WidgetBoard.of(context).properties.numbers(name.text, of: channel.text)[0]
    self.channel = name.text == "value" ? try? WidgetBoard.place(channel, context) : nil
  }

  var value: Double { channel?.pointee ?? written }
}

/// The numbers of a property when the note starts.
private func numbers(_ channel: StringInput, _ name: StringInput, _ context: Context) -> [Double] {
  var numbers = WidgetBoard.of(context).properties.numbers(name.text, of: channel.text)
  if name.text == "range", let value = try? WidgetBoard.place(channel, context) {
    numbers[2] = value.pointee
  }
  return numbers
}

@Opcode("cabbageGet.iarray", "The numbers of a widget's property")
struct InitPropertyNumbers: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let numbers: ArrayOutput<InitOutput>
    let channel, property: StringInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let numbers = numbers(arguments.channel, arguments.property, context)
    try arguments.numbers.resize(to: numbers.count, context)
    for (index, number) in numbers.enumerated() { arguments.numbers[index].value = number }
  }
}

@Opcode("cabbageGet.karray", "The numbers of a widget's property")
struct PropertyNumbers: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let numbers: ArrayOutput<ControlOutput>
    let channel, property: StringInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let numbers = numbers(arguments.channel, arguments.property, context)
    try arguments.numbers.resize(to: numbers.count, context)
    for (index, number) in numbers.enumerated() { arguments.numbers[index].value = number }
  }
}

@Opcode("cabbageGet.iproperty", "The first number of a widget's property when the note starts")
struct InitPropertyNumber: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let number: InitOutput
    let channel, property: StringInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.number.value = Property(arguments.channel, arguments.property, context).value
  }
}

@Opcode("cabbageGet.kproperty", "The first number of a widget's property")
struct PropertyNumber: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let number: ControlOutput
    let channel, property: StringInput
  }

  private let property: Property

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    property = Property(arguments.channel, arguments.property, context)
    arguments.number.value = property.value
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    arguments.number.value = property.value
  }
}

@Opcode(
  "cabbageGet.kkproperty",
  "The first number of a property, and 1 in each k-cycle in which it changes")
struct PropertyChange: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let number, trigger: ControlOutput
    let channel, property: StringInput
  }

  private let property: Property
  private var last: Double

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    property = Property(arguments.channel, arguments.property, context)
    last = property.value
    (arguments.number.value, arguments.trigger.value) = (last, 0)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let value = property.value
    (arguments.number.value, arguments.trigger.value) = (value, value != last ? 1 : 0)
    last = value
  }
}

extension StringOutput {
  /// Sets the text in the init pass.
  fileprivate func set(_ text: String, _ context: Context) {
    reserve(text.utf8.count, context)
    clear()
    append(contentsOf: text.utf8)
  }
}

extension ArrayOutput<StringOutput> {
  /// Sets the texts in the init pass.
  fileprivate func set(_ texts: [String], _ context: Context) throws(OpcodeError) {
    try resize(to: texts.count, context)
    for (index, text) in texts.enumerated() { self[index].set(text, context) }
  }
}

@Opcode("cabbageGet.Sproperty", "The first text of a widget's property")
struct PropertyText: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let text: StringOutput
    let channel, property: StringInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let (channel, name) = (arguments.channel.text, arguments.property.text)
    arguments.text.set(WidgetBoard.of(context).properties.texts(name, of: channel)[0], context)
  }
}

@Opcode("cabbageGet.Sarray", "The texts of a widget's property")
struct PropertyTexts: InitOpcode {
  struct Arguments: BitwiseCopyable {
    let texts: ArrayOutput<StringOutput>
    let channel, property: StringInput
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let (channel, name) = (arguments.channel.text, arguments.property.text)
    try arguments.texts.set(WidgetBoard.of(context).properties.texts(name, of: channel), context)
  }
}

@Opcode("cabbageGetWidgetChannels", "The channels of the widgets with these identifiers")
struct WidgetChannels: InitOpcode {
  struct Arguments: VariadicArguments {
    let channels: ArrayOutput<StringOutput>
    /// As in the section `<Cabbage>`; all widgets without it.
    let identifiers: Variadic<StringInput>
  }

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let identifiers = arguments.identifiers.count > 0 ? arguments.identifiers[0].text : ""
    let channels = WidgetBoard.of(context).properties.channels(with: identifiers)
    try arguments.channels.set(channels, context)
  }
}
