import Foundation
import Panels

/// A request of a page: a JSON object with a key `type`.
enum ClientMessage: Equatable {
  /// Sets the number of a channel.
  case set(channel: String, value: Double)
  /// Sets a string channel.
  case text(channel: String, text: String)
  /// Presses a momentary or a score button once.
  case press(widget: String)
  /// Holds a button down, or releases it.
  case hold(widget: String, isDown: Bool)
  /// Chooses one of the options of a menu or radio, or sets a switch: 0 off, 1 on.
  case choose(widget: String, choice: Int)
  /// Holds a key of a keyboard down, or releases it.
  case key(widget: String, key: Int, isDown: Bool)
  /// Sets one sample of the table that a surface shows.
  case sample(widget: String, index: Int, value: Double)
  /// Sets the panel to a preset, saves one, or deletes one that was saved.
  case preset(name: String, Preset)
  /// Moves the panel to a preset within some seconds.
  case morph(name: String, seconds: Double)
  /// Sets many channels back, as far as the panel can set them, to take back a preset. `choosing` is the name of the
  /// preset that is chosen then, empty for none; nil: as it is.
  case restore(PanelPreset, choosing: String?)
  /// Binds a channel to the MIDI controller that is moved next; nil stops waiting for one.
  case learn(channel: String?)
  /// Removes the binding of a channel to its controller.
  case forget(channel: String)
  /// Saves where the widgets lie in the panel's file.
  case layout(PanelLayout)
  /// Releases all buttons and keys that this page holds.
  case release
  /// Ends all notes that were played from outside the score.
  case panic
  /// Begins to record, or ends the recording.
  case record(Bool)
  /// Pauses the piece, or continues it.
  case pause(Bool)
  /// Writes what the piece did in the last seconds.
  case trace
  /// Keeps the values of the last time, or goes back to the piece's own.
  case taken(Taken)

  enum Taken: String, Decodable { case keep, undo }
  enum Preset: String, Decodable { case recall, save, delete }

  /// A message, and its number, with which the server answers when the message was carried out.
  struct Numbered: Equatable {
    var message: ClientMessage
    var id: Int?
  }

  private struct Fields: Decodable {
    var type: String
    var id: Int?
    var channel, text, widget, preset: String?
    var action: String?
    var layout: PanelLayout?
    var values: [String: Double]?
    var texts: [String: String]?
    var value, seconds: Double?
    var choice, key, index: Int?
    var down, on: Bool?
  }

  /// Reads a message; nil if it is invalid.
  static func read(_ data: Data) -> Numbered? {
    guard let fields = try? JSONDecoder().decode(Fields.self, from: data),
      let message = ClientMessage(fields)
    else { return nil }
    return Numbered(message: message, id: fields.id)
  }

  private init?(_ fields: Fields) {
    switch (fields.type, fields.channel, fields.widget) {
    case ("set", let channel?, _):
      guard let value = fields.value, value.isFinite else { return nil }
      self = .set(channel: channel, value: value)
    case ("text", let channel?, _):
      guard let text = fields.text else { return nil }
      self = .text(channel: channel, text: text)
    case ("press", _, let widget?): self = .press(widget: widget)
    case ("hold", _, let widget?):
      guard let isDown = fields.down else { return nil }
      self = .hold(widget: widget, isDown: isDown)
    case ("choose", _, let widget?):
      guard let choice = fields.choice else { return nil }
      self = .choose(widget: widget, choice: choice)
    case ("key", _, let widget?):
      guard let key = fields.key, let isDown = fields.down else { return nil }
      self = .key(widget: widget, key: key, isDown: isDown)
    case ("sample", _, let widget?):
      guard let index = fields.index, let value = fields.value, value.isFinite else { return nil }
      self = .sample(widget: widget, index: index, value: value)
    case ("preset", _, _):
      guard let name = fields.preset, let action = fields.action.flatMap(Preset.init(rawValue:))
      else { return nil }
      self = .preset(name: name, action)
      if action == .recall, let seconds = fields.seconds {
        guard (0...PanelDesk.longestMorph).contains(seconds) else { return nil }
        self = .morph(name: name, seconds: seconds)
      }
    case ("restore", _, _):
      let values = fields.values ?? [:]
      guard values.values.allSatisfy(\.isFinite) else { return nil }
      self = .restore(
        PanelPreset(fields.preset ?? "", values: values, texts: fields.texts ?? [:]),
        choosing: fields.preset)
    case ("learn", let channel, _): self = .learn(channel: channel)
    case ("forget", let channel?, _): self = .forget(channel: channel)
    case ("layout", _, _):
      guard let layout = fields.layout else { return nil }
      self = .layout(layout)
    case ("release", _, _): self = .release
    case ("panic", _, _): self = .panic
    case ("trace", _, _): self = .trace
    case ("record", _, _):
      guard let isOn = fields.on else { return nil }
      self = .record(isOn)
    case ("pause", _, _):
      guard let isOn = fields.on else { return nil }
      self = .pause(isOn)
    case ("taken", _, _):
      guard let action = fields.action.flatMap(Taken.init(rawValue:)) else { return nil }
      self = .taken(action)
    default: return nil
    }
  }
}
