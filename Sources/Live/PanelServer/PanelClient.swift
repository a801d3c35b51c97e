/// What a client has been told, and what it is still to be told.
final class PanelClient {
  /// The last change of the state it knows of; 0: none.
  var change = 0
  /// The panel it has, by its number; 0: none yet.
  var panel = 0
  /// The list of presets it has, by its number; 0: none yet.
  var presets = 0
  /// What it knows of the MIDI controllers, by its number.
  var bindings = 0
  /// The last line of the console it has.
  var line = 0
  /// The last of what is drawn of the output.
  var output = 0
  /// The last status it has.
  var status = 0
  /// The last of the instruments' loads it has.
  var loads = 0
  /// The last change of a table it has.
  var table = 0
  /// Why the last change the client asked for was not made; nil if it was.
  var refusal: String?
  /// The number of its last message that was carried out.
  var done: Int?
}
