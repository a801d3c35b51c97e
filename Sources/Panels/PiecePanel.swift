public import HarnessBase

/// The panel of a piece, from the first source that has one.
public enum PiecePanel {
  /// What the text of a CSD tells: its section `<Cabbage>`, its `<bsbPanel>`, or else its channels.
  ///
  /// What FL opcodes make is known when they have been called, and stands before the channels.
  public static func panel(
    of csd: String, title: String, hints: [ChannelImporter.Hint] = []
  ) throws(Failure) -> Panel {
    if let panel = try CabbageImporter.panel(of: csd, title: title) { return panel }
    if let panel = try BsbPanelImporter.panel(of: csd, title: title) { return panel }
    return ChannelImporter.panel(of: csd, title: title, hints: hints)
  }
}
