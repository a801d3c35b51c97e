/// What one client has been sent, and what is still to be sent.
final class PanelClient {
  /// The number of the last change of the state that it was sent; 0: none.
  var change = 0
  /// The tick in which it was last sent changes of the state; -1: none yet.
  var tick = -1
  /// The number of the panel that it was sent; 0: none yet.
  var panel = 0
  /// The number of the list of presets that it was sent; 0: none yet.
  var presets = 0
  /// The number of the MIDI bindings that it was sent; 0: none yet.
  var bindings = 0
  /// The numbers of what is recorded and paused, and of the values that were taken up, that it was sent; 0: none yet.
  var transport = 0
  var taken = 0
  /// The numbers of the values that the piece began with, and of the notice, that it was sent; 0: none yet.
  var first = 0
  var notice = 0
  /// The number of the last line of the console that it was sent.
  var line = 0
  /// The number of the last samples of the output that it was sent.
  var output = 0
  /// The number of the last status that it was sent.
  var status = 0
  /// The number of the last instruments' loads that it was sent.
  var loads = 0
  /// The number of the last change of a table that it was sent.
  var table = 0
  /// Why the last request of the client was refused, to be sent; nil if there is nothing to send.
  var refusal: String?
  /// The number of its last message that was carried out, to be sent; nil if there is nothing to send.
  var done: Int?
}
