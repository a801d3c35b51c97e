// Schannel, ktrig cabbageChanged Schannels[]
// kindex, ktrig cabbageChanged Schannels[]
//
// The channel that has changed last, of an array of channels that is read when the note starts; ktrig is 1 in each
// k-cycle in which one changes.

import CCsound
import OpcodeKit

/// The channels of an array, and what they were at the last look.
private struct ChannelChanges {
  private struct Channel: BitwiseCopyable {
    let number: UnsafeMutablePointer<Double>?
    /// Nil for a channel of numbers.
    let text: UnsafeMutablePointer<STRINGDAT>?
    var seen: UInt64 = 0

    /// The number's bits, or a hash of the text.
    var value: UInt64 {
      if let number { return number.pointee.bitPattern }
      var (hash, index): (UInt64, Int) = (5381, 0)
      while let byte = text?.pointee.data?[index], byte != 0 {
        (hash, index) = (hash &* 33 ^ UInt64(UInt8(bitPattern: byte)), index + 1)
      }
      return hash
    }
  }

  private let channels: Buffer<Channel>
  private let count: Int

  init(_ names: ArrayInput<StringInput>, _ context: Context) throws(OpcodeError) {
    count = names.count
    channels = try context.buffer(count: count)
    for index in 0..<count {
      let number = try? WidgetBoard.place(names[index], context)
      let text = number == nil ? try WidgetBoard.text(names[index], context) : nil
      channels[index] = Channel(number: number, text: text)
      channels[index].seen = channels[index].value
    }
  }

  /// The last of the channels that have changed since the last call; nil if none has.
  func next() -> Int? {
    var changed: Int?
    for index in 0..<count where channels[index].value != channels[index].seen {
      channels[index].seen = channels[index].value
      changed = index
    }
    return changed
  }
}

@Opcode(
  "cabbageChanged.k", "The index of the channel that changed last, and 1 whenever one changes")
struct ChangedIndex: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let index, trigger: ControlOutput
    let channels: ArrayInput<StringInput>
  }

  static var bufferCount: Int { 1 }
  private let changes: ChannelChanges

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    changes = try ChannelChanges(arguments.channels, context)
    (arguments.index.value, arguments.trigger.value) = (0, 0)
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let changed = changes.next()
    arguments.trigger.value = changed == nil ? 0 : 1
    if let changed { arguments.index.value = Double(changed) }
  }
}

@Opcode("cabbageChanged.S", "The channel that changed last, and 1 whenever one changes")
struct ChangedName: ControlOpcode {
  struct Arguments: BitwiseCopyable {
    let name: StringOutput
    let trigger: ControlOutput
    let channels: ArrayInput<StringInput>
  }

  static var bufferCount: Int { 1 }
  private let changes: ChannelChanges

  init(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    changes = try ChannelChanges(arguments.channels, context)
    arguments.name.reserve(WidgetBoard.longestText, context)
    arguments.trigger.value = 0
  }

  mutating func perform(_ arguments: Arguments, _ context: Context) throws(OpcodeError) {
    let changed = changes.next()
    arguments.trigger.value = changed == nil ? 0 : 1
    guard let changed, changed < arguments.channels.count else { return }
    let name = arguments.channels[changed].bytes
    arguments.name.replace(count: name.count) { name[$0] }
  }
}
