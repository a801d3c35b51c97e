import CCsound

extension LiveEngine {
  /// The declared channels, sorted by name. [before the first cycle]
  static func channels(of engine: UnsafeMutablePointer<CSOUND>) -> [ChannelDescription] {
    var list: UnsafeMutablePointer<controlChannelInfo_t>?
    let count = csoundListChannels(engine, &list)
    guard count > 0, let list else { return [] }
    defer { csoundDeleteChannelList(engine, list) }
    return (0..<Int(count)).map { describe(list[$0]) }.sorted { $0.name < $1.name }
  }

  private static func describe(_ channel: controlChannelInfo_t) -> ChannelDescription {
    let type = UInt32(channel.type)
    let kind: ChannelDescription.Kind =
      switch type & UInt32(CSOUND_CHANNEL_TYPE_MASK.rawValue) {
      case UInt32(CSOUND_CONTROL_CHANNEL.rawValue): .control
      case UInt32(CSOUND_AUDIO_CHANNEL.rawValue): .audio
      case UInt32(CSOUND_STRING_CHANNEL.rawValue): .string
      default: .other
      }
    let hints = channel.hints
    let hasHints = kind == .control && hints.behav != CSOUND_CONTROL_CHANNEL_NO_HINTS
    return ChannelDescription(
      name: String(cString: channel.name), kind: kind,
      isInput: type & UInt32(CSOUND_INPUT_CHANNEL.rawValue) != 0,
      isOutput: type & UInt32(CSOUND_OUTPUT_CHANNEL.rawValue) != 0,
      range: hasHints && hints.min < hints.max ? hints.min...hints.max : nil,
      initial: hasHints ? hints.dflt : nil,
      isExponential: hasHints && hints.behav == CSOUND_CONTROL_CHANNEL_EXP,
      isWhole: hasHints && hints.behav == CSOUND_CONTROL_CHANNEL_INT)
  }

  /// Sets a string channel with Csound's own lock for it, from any thread.
  func setString(_ channel: String, to text: String) {
    var text = text.utf8CString
    text.withUnsafeMutableBufferPointer {
      csoundSetStringChannel(csound.engine, channel, $0.baseAddress)
    }
  }
}
