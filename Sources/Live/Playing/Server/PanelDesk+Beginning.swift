import Panels

/// The start of a piece: its own code may set channels after the panel's values were set.
struct Beginning {
  /// A channel whose value at the start is not known yet.
  struct Channel {
    /// What the piece had at the last look, and when the next one is, in seconds.
    var found: ChannelValue
    var until: Double
    /// How often that was replaced by the value that the panel was to begin with.
    var replacements = 0
  }

  /// The channels that are still watched; nil: not seen yet.
  var channels: [String: Channel?] = [:]
  /// The names of all channels of the panels.
  private var names: Set<String> = []
  /// Seconds from one look to the next: a value that is still there then is not one of many.
  static let time = 0.25

  /// Watches the channels of a panel that are new to the piece, not only to this server.
  mutating func take(_ panel: Panel, _ values: PanelValues) {
    for name in Admitted.channels(of: panel).keys where names.insert(name).inserted {
      if values.noteWatched(name) { channels.updateValue(nil, forKey: name) }
    }
  }

  /// Watches all channels again, as for a new version of the piece.
  mutating func again() { for name in names { channels.updateValue(nil, forKey: name) } }
}

extension PanelDesk {
  /// Looks what the piece's start has left in each channel. What somebody has set, or what was taken up of the last time,
  /// is set once more; if the piece then sets it again, that is noted. Anything else is the piece's own first value.
  func watchBeginning() {
    var hasNew = false
    for (name, seen) in beginning.channels {
      guard let place = state.place(of: name) else {
        beginning.channels[name] = nil
        continue
      }
      let isText = state.channels[place].isText
      let value: ChannelValue? =
        isText
        ? (try? piece.text(of: name)).flatMap { $0 }.map { .text($0) }
        : (try? piece.value(of: name)).flatMap { $0 }.map { .number($0) }
      // The piece does not have the channel yet, or has not computed a k-cycle, or was given a value just now.
      guard let value, now >= max(seen?.until ?? 0, state.channels[place].settles) else { continue }
      var next = Beginning.Channel(found: value, until: now + Beginning.time)
      beginning.channels[name] = seen == nil ? next : nil
      if let wanted = values.chosen(name) {
        guard value != wanted else { continue }
        let replacements = seen?.replacements ?? 0
        // A short note of the start may set it in each of its k-cycles.
        guard replacements < 3 else {
          values.noteOverwritten(name)
          continue
        }
        if replacements == 0 { values.noteOwn(name, value) }
        try? set(place, to: wanted, by: 0)
        next.replacements = replacements + 1
        beginning.channels[name] = next
      } else if value == seen?.found {
        values.noteOwn(name, value)
      } else {
        continue
      }
      hasNew = true
    }
    if hasNew { noteFirst(isNew: false) }
  }
}

extension PanelServer {
  /// A new version of the piece has begun to play: what was set stays, whatever its start sets.
  public func beginAgain() { desk.inTurn { desk.beginning.again() } }

  /// Shows a sentence about the piece on all pages, until there is another one; nil: there is nothing to say any more.
  public func notify(_ text: String?) { desk.mailbox.put(notice: text ?? "") }
}
