import CsoundLive
import HarnessBase
import Panels

/// Carries out the requests of pages.
extension PanelDesk {
  func carryOut(_ message: ClientMessage, by client: Int) throws(Failure) {
    switch message.type {
    case "set":
      let (place, value) = (try place(of: message.need(\.channel)), try message.need(\.value))
      guard let bounds = state.channels[place].bounds, !state.channels[place].isText else {
        throw .usage("'\(state.channels[place].name)' is shown only; no widget sets its number.")
      }
      let admitted = bounds.nearest(to: value)
      try set(place, to: .number(admitted), by: admitted == value ? client : 0)
    case "text":
      let (place, text) = (try place(of: message.need(\.channel)), try message.need(\.text))
      guard state.channels[place].isText else {
        throw .usage("'\(state.channels[place].name)' is no channel of a text that can be set.")
      }
      try set(place, to: .text(text), by: client)
    case "press":
      let widget = try widget(message, [.momentary, .event])
      if let channel = widget.channels.first, !channel.isEmpty { try piece.press(channel) }
      try send(widget.press)
    case "hold":
      let (widget, isDown) = (try widget(message, [.button, .event]), try message.need(\.down))
      try change(.widget(widget.id), isDown: isDown, by: client)
    case "choose": try choose(message.need(\.choice), of: message, by: client)
    case "key":
      let (widget, key) = (try widget(message, [.keyboard]), try message.need(\.key))
      let keys = widget.keys ?? PanelKeys()
      guard key >= keys.low, key < keys.low + keys.count, (0...127).contains(key) else {
        throw .usage("'\(widget.id)' has no key \(key).")
      }
      let isDown = try message.need(\.down)
      try change(.key(widget: widget.id, key: key), isDown: isDown, by: client)
    case "sample":
      let surface = try widget(message, [.surface])
      guard let table = surface.tables.first, Self.isTable(table), surface.channels.isEmpty else {
        throw .usage("'\(surface.id)' shows no table.")
      }
      let value = (surface.bounds(ofChannel: 0) ?? 0...1).nearest(to: try message.need(\.value))
      tableWatch.set(table, try message.need(\.index), to: value)
    case "preset": try carryOut(message, preset: message.need(\.preset))
    case "restore":
      let values = PanelPreset("", values: message.values ?? [:], texts: message.texts ?? [:])
      try apply(values)
      if let name = message.preset { chosenPreset = name.isEmpty ? nil : name }
    case "learn":
      try requireControllers().learn(message.channel.map { name throws(Failure) in try wish(name) })
    case "forget": try requireControllers().forget(message.need(\.channel))
    case "layout":
      let arranged = try message.need(\.layout).applied(to: panel)
      try values.keep(arranged)
      show(arranged)
    case "release": letGo(of: client)
    case "panic": try panic()
    case "record": try record(message.need(\.on)) { [self] in refuse(client, $0) }
    case "pause": try pause(message.need(\.on))
    case "trace":
      try trace { [self] result in
        switch result {
        case .success(let path): answer(client, ServerMessage.notice("The trace is in \(path)."))
        case .failure(let failure): refuse(client, failure)
        }
      }
    case "taken" where ["keep", "undo"].contains(message.action):
      try settleTaken(keepsThem: message.action == "keep")
    default: throw ClientMessage.isNone
    }
  }

  private func carryOut(_ message: ClientMessage, preset name: String) throws(Failure) {
    switch message.action {
    case "recall":
      let seconds = message.seconds ?? 0
      guard (0...Self.longestMorph).contains(seconds) else { throw ClientMessage.isNone }
      return try recall(name, within: seconds)
    case "save":
      try presets.save(state.preset(name, without: panel.buttonChannels))
      chosenPreset = name
    case "delete":
      try presets.delete(name)
      if chosenPreset == name { chosenPreset = nil }
    default: throw ClientMessage.isNone
    }
    presetsNumber += 1
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

  func recall(_ name: String, within seconds: Double = 0) throws(Failure) {
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
    // A button that somebody holds stays so.
    let buttons = panel.buttonChannels
    for (channel, value) in preset.all where !buttons.contains(channel) {
      guard let place = state.place(of: channel, for: value),
        let bounds = state.channels[place].bounds
      else { continue }
      let number = value.number.map { ChannelValue.number(bounds.nearest(to: $0)) }
      try set(place, to: number ?? value, by: 0)
    }
  }

  private func place(of channel: String) throws(Failure) -> Int {
    guard let place = state.place(of: channel) else {
      throw .usage("The panel has no channel '\(channel)'.")
    }
    return place
  }

  private func widget(
    _ message: ClientMessage, _ kinds: Set<WidgetKind>
  ) throws(Failure) -> PanelWidget {
    let id = try message.need(\.widget)
    guard let widget = widgets[id], kinds.contains(widget.kind), !widget.isReadOnly else {
      throw .usage("The panel has no widget '\(id)' that can do this.")
    }
    return widget
  }

  func set(_ place: Int, to value: ChannelValue, by client: Int) throws(Failure) {
    try piece.set(state.channels[place].name, to: value)
    try note(place, value, by: client)
  }

  /// Notes that a channel of the piece was set.
  func note(_ place: Int, _ value: ChannelValue, by client: Int) throws(Failure) {
    let name = state.channels[place].name
    values.set(name, to: value)
    state.set(place, to: value, by: client, at: now)
    if let number = value.number { try switchOffOthers(of: name, at: number) }
  }

  /// If a switch of an exclusive set was switched on, switches the others off.
  private func switchOffOthers(of channel: String, at value: Double) throws(Failure) {
    let switched = switches.first { $0.channels.first == channel && $0.on == value }
    guard let switched else { return }
    for other in switches where other.exclusive == switched.exclusive && other.id != switched.id {
      guard let name = other.channels.first, name != channel, let place = state.place(of: name),
        state.channels[place].value != .number(other.off)
      else { continue }
      try set(place, to: .number(other.off), by: 0)
    }
  }

  private func choose(
    _ choice: Int, of message: ClientMessage, by client: Int
  ) throws(Failure) {
    let widget = try widget(message, [.menu, .radio, .switch])
    let isSwitch = widget.kind == .switch
    guard choice >= 0, choice < (isSwitch ? 2 : widget.options.count) else {
      throw .usage("'\(widget.id)' has no choice \(choice).")
    }
    if let channel = widget.channels.first, let place = state.place(of: channel) {
      let number = isSwitch ? [widget.off, widget.on][choice] : widget.options[choice].value
      let text = isSwitch ? nil : widget.options[choice].text
      try set(place, to: text.map { .text($0) } ?? .number(number), by: client)
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
        try set(place, to: .number(widget.on), by: 0)
      } else if let value = try piece.value(of: channel), value != widget.on {
        pendingReleases[channel] = (widget.off, now + 2)
      } else {
        try set(place, to: .number(widget.off), by: 0)
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
