extension Panel {
  /// The values that the panel's channels are set to when the piece begins.
  public var initialValues: [String: ChannelValue] {
    initialNumbers.mapValues(ChannelValue.number).merging(
      initialTexts.mapValues(ChannelValue.text)
    ) { $1 }
  }

  /// The values that the panel's control channels are set to when the piece begins.
  public var initialNumbers: [String: Double] {
    var values: [String: Double] = [:]
    let texts = Set(initialTexts.keys)
    for widget in widgets {
      for (index, channel) in widget.channels.enumerated()
      where !channel.isEmpty && !texts.contains(channel) {
        if let initial = widget.range(index).initial { values[channel] = initial }
      }
    }
    return values
  }

  /// The texts that the panel's string channels are set to when the piece begins.
  public var initialTexts: [String: String] {
    var texts: [String: String] = [:]
    for widget in widgets where widget.kind == .field || widget.kind == .file {
      if let channel = widget.channels.first, !channel.isEmpty, let text = widget.text {
        texts[channel] = text
      }
    }
    return texts
  }
}
