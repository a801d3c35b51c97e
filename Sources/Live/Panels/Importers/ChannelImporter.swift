public import HarnessBase

/// Makes a panel for a piece that has none: of the channels it declares with `chn_k` and `chnexport`, and of those
/// that `chnget`, `chnset`, `invalue` and `outvalue` name. They are known before a note plays.
///
/// A channel that is read is a slider; one that is only written is a label. What both reads and writes is inside the
/// orchestra, a label too, unless all that is written to it are constants: they are its first value. A text has a
/// field, a whole number of 0 and 1 a switch. Ranges, curves and first values are those of the declaration; without one
/// a slider goes from 0 to 1, or to twice its first value where that is greater. A piece with MIDI instruments
/// gets a keyboard. Audio channels and names that are made at run time are left out.
public enum ChannelImporter: PanelImporter {
  /// What Csound says of a channel that it knows, where the text alone says less.
  public struct Hint: Sendable {
    public var name: String
    public var range: ValueRange
    public var isInput: Bool
    public var isOutput: Bool

    public init(_ name: String, _ range: ValueRange, isInput: Bool, isOutput: Bool) {
      (self.name, self.range, self.isInput, self.isOutput) = (name, range, isInput, isOutput)
    }
  }

  public static func panel(of csd: String, title: String) throws(Failure) -> Panel? {
    panel(of: csd, title: title, hints: [])
  }

  /// The panel of a piece's channels; without any widget where it has no channels.
  public static func panel(of csd: String, title: String, hints: [Hint]) -> Panel {
    let orchestra = OrchestraText(ofCSD: csd)
    var panel = Panel(title, from: .channels)
    var (uses, dynamic) = ChannelUse.scan(orchestra)
    for hint in hints {
      if let place = uses.firstIndex(where: { $0.name == hint.name }) {
        if uses[place].range == nil { take(hint, &uses[place]) }
      } else {
        var use = ChannelUse(name: hint.name)
        take(hint, &use)
        uses.append(use)
      }
    }
    for use in uses {
      if use.rate == .audio {
        panel.leaveOut("channel", reason: "Audio channels have no values to set.")
      } else {
        panel.add(widget(for: use))
      }
    }
    for (opcode, count) in dynamic.sorted(by: { $0.key < $1.key }) {
      panel.leftOut.append(
        LeftOut(opcode, count: count, reason: "The channel's name is made while the piece plays."))
    }
    if orchestra.calls(midiOpcodes) {
      var keys = PanelWidget(.keyboard, id: "keys", label: "Keyboard")
      keys.keys = PanelKeys()
      panel.add(keys)
    }
    return panel
  }

  private static func take(_ hint: Hint, _ use: inout ChannelUse) {
    use.range = hint.range
    use.isWhole = hint.range.step == 1
    use.isDeclaredInput = use.isDeclaredInput || hint.isInput
    use.isDeclaredOutput = use.isDeclaredOutput || hint.isOutput
  }

  private static func widget(for use: ChannelUse) -> PanelWidget {
    let first = use.constants.flatMap { $0.first }
    let isInput =
      use.isDeclaredInput || !use.isDeclaredOutput && use.isRead && (!use.isWritten || first != nil)
    if use.rate == .text {
      return PanelWidget(
        isInput ? .field : .label, id: use.name, label: use.name, channels: [use.name])
    }
    guard isInput else {
      return PanelWidget(
        use.range == nil ? .label : .meter, id: use.name, label: use.name, channels: [use.name],
        ranges: use.range.map { [$0] } ?? [])
    }
    var range =
      use.range ?? motionRange(use.name)
      ?? ValueRange(min(0, 2 * (first ?? 0)), max(1, 2 * (first ?? 0)))
    if use.range == nil { range.initial = first ?? range.initial }
    let isSwitch = use.isWhole && range.minimum == 0 && range.maximum == 1
    return PanelWidget(
      isSwitch ? .switch : .slider, id: use.name, label: use.name, channels: [use.name],
      ranges: [range])
  }

  /// What a phone's motion can be on the channels that have it: g, rad/s, rad.
  private static func motionRange(_ channel: String) -> ValueRange? {
    let largest =
      switch channel {
      case "accelerometerX", "accelerometerY", "accelerometerZ": 8.0
      case "gyroX", "gyroY", "gyroZ": 35.0
      case "attitudePitch", "attitudeRoll": Double.pi
      case "attitudeYaw": 2 * Double.pi
      default: 0.0
      }
    return largest > 0 ? ValueRange(-largest, largest, initial: 0) : nil
  }

  private static let midiOpcodes: Set<String> = [
    "ampmidi", "ampmidid", "cpsmidi", "cpsmidib", "midinoteoncps", "midinoteonkey",
    "midinoteonoct", "midinoteonpch", "midin", "midiin", "notnum", "octmidi", "octmidib",
    "pchmidi", "pchmidib", "veloc", "cpstmid", "midikeyvelocity", "midicps",
  ]
}
