/// Makes a panel for a piece that has none, from the channels in the orchestra's text: those declared with `chn_k` and
/// `chnexport`, and those that `chnget`, `chnset`, `invalue` and `outvalue` name.
///
/// - A channel that is only read becomes a slider; one that is only written becomes a label, or a meter if it has a
///   declared range.
/// - A channel that is both read and written is used inside the orchestra and becomes a label. If only constants are
///   written to it, it becomes a slider, and the first of them is its initial value.
/// - A declaration as input or output takes precedence over the two rules above.
/// - A string channel becomes a field instead of a slider; a whole number from 0 to 1 becomes a switch.
/// - The declaration gives range, curve and initial value. Without one a slider goes from 0 to 1, extended to twice
///   its initial value if necessary.
/// - A piece that calls opcodes of MIDI notes gets a keyboard.
///
/// Audio channels are left out, as are channels whose names are made while the piece plays.
public enum ChannelImporter {
  /// A channel's range and direction as Csound knows them, for channels whose range the text does not tell.
  public struct Hint: Sendable {
    public var name: String
    public var range: ValueRange
    public var isInput: Bool
    public var isOutput: Bool

    public init(_ name: String, _ range: ValueRange, isInput: Bool, isOutput: Bool) {
      (self.name, self.range, self.isInput, self.isOutput) = (name, range, isInput, isOutput)
    }
  }

  /// The panel of a piece's channels; without widgets if the piece has neither channels nor MIDI notes.
  public static func panel(of csd: String, title: String, hints: [Hint]) -> Panel {
    let orchestra = OrchestraText(ofCSD: csd)
    var panel = Panel(title, from: .channels)
    var (uses, dynamic) = ChannelUse.scan(orchestra)
    for hint in hints {
      if !uses.contains(where: { $0.name == hint.name }) {
        uses.append(ChannelUse(name: hint.name))
      }
      for place in uses.indices where uses[place].name == hint.name && uses[place].range == nil {
        take(hint, &uses[place])
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
    func made(_ kind: WidgetKind, _ range: ValueRange? = nil) -> PanelWidget {
      PanelWidget(
        kind, id: use.name, label: use.name, channels: [use.name], ranges: range.map { [$0] } ?? [])
    }
    if use.rate == .text { return made(isInput ? .field : .label) }
    guard isInput else { return made(use.range == nil ? .label : .meter, use.range) }
    var range =
      use.range ?? motionRange(use.name)
      ?? ValueRange(min(0, 2 * (first ?? 0)), max(1, 2 * (first ?? 0)))
    if use.range == nil { range.initial = first ?? range.initial }
    let isSwitch = use.isWhole && range.minimum == 0 && range.maximum == 1
    return made(isSwitch ? .switch : .slider, range)
  }

  /// The range of the channels that have a phone's motion, in g, rad/s or rad; nil for other channels.
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
