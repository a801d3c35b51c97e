import CsoundLive
import HarnessBase
import Panels

/// Carries out the requests of pages.
extension PanelDesk {
  func carryOut(_ message: ClientMessage, by client: Int) throws(Failure) {
    switch message {
    case .set(let channel, let value):
      let place = try place(of: channel)
      guard let bounds = state.channels[place].bounds, !state.channels[place].isText else {
        throw .usage("'\(channel)' is shown only; no widget sets its number.")
      }
      let admitted = min(bounds.upperBound, max(bounds.lowerBound, value))
      try set(place, to: admitted, by: admitted == value ? client : 0)
    case .text(let channel, let text):
      let place = try place(of: channel)
      guard state.channels[place].isText else {
        throw .usage("'\(channel)' is no channel of a text that can be set.")
      }
      try set(place, to: text, by: client)
    case .press(let id):
      let widget = try widget(id, [.momentary, .event])
      if let channel = widget.channels.first, !channel.isEmpty { try piece.press(channel) }
      try send(widget.press)
    case .hold(let id, let isDown):
      _ = try widget(id, [.button, .event])
      try change(.widget(id), isDown: isDown, by: client)
    case .choose(let id, let choice): try choose(choice, of: id, by: client)
    case .key(let id, let key, let isDown):
      let keys = try widget(id, [.keyboard]).keys ?? PanelKeys()
      guard key >= keys.low, key < keys.low + keys.count, (0...127).contains(key) else {
        throw .usage("'\(id)' has no key \(key).")
      }
      try change(.key(widget: id, key: key), isDown: isDown, by: client)
    case .sample(let id, let index, let value):
      let surface = try widget(id, [.surface])
      guard let table = surface.tables.first, Self.isTable(table), surface.channels.isEmpty else {
        throw .usage("'\(id)' shows no table.")
      }
      let bounds = surface.bounds(ofChannel: 0) ?? 0...1
      tableWatch.set(table, index, to: min(bounds.upperBound, max(bounds.lowerBound, value)))
    case .preset(let name, .recall): try recall(name)
    case .morph(let name, let seconds): try recall(name, within: seconds)
    case .preset(let name, .save):
      try presets.save(state.preset(name))
      chosenPreset = name
      presetsNumber += 1
    case .preset(let name, .delete):
      try presets.delete(name)
      if chosenPreset == name { chosenPreset = nil }
      presetsNumber += 1
    case .restore(let values, let name):
      try apply(values)
      if let name { chosenPreset = name.isEmpty ? nil : name }
    case .learn(let channel):
      try requireControllers().learn(try channel.map { name throws(Failure) in try wish(name) })
    case .forget(let channel): try requireControllers().forget(channel)
    case .layout(let layout):
      let arranged = try layout.applied(to: panel)
      try values.keep(arranged)
      show(arranged)
    case .release: letGo(of: client)
    case .panic: try panic()
    case .record(let isOn): try record(isOn) { [self] in refuse(client, $0) }
    case .pause(let isOn): try pause(isOn)
    case .trace:
      try trace { [self] result in
        switch result {
        case .success(let path): answer(client, ServerMessage.notice("The trace is in \(path)."))
        case .failure(let failure): refuse(client, failure)
        }
      }
    case .taken(let action): try settleTaken(keepsThem: action == .keep)
    }
  }

  private func requireControllers() throws(Failure) -> any PanelControllers {
    guard let controllers else {
      throw .unavailable("There is no MIDI to learn from; play with --midi SOURCE.")
    }
    return controllers
  }

  /// A channel for a controller to set, with the range and curve of its widget.
  private func wish(_ channel: String) throws(Failure) -> ChannelWish {
    let place = try place(of: channel)
    guard let bounds = state.channels[place].bounds, !state.channels[place].isText,
      bounds.lowerBound < bounds.upperBound
    else { throw .usage("No widget sets a number of '\(channel)'.") }
    return ChannelWish(channel, bounds, panel.curve(of: channel, bounds))
  }

  private func recall(_ name: String, within seconds: Double = 0) throws(Failure) {
    let all = presets.all(beside: panel)
    guard let preset = all.first(where: { $0.name == name }) else {
      let near = NearNames.of(name, among: Set(all.map(\.name)))
      let advice = near.isEmpty ? "." : "; did you mean \(near.joined(separator: " or "))?"
      throw .usage("There is no preset '\(name)'\(advice)")
    }
    try recall(preset, within: seconds)
  }

