public import HarnessBase

/// The panel of a piece, from the first source that has one.
public enum PiecePanel {
  /// What the text of a CSD tells: its section `<Cabbage>`, its `<bsbPanel>`, or else its channels.
  ///
  /// What FL opcodes make is known when they have been called, and stands before the channels.
  public static func panel(
    of csd: String, title: String, hints: [ChannelImporter.Hint] = []
  ) throws(Failure) -> Panel {
    let drawn =
      if let panel = try CabbageImporter.panel(of: csd, title: title) {
        panel
      } else {
        try BsbPanelImporter.panel(of: csd, title: title)
      }
    guard var drawn else { return ChannelImporter.panel(of: csd, title: title, hints: hints) }
    keepTypes(of: csd, &drawn)
    return drawn
  }

  /// A number in a channel that the orchestra has texts in would make it one of numbers, and the piece fail.
  private static func keepTypes(of csd: String, _ panel: inout Panel) {
    let uses = ChannelUse.scan(OrchestraText(ofCSD: csd)).uses
    let texts = Set(uses.filter { $0.rate == .text }.map(\.name))
    for widget in panel.widgets.indices {
      for (index, channel) in panel.widgets[widget].channels.enumerated()
      where texts.contains(channel) && index < panel.widgets[widget].ranges.count {
        panel.widgets[widget].ranges[index].initial = nil
      }
    }
  }
}
