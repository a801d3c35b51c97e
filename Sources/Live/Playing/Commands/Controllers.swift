import CsoundLive
import Foundation
import HarnessBase

/// The MIDI controllers of a run of `play`: the channels that they set, and the file beside the piece in which learned
/// controllers are kept.
final class Controllers: PanelControllers {
  private let path: String
  private let performance: Performance
  private let screen: Screen
  private let learner: MIDILearner
  private let moved: @Sendable (_ channel: String, _ value: Double) -> Void

  /// `piece` is the path of the CSD. `moved` is called on the MIDI thread for each channel that a controller sets.
  init(
    _ map: ControllerMap, of piece: String, _ performance: Performance, _ screen: Screen,
    moved: @escaping @Sendable (_ channel: String, _ value: Double) -> Void
  ) throws(Failure) {
    let path = ControllerMap.path(beside: piece)
    (self.path, self.performance, self.screen, self.moved) = (path, performance, screen, moved)
    for entry in map.entries { try performance.add(entry.value) }
    learner = MIDILearner(map) { entry, _ in
      do throws(Failure) {
        try performance.add(entry.value)
        screen.say("Controller \(entry.controller) sets \(entry.value.name).\n")
        try Self.keep(path) { $0.bind(entry) }
      } catch {
        screen.say("\(error.message)\n")
      }
    }
  }

  func take(_ message: MIDIMessage) {
    for entry in learner.take(message) { moved(entry.value.name, entry.value.value) }
  }

  func learn(_ wish: ChannelWish?) {
    learner.learn(wish)
    guard let wish else { return }
    screen.say(
      "Move the controller that is to set \(wish.channel) from \(wish.range.lowerBound) to"
        + " \(wish.range.upperBound).\n")
  }

  var bindings: PanelBindings {
    PanelBindings(
      Dictionary(learner.map.entries.map { ($0.value.name, Int($0.controller)) }) { first, _ in
        first
      }, waiting: learner.wish?.channel)
  }

  func forget(_ channel: String) throws(Failure) {
    guard learner.forget(channel) else { throw .usage("No controller sets '\(channel)'.") }
    try Self.keep(path) { _ = $0.free(channel) }
  }

  /// Changes one entry of the file. It can have others than those of this run, which `--cc` has chosen.
  private static func keep(
    _ path: String, _ change: (inout ControllerMap) -> Void
  ) throws(Failure) {
    let isThere = FileManager.default.fileExists(atPath: path)
    var map = try isThere ? ControllerMap(file: path) : ControllerMap()
    change(&map)
    try map.write(to: path)
  }
}
