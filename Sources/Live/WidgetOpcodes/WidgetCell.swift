import CCsound
import OpcodeKit

/// What ties a widget's control channel to the variable an orchestra reads it from.
///
/// Csound looks at the cells once in every k-cycle, before the notes; what has changed in a channel goes to its
/// variable then. Only Csound's own thread touches them.
struct WidgetCell: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// The variable follows the channel.
    case value
    /// Each time the channel becomes 1 the variable is `on`, and stays so.
    case trigger
    /// The variable is `on` or `off`.
    case toggle
    /// The variable follows the channel; values beyond the least and the greatest do not exist.
    case choice
    /// The channel alone is used, to show a value.
    case display
  }

  let kind: Kind
  let channel: UnsafeMutablePointer<Double>
  /// Nil when the instrument that has it is gone.
  var variable: ControlOutput?
  /// What the channel was when it was last looked at.
  var seen = 0.0
  var low = -Double.infinity
  var high = Double.infinity
  var on = 1.0
  var off = 0.0
  /// The box that shows the value.
  var display: UnsafeMutablePointer<WidgetCell>?
  /// `iopcode` and the p-fields of the note that a press starts.
  var event: Variadic<ControlInput>?
  var startsNote = false
  /// The table that the value goes to, and the place in it; 0 for none.
  var table: Int32 = 0
  var tableIndex: Int32 = 0
  /// Whether the table does not have the value yet.
  var isNew = false
  /// Whether snapshots leave it as it is.
  var skipsSnapshots = false
  var next: UnsafeMutablePointer<WidgetCell>?

  init(_ kind: Kind, _ channel: UnsafeMutablePointer<Double>, _ variable: ControlOutput? = nil) {
    (self.kind, self.channel, self.variable) = (kind, channel, variable)
  }

  /// Sets the value as `FLsetVal` does: within the widget's range; a bank ignores a button it does not have, a
  /// button what is neither its on nor its off value; one without memory is pressed by any value.
  mutating func set(_ value: Double) {
    switch kind {
    case .trigger: variable?.value = on
    case .toggle: if value == on || value == off { show(value) }
    case .choice:
      guard low <= value, value <= high else { return }
      show(value)
    case .value: show(min(max(value, low), high))
    case .display: show(value)
    }
    startsNote = event != nil
  }

  private mutating func show(_ value: Double) {
    channel.pointee = value
    seen = value
    isNew = true
    variable?.value = value
    display?.pointee.channel.pointee = value
  }

  /// Takes over what the panel has put into the channel.
  mutating func exchange() {
    let value = channel.pointee
    guard value != seen else { return }
    seen = value
    if kind == .trigger {
      guard value != 0 else { return }
      variable?.value = on
    } else {
      isNew = true
      variable?.value = value
      display?.pointee.channel.pointee = value
    }
    startsNote = event != nil
  }
}
