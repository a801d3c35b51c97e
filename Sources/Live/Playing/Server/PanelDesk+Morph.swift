import HarnessBase
import Panels

/// The way to a preset that takes some seconds.
struct Morph {
  /// A control on its way: from one position on it to another, between 0 and 1.
  struct Part {
    let channel: String
    let range: ValueRange
    let start, end: Double
    /// The value that it was set to last.
    var value: Double
  }

  /// By the server's clock, in seconds.
  let begin: Double
  let seconds: Double
  var parts: [Part]
}

extension PanelDesk {
  /// The longest time of a morph, in seconds.
  static let longestMorph = 600.0

  /// Recalls a preset: at once, or within some seconds, in which controls move steadily from where they are. Switches,
  /// menus and texts change at once.
  func recall(_ preset: PanelPreset, within seconds: Double) throws(Failure) {
    var rest = preset
    var parts: [Morph.Part] = []
    if seconds > 0 {
      for (channel, range) in movable {
        guard let wanted = preset.values[channel], let place = state.place(of: channel),
          let bounds = state.channels[place].bounds,
          case .number(let value)? = state.channels[place].value
        else { continue }
        let end = bounds.nearest(to: wanted)
        parts.append(
          Morph.Part(
            channel: channel, range: range, start: range.position(of: value),
            end: range.position(of: end), value: value))
        rest.values[channel] = nil
      }
    }
    try apply(rest)
    _ = mailbox.takeSet()
    if !parts.isEmpty { morph = Morph(begin: now, seconds: seconds, parts: parts) }
    chosenPreset = preset.name
  }

  /// The channels of controls that move steadily, and their ranges.
  private var movable: [(channel: String, range: ValueRange)] {
    panel.widgets.filter { [.slider, .knob, .number, .range, .pad, .surface].contains($0.kind) }
      .flatMap { widget in
        widget.channels.indices.map { (widget.channels[$0], widget.range($0)) }
      }
  }

  /// Moves the controls of a morph on. One that was set by somebody else meanwhile stays where it is.
  func carryOutMorph(at time: Double) {
    guard var morph else { return }
    let part = min(1, (time - morph.begin) / morph.seconds)
    let touched = mailbox.takeSet()
    morph.parts.removeAll { moved in
      guard !touched.contains(moved.channel), let place = state.place(of: moved.channel) else {
        return true
      }
      return state.channels[place].value != .number(moved.value)
    }
    for index in morph.parts.indices {
      let moved = morph.parts[index]
      guard let place = state.place(of: moved.channel) else { continue }
      let value = moved.range.value(at: moved.start + part * (moved.end - moved.start))
      guard value != moved.value else { continue }
      try? set(place, to: .number(value), by: 0)
      morph.parts[index].value = value
    }
    self.morph = part < 1 && !morph.parts.isEmpty ? morph : nil
  }
}
