import CsoundLive
import Foundation
import HarnessBase
import Synchronization

/// Reads and executes what is typed while a piece plays.
///
/// A score line is played, `name = 0.5` sets a control channel, and `learn`, `forget`, `help` and `quit` are commands.
/// Everything else is orchestra code: a line by itself, or all lines from `instr` or `opcode` to `endin` or `endop`.
final class LineReader: @unchecked Sendable {
  private let performance: Performance
  private let screen: Screen
  private let controllers: Controllers?
  private let transport: Transport
  private var block: [String] = []
  private var channels: [String: ControlValue] = [:]
  private let known: PieceChannels
  private let moved: @Sendable (_ channel: String, _ value: Double) -> Void
  /// Orchestra code that was typed.
  private var typed = ""
  private let isOver = Atomic<Bool>(false)

  /// `csd` is the path of the piece; `controllers` is nil if there is no MIDI source. `moved` is called for each channel
  /// that a line sets.
  init(
    _ csd: String, _ performance: Performance, _ controllers: Controllers?,
    _ transport: Transport, _ screen: Screen,
    moved: @escaping @Sendable (_ channel: String, _ value: Double) -> Void
  ) {
    (self.moved, self.transport) = (moved, transport)
    (self.performance, self.controllers, self.screen) = (performance, controllers, screen)
    known = PieceChannels(csd, performance)
  }

  /// Whether `quit` was typed.
  var isAskedToEnd: Bool { isOver.load(ordering: .relaxed) }

  /// The help for what can be typed.
  private static let commands = """
    i 1 0 2 440      plays a score line
    cutoff = 800     sets a control channel
    learn cutoff     has the MIDI controller that is moved next set the channel (with --midi)
    forget cutoff    frees the channel from its controller
    instr … endin    adds orchestra code or replaces an instrument; a single line of code is compiled too
    trace            writes what took the time in the last ten seconds, in files beside the piece
    help             prints this list
    quit, exit       fades out and ends

    """
  private static let words: Set = ["learn", "forget", "trace", "help", "quit", "exit"]

  /// Reads standard input to its end, on a thread of its own. It does not use `stdin`: while a read waits, `stdin` is
  /// locked, and `fflush(nil)` would wait for it.
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
    // These words are no orchestra code, so they work inside an instrument's lines, too.
    if text == "help" {
      screen.say(Self.commands)
    } else if text == "trace" {
      _ = try transport.trace()
    } else if text == "quit" || text == "exit" {
      isOver.store(true, ordering: .relaxed)
    } else if !block.isEmpty || word == "instr" || word == "opcode" {
      block.append(line)
      guard word == "endin" || word == "endop" else { return }
      let code = block.joined(separator: "\n")
      block = []
      try compile(code)
    } else if let match = text.wholeMatch(of: /(learn|forget)\s+(.+)/) {
      guard let controllers else {
        throw .usage("There is no MIDI to \(match.1) from; --midi names a source.")
      }
      let text = String(match.2)
      if match.1 == "forget" { return try controllers.forget(text) }
      let wish = try ChannelWish(text, among: performance.channels)
      if let sentence = known.unknown(wish.channel, typed: typed) { throw .usage(sentence) }
      controllers.learn(wish)
    } else if let match = text.wholeMatch(
      of: /([A-Za-z_][\w.:\/-]*)\s*=\s*([-+]?[0-9.]+(?:[eE][-+]?\d+)?)/),
      // Names with g are global variables, unless the piece has such a channel.
      !text.hasPrefix("g") || known.unknown(String(match.1), typed: typed) == nil,
      let value = Double(match.2), value.isFinite
    {
      try set(String(match.1), value)
    } else if text.wholeMatch(of: /[aefidqCntv]\s*[-+."0-9].*|e/) != nil {
      try performance.send(line: text)
    } else if word == text, let command = NearNames.of(text, among: Self.words).first {
      throw .usage(
        command == text
          ? "\(text) needs the name of a channel, such as '\(text) cutoff'."
          : "There is no command '\(text)'; did you mean \(command)? 'help' lists what can be typed."
      )
    } else if !text.isEmpty, !text.hasPrefix(";") {
      try compile(text)
    }
  }

  private func compile(_ code: String) throws(Failure) {
    do throws(Failure) {
      try performance.compile(code)
    } catch {
      throw Failure(error.kind, error.message + " " + advice(code))
    }
    typed += code + "\n"
  }

  /// Suggests what may have been meant by a line that is no orchestra code.
  private func advice(_ code: String) -> String {
    let name = String(code.prefix { !$0.isWhitespace && $0 != "=" })
    if !code.contains(where: \.isNewline), known.unknown(name, typed: typed) == nil {
      return "A channel is set with a number: '\(name) = 0.5'."
    }
    let near = NearNames.of(name, among: Self.words)
    return near.isEmpty || code.contains(where: \.isNewline)
      ? "'help' lists what can be typed."
      : "Did you mean \(near.joined(separator: " or "))? 'help' lists what can be typed."
  }

  /// Sets a channel. If the channel does not exist yet, it gets the value when it is made.
  private func set(_ name: String, _ value: Double) throws(Failure) {
    let channel: ControlValue
    if let known = channels[name] {
      channel = known
    } else {
      channel = ControlValue(name)
      channels[name] = channel
      try performance.add(channel)
      if let sentence = known.unknown(name, typed: typed) {
        screen.say(sentence + " The value is kept for a channel that is made later.\n")
      }
    }
    channel.value = value
    moved(name, value)
  }
}
