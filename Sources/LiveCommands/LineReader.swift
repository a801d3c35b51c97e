import CsoundLive
import Foundation
import HarnessBase

/// What is typed while a piece plays.
///
/// A score line is played, `learn name` has a MIDI controller set a channel, `name = 0.5` sets a control channel, everything else is orchestra code: a line by
/// itself, or all lines from `instr` or `opcode` to `endin` or `endop`.
final class LineReader: @unchecked Sendable {
  private let performance: Performance
  private let screen: Screen
  private let controllers: Controllers?
  private var block: [String] = []
  private var channels: [String: ControlValue] = [:]

  /// `controllers` nil: there is no MIDI.
  init(_ performance: Performance, _ controllers: Controllers?, _ screen: Screen) {
    (self.performance, self.controllers, self.screen) = (performance, controllers, screen)
  }

  /// Reads standard input to its end, on a thread of its own. Not through `stdin`, which a waiting reader would
  /// hold against everything that is printed.
  func start() {
    Thread { [self] in
      var text: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        text += count > 0 ? buffer[..<count] : [UInt8(ascii: "\n")]
        while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
          takeOrSay(String(decoding: text[..<end], as: UTF8.self))
          text.removeSubrange(...end)
        }
        guard count > 0 else { return }
      }
    }.start()
  }

  private func takeOrSay(_ line: String) {
    do throws(Failure) {
      try take(line)
    } catch {
      screen.say("\(error.message)\n")
    }
  }

  func take(_ line: String) throws(Failure) {
    let text = line.trimmingCharacters(in: .whitespaces)
    let word = text.prefix { $0.isLetter }
    if !block.isEmpty || word == "instr" || word == "opcode" {
      block.append(line)
      guard word == "endin" || word == "endop" else { return }
      let code = block.joined(separator: "\n")
      block = []
      try performance.compile(code)
    } else if let match = text.wholeMatch(of: /(learn|forget)\s+(.+)/) {
      guard let controllers else {
        throw Failure(.usage, "There is no MIDI to \(match.1) from; --midi names a source.")
      }
      let channel = String(match.2)
      if match.1 == "learn" {
        try controllers.learn(channel)
      } else {
        try controllers.forget(channel)
      }
    } else if let match = text.wholeMatch(
      of: /([A-Za-z_][\w.:\/-]*)\s*=\s*([-+]?[0-9.]+(?:[eE][-+]?\d+)?)/),
      !text.hasPrefix("g"), let value = Double(match.2), value.isFinite
    {
      try set(String(match.1), value)
    } else if text.wholeMatch(of: /[aefidqCntv]\s*[-+."0-9].*|e/) != nil {
      try performance.send(line: text)
    } else if !text.isEmpty, !text.hasPrefix(";") {
      try performance.compile(text)
    }
  }

  private func set(_ name: String, _ value: Double) throws(Failure) {
    let channel: ControlValue
    if let known = channels[name] {
      channel = known
    } else {
      channel = ControlValue(name)
      channels[name] = channel
      try performance.add(channel)
    }
    channel.value = value
  }
}
