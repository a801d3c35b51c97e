import HarnessBase
import Panels

/// A request of a page: a JSON object. Its key `type` says what is asked for, and which other keys it has.
///
/// | `type` | what it asks for | keys |
/// |---|---|---|
/// | `set` | sets the number of a channel | `channel`, `value` |
/// | `text` | sets a string channel | `channel`, `text` |
/// | `press` | presses a momentary or a score button once | `widget` |
/// | `hold` | holds a button down, or releases it | `widget`, `down` |
/// | `choose` | chooses an option of a menu or radio, or sets a switch: 0 off, 1 on | `widget`, `choice` |
/// | `key` | holds a key of a keyboard down, or releases it | `widget`, `key`, `down` |
/// | `sample` | sets one sample of the table that a surface shows | `widget`, `index`, `value` |
/// | `preset` | sets the panel to a preset (within `seconds`), saves one, or deletes a saved one | `preset`, `action` |
/// | `restore` | sets channels back as far as the panel can, to take back a preset | `values`, `texts`, `preset` |
/// | `learn` | binds a channel to the MIDI controller that is moved next; without one stops waiting | `channel` |
/// | `forget` | removes the binding of a channel to its controller | `channel` |
/// | `layout` | saves where the widgets lie in the panel's file | `layout` |
/// | `release` | releases all buttons and keys that this page holds | |
/// | `panic` | ends all notes that were played from outside the score | |
/// | `record`, `pause` | begins or ends a recording; pauses the piece or continues it | `on` |
/// | `trace` | writes what the piece did in the last seconds | |
/// | `taken` | keeps the values of the last time, or goes back to the piece's own | `action` |
struct ClientMessage: Decodable {
  var type: String
  /// Its number, with which the server answers when the message was carried out.
  var id: Int?
  var channel, text, widget: String?
  /// For `restore`: the preset that is chosen then, empty for none; nil: as it is.
  var preset: String?
  /// `recall`, `save` or `delete` a preset; `keep` or `undo` what was taken up.
  var action: String?
  var value, seconds: Double?
  var choice, key, index: Int?
  var down, on: Bool?
  var values: [String: Double]?
  var texts: [String: String]?
  var layout: PanelLayout?

  static let isNone = Failure(.usage, "The message was no message of the protocol.")

  /// What the message must have.
  func need<Value>(_ key: KeyPath<Self, Value?>) throws(Failure) -> Value {
    guard let value = self[keyPath: key] else { throw Self.isNone }
    return value
  }
}
