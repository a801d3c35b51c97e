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
  /// The number of the last news of each topic that it was sent.
  var seen: [PanelDesk.Topic: Int] = [:]
  /// The number of the last line of the console that it was sent.
  var line = 0
  /// The number of the last change of a table that it was sent.
  var table = 0
  /// The message about the last request of the client, as that it was refused; nil if there is nothing to send.
  var answer: String?
  /// The number of its last message that was carried out, to be sent; nil if there is nothing to send.
  var done: Int?
}