  /// Sets the channels for which a preset has values, as far as this panel can set them. Ends a morph.
  func apply(_ preset: PanelPreset) throws(Failure) {
    morph = nil
    for (channel, value) in preset.values.sorted(by: { $0.key < $1.key }) {
      guard let place = state.place(of: channel), !state.channels[place].isText,
        let bounds = state.channels[place].bounds
      else { continue }
      try set(place, to: min(bounds.upperBound, max(bounds.lowerBound, value)), by: 0)
    }
    for (channel, text) in preset.texts.sorted(by: { $0.key < $1.key }) {
      guard let place = state.place(of: channel), state.channels[place].isText else { continue }
      try set(place, to: text, by: 0)
    }
  }

  private func place(of channel: String) throws(Failure) -> Int {
    guard let place = state.place(of: channel) else {
      throw .usage("The panel has no channel '\(channel)'.")
    }
    return place
  }

  private func widget(_ id: String, _ kinds: Set<WidgetKind>) throws(Failure) -> PanelWidget {
    guard let widget = widgets[id], kinds.contains(widget.kind), !widget.isReadOnly else {
      throw .usage("The panel has no widget '\(id)' that can do this.")
    }
    return widget
  }

  func set(_ place: Int, to value: Double, by client: Int) throws(Failure) {
    try piece.set(state.channels[place].name, to: value)
    try note(place, value, by: client)
  }

  /// Notes that a channel of the piece was set.
  func note(_ place: Int, _ value: Double, by client: Int) throws(Failure) {
    let name = state.channels[place].name
    values.set(name, to: value)
    state.set(place, to: .number(value), by: client, at: now)
    try switchOffOthers(of: name, at: value)
  }

  /// If a switch of an exclusive set was switched on, switches the others off.
  private func switchOffOthers(of channel: String, at value: Double) throws(Failure) {
    let switched = switches.first { $0.channels.first == channel && $0.on == value }
    guard let switched else { return }
    for other in switches where other.exclusive == switched.exclusive && other.id != switched.id {
      guard let name = other.channels.first, name != channel, let place = state.place(of: name),
        state.channels[place].value != .number(other.off)
      else { continue }
      try set(place, to: other.off, by: 0)
    }
  }

  func set(_ place: Int, to text: String, by client: Int) throws(Failure) {
    let name = state.channels[place].name
    try piece.set(name, to: text)
    values.set(name, to: text)
    state.set(place, to: .text(text), by: client, at: now)
  }

  private func choose(_ choice: Int, of id: String, by client: Int) throws(Failure) {
    let widget = try widget(id, [.menu, .radio, .switch])
    let isSwitch = widget.kind == .switch
    guard choice >= 0, choice < (isSwitch ? 2 : widget.options.count) else {
      throw .usage("'\(id)' has no choice \(choice).")
    }
    if let channel = widget.channels.first, let place = state.place(of: channel) {
      if isSwitch {
        try set(place, to: choice == 0 ? widget.off : widget.on, by: client)
      } else if let text = widget.options[choice].text {
        try set(place, to: text, by: client)
      } else {
        try set(place, to: widget.options[choice].value, by: client)
      }
    }
    try send(isSwitch && choice == 0 ? widget.release : widget.press)
  }

  /// Notes that a client holds or releases a button or key. Presses it if the client is the first to hold it, and
  /// releases it if no other client holds it.
  func change(_ thing: Holds.Thing, isDown: Bool, by client: Int) throws(Failure) {
    guard isDown ? holds.hold(thing, by: client) : holds.letGo(thing, by: client) else { return }
    switch thing {
    case .widget(let id):
      guard let widget = widgets[id] else { return }
      try send(isDown ? widget.press : widget.release)
      guard widget.kind == .button, let channel = widget.channels.first,
        let place = state.place(of: channel)
      else { return }
      pendingReleases[channel] = nil
      if isDown {
        try set(place, to: widget.on, by: 0)
      } else if let value = try piece.value(of: channel), value != widget.on {
        pendingReleases[channel] = (widget.off, now + 2)
      } else {
        try set(place, to: widget.off, by: 0)
      }
    case .key(let id, let key):
      let keys = widgets[id]?.keys ?? PanelKeys()
      if let instrument = keys.instrument {
        let number = "\(instrument).\(String(key + 1000).dropFirst())"
        try piece.send(
          line: isDown ? "i \(number) 0 -2 \(key) \(keys.velocity)" : "i -\(number) 0 0 \(key) 0")
      } else {
        let velocity = UInt8(min(127, max(1, keys.velocity)))
        try piece.send(
          midi: isDown
            ? .noteOn(UInt8(key), velocity: velocity, channel: keys.channel)
            : .noteOff(UInt8(key), channel: keys.channel))
      }
    }
  }

  private func send(_ lines: [String]) throws(Failure) {
    for line in lines { try piece.send(line: line) }
  }
}
