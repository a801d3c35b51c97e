import Foundation
import Panels

/// A request of a page: a JSON object with a key `type`.
enum ClientMessage {
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
  struct Numbered: Decodable {
    var message: ClientMessage
    var id: Int?

    init(from decoder: any Decoder) throws {
      let fields = try decoder.container(keyedBy: Key.self)
      message = try ClientMessage(fields)
      id = try fields.decodeIfPresent(Int.self, forKey: .id)
    }
  }

  private enum Key: String, CodingKey {
    case type, id, channel, text, widget, preset, action, layout, values, texts, value, seconds
    case choice, key, index, down, on
  }

  /// Reads a message; nil if it is invalid.
  static func read(_ data: Data) -> Numbered? {
    try? JSONDecoder().decode(Numbered.self, from: data)
  }

  private init(_ fields: KeyedDecodingContainer<Key>) throws {
    func field<Value: Decodable>(_ key: Key) throws -> Value {
      try fields.decode(Value.self, forKey: key)
    }
    func optional<Value: Decodable>(_ key: Key) throws -> Value? {
      try fields.decodeIfPresent(Value.self, forKey: key)
    }
    self =
      switch try field(.type) as String {
      case "set": .set(channel: try field(.channel), value: try field(.value))
      case "text": .text(channel: try field(.channel), text: try field(.text))
      case "press": .press(widget: try field(.widget))
      case "hold": .hold(widget: try field(.widget), isDown: try field(.down))
      case "choose": .choose(widget: try field(.widget), choice: try field(.choice))
      case "key":
        .key(widget: try field(.widget), key: try field(.key), isDown: try field(.down))
      case "sample":
        .sample(widget: try field(.widget), index: try field(.index), value: try field(.value))
      case "preset": try .preset(field(.preset), field(.action), seconds: optional(.seconds))
      case "restore":
        .restore(
          PanelPreset(
            try optional(.preset) ?? "", values: try optional(.values) ?? [:],
            texts: try optional(.texts) ?? [:]), choosing: try optional(.preset))
      case "learn": .learn(channel: try optional(.channel))
      case "forget": .forget(channel: try field(.channel))
      case "layout": .layout(try field(.layout))
      case "release": .release
      case "panic": .panic
      case "trace": .trace
      case "record": .record(try field(.on))
      case "pause": .pause(try field(.on))
      case "taken": .taken(try field(.action))
      default: throw Unknown()
      }
  }

  private struct Unknown: Error {}

  private static func preset(
    _ name: String, _ action: Preset, seconds: Double?
  ) throws -> ClientMessage {
    guard action == .recall, let seconds else { return .preset(name: name, action) }
    guard (0...PanelDesk.longestMorph).contains(seconds) else { throw Unknown() }
    return .morph(name: name, seconds: seconds)
  }
}
