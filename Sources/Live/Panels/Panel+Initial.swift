extension Panel {
  /// The values that the panel's channels are set to when the piece begins.
  public var initialValues: [String: ChannelValue] {
    var values: [String: ChannelValue] = [:]
    for widget in widgets {
      for (index, channel) in widget.channels.enumerated()
      where !channel.isEmpty && values[channel]?.isText != true {
        if let initial = widget.range(index).initial { values[channel] = .number(initial) }
      }
      if widget.kind == .field || widget.kind == .file, let channel = widget.channels.first,
        !channel.isEmpty, let text = widget.text
      {
        values[channel] = .text(text)
      }
    }
    return values
  }

  /// The values that the panel's control channels are set to when the piece begins.
  public var initialNumbers: [String: Double] { initialValues.compactMapValues(\.number) }

  /// The texts that the panel's string channels are set to when the piece begins.
  public var initialTexts: [String: String] { initialValues.compactMapValues(\.text) }
}
