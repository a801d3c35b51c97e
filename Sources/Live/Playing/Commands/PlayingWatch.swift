import CommandKit
import CsoundLive
import Foundation
import HarnessBase
import PluginBuilding
import Synchronization

/// Plays a piece in a loop, and replaces the opcodes of a package, even in sounding notes, whenever its sources change.
final class PlayingWatch: Sendable {
  private struct State {
    var piece: Piece
    var performance: Performance?
    var isOver = false
    var failure: Failure?
  }

  private let package: AuthorPackage
  private let name: String
  private let settings: Settings
  private let duration: Double?
  private let versions: Mutex<PluginVersions>
  private let swap: OpcodeSwap
  private let state: Mutex<State>
  private let screen = Screen()

  /// Builds the package. The piece must be a file.
  init(
    _ package: AuthorPackage, _ piece: Piece, called name: String, _ settings: Settings,
    duration: Double?
  ) throws(Failure) {
    var versions = try PluginVersions(try PluginBuild(package))
    printError("opcodekit: building \(versions.build.product)")
    var piece = piece
    let plugin = try versions.next()
    let swap = OpcodeSwap(try OpcodeCode(plugin: plugin))
    // GEN routines come from the plugin itself. Opcodes were registered before, and Csound calls those registered
    // first.
    piece.plugin = plugin
    piece.register = { swap.register(in: $0) }
    (self.package, self.name, self.settings, self.duration) = (package, name, settings, duration)
    self.swap = swap
    self.versions = Mutex(versions)
    state = Mutex(State(piece: piece))
  }

  /// Plays until the run is interrupted.
  func run() throws(Failure) {
    defer { versions.withLock { $0.remove() } }
    Self.endAtCrash()
    let watch = SourceWatch(package, piece: path)
    var performance = try play()
    let done = DispatchSemaphore(value: 0)
    Thread { [self] in
      follow(watch)
      done.signal()
    }.start()
    while !isOver {
      usleep(5000)
      if performance.isPlaying {
        guard let status = performance.status else { continue }
        screen.show(status)
        if duration.map({ status.seconds >= $0 }) == true { performance.stop() }
        continue
      }
      performance.wait()
      if let failure = state.withLock({ $0.failure }) {
        screen.clear()
        throw failure
      }
      performance = try playAgain() ?? performance
    }
    performance.stop()
    screen.clear()
    done.wait()
  }

  /// Ends the process with a sentence and the exit code of a crash when an opcode traps. The plugin has said before which
  /// opcode it was, and where; a backtrace of the tool says nothing more. The code is that of `Failure` for a crash.
  private static func endAtCrash() {
    for number in [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE] {
      signal(number) { _ in
        let sentence: StaticString =
          "opcodekit: the piece crashed, and the playing ends; what the plugin says of it is above.\n"
        _ = write(STDERR_FILENO, sentence.utf8Start, sentence.utf8CodeUnitCount)
        _exit(76)
      }
    }
  }

  private var path: String {
    if case .file(let path) = state.withLock({ $0.piece.text }) { path } else { "" }
  }

  private var isOver: Bool { Interruption.hasHappened || state.withLock { $0.isOver } }

  // MARK: Playing

  private func play() throws(Failure) -> Performance {
    let piece = state.withLock { $0.piece }
    let performance = Performance(piece, settings: settings) { [weak self] notice in
      guard let self else { return }
      switch notice {
      case .message(let message) where message.kind != .normal: screen.quote(message.text)
      case .ended(_, let failure): state.withLock { $0.failure = failure }
      default: break
      }
    }
    let format = try performance.play()
    if state.withLock({ $0.performance == nil }) {
      screen.start(format, settings)
    } else {
      screen.beginAgain()
    }
    state.withLock { $0.performance = performance }
    return performance
  }

  /// Plays again after the end. Nil if the piece cannot be played in its present state, as its author may correct it.
  private func playAgain() throws(Failure) -> Performance? {
    do throws(Failure) {
      return try play()
    } catch {
      guard error.kind == .badInput || error.kind == .missingInput else { throw error }
      usleep(200_000)
      return nil
    }
  }

  // MARK: Following

  /// Waits for changes while the piece plays, until the run is over.
  private func follow(_ watch: SourceWatch) {
    var watch = watch
    do throws(Failure) {
      screen.say("Watching \(Project.short(package.directory)); Ctrl-C ends it.\n")
      while true { try react(to: watch.next()) }
    } catch {
      // An interruption is the normal way.
      if error.kind != .interrupted {
        screen.say("Nothing is watched any more: \(error.message)\n")
      }
    }
    state.withLock { $0.isOver = true }
  }

  /// Lets the new code take over after a change. If that fails, the last good version plays on.
  private func react(to change: SourceWatch.Change) throws(Failure) {
    let saved = Date()
    do throws(Failure) {
      let what = try change.concernsSources ? takeOver(change.concernsPiece) : replace()
      let seconds = Date().timeIntervalSince(saved).formatted(1)
      screen.say("\(change.names), \(seconds) s: \(what)\n")
    } catch {
      try Interruption.check()
      screen.say("\(change.names): \(error.message) The last good version plays on.\n")
    }
  }

  /// Builds the plugin; returns a sentence about what sounds then. `replaces` says that the piece has changed, too.
  private func takeOver(_ replaces: Bool) throws(Failure) -> String {
    let plugin = try versions.withLock { versions throws(Failure) in try versions.next() }
    let (old, new) = (swap.code, try OpcodeCode(plugin: plugin))
    let before = swap.counts
    if let change = swap.offer(new) {
      do throws(Failure) {
        return "\(change): \(try replace(with: plugin))"
      } catch {
        swap.code = old
        throw error
      }
    }
    if replaces { return try replace(with: plugin) }
    state.withLock { $0.piece.plugin = plugin }
    swap.wait { !isOver && isPlaying }
    try Interruption.check()
    let now = swap.counts
    return "the new code sounds: "
      + Self.sentence(now.kept - before.kept, now.renewed - before.renewed)
  }

  private static func sentence(_ kept: Int, _ renewed: Int) -> String {
    switch (kept, renewed) {
    case (0, 0): return "with the next note."
    case (_, 0): return "\(kept.counted("opcode")) in notes went over with the old state."
    case (0, _): return "\(renewed.counted("opcode")) in notes began with a new state."
    default:
      return "\(kept.counted("opcode")) in notes went over with the old state,"
        + " \(renewed) with a new one."
    }
  }

  private var isPlaying: Bool { state.withLock { $0.performance }?.isPlaying ?? false }

  /// Compiles the piece again; the new version takes over at the present time of the performance.
  private func replace(with plugin: String? = nil) throws(Failure) -> String {
    var (piece, performance) = state.withLock { ($0.piece, $0.performance) }
    if let plugin { piece.plugin = plugin }
    if let performance, performance.isPlaying { try performance.replace(with: piece) }
    state.withLock { $0.piece = piece }
    return "the piece was compiled anew and plays on."
  }
}
