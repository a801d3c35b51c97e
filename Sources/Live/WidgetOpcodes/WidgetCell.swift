import OpcodeKit

/// The link between a widget's control channel and the output variable of the widget's opcode.
///
/// Once in every k-cycle, before the notes, each channel that has changed is copied to its variable. Only Csound's own
/// thread uses the cells.
struct WidgetCell: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// The variable follows the channel.
    case value
    /// When the channel becomes other than 0, the variable becomes `on` and stays so.
    case trigger
    /// The variable is `on` or `off`.
    case toggle
    /// The variable follows the channel; `set` ignores values outside `low` to `high`.
    case choice
    /// Shows a value in the channel; there is no variable.
    case display
  }

  let kind: Kind
  let channel: UnsafeMutablePointer<Double>
  /// Nil if the opcode has none, or when its instrument has been freed.
  var variable: ControlOutput?
  /// The channel's value at the last look.
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
  /// The number of the table that the value is written to; 0 for none.
  var table: Int32 = 0
  /// Where in the table the value is written.
  var tableIndex: Int32 = 0
  /// Whether the value has still to be written to the table.
  var isNew = false
  /// Whether snapshots leave the widget out.
  var skipsSnapshots = false
  var next: UnsafeMutablePointer<WidgetCell>?

  init(_ kind: Kind, _ channel: UnsafeMutablePointer<Double>, _ variable: ControlOutput? = nil) {
    (self.kind, self.channel, self.variable) = (kind, channel, variable)
  }

  /// Sets the value as `FLsetVal` does. Sliders, knobs and numbers limit it to their range. A bank ignores the number
  /// of a button that it does not have. A switch ignores a value that is neither `on` nor `off`. Any value presses a
  /// button without memory.
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

  /// Passes on the value that the panel has put into the channel, if it has changed.
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
