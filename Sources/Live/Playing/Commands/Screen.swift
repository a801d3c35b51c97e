import CommandKit
import CsoundHost
import CsoundLive
import Foundation
import HarnessBase
import Synchronization

/// What `play` shows: a line about the device, then messages. On a terminal, a status line is always the last line.
package final class Screen: Sendable {
  private struct State {
    var shown = Date.distantPast
    var isLineOpen = false
    /// For each channel the largest sample, and the time until which it is shown.
    var held: [(peak: Double, until: Date)] = []
    var load = 0.0
    var loadUntil = Date.distantPast
    var loudest = 0.0
    var latency = 0.0
    var isScoreOver = false
    var strip = LoadStrip()
  }

  private let state = Mutex(State())

  package init() {}

  package func start(_ format: Format, _ settings: Settings) {
    let channels = format.channels == 1 ? "1 channel" : "\(format.channels) channels"
    let rate = Int(format.sampleRate)
    let milliseconds = 1000 * Double(format.buffer) / format.sampleRate
    var text = "\(rate) Hz, \(channels), ksmps \(format.ksmps); "
    if let sampleFormat = format.sampleFormat, let device = settings.device.name {
      text +=
        "device \(device), \(sampleFormat.name), period \(format.period) of a buffer of"
        + " \(format.buffer) frames (\(milliseconds.formatted(1)) ms)"
    } else {
      text += "no sound, period \(format.period)"
    }
    if let roundTrip = format.roundTrip {
      text += "; input to output \((1000 * Double(roundTrip) / format.sampleRate).formatted(1)) ms"
    }
    say(text + "\n")
    if let other = format.otherSampleRate {
      say(
        "The orchestra asks for \(Int(other)) Hz; the device runs at \(rate) Hz, and so does it.\n")
    }
    if let refusal = format.priorityRefusal {
      say(
        "No real-time priority (\(refusal)): xruns are likely with short periods. The group 'audio' has it where"
          + " /etc/security/limits.d says '@audio - rtprio 95' and '@audio - memlock unlimited'.\n")
    }
    state.withLock { $0.latency = milliseconds }
  }

  /// Prints a message of Csound. After the end of the score, messages are left out, because `summary` covers everything
  /// that was played.
  package func quote(_ text: String) {
    let isWanted = state.withLock { state in
      if text.hasPrefix("end of score") { state.isScoreOver = true }
      return !state.isScoreOver && !text.hasPrefix("inactive allocs")
    }
    if isWanted { say(text) }
  }

  /// Prints Csound's messages again, when a piece starts again after its score has ended.
  package func beginAgain() { state.withLock { $0.isScoreOver = false } }

  /// Prints a message above the status line.
  package func say(_ text: String) {
    state.withLock { state in
      if state.isLineOpen { ProgressLine.clear() }
      state.isLineOpen = false
      writeError(text)
    }
  }

  /// Shows the status, ten times a second, with the dearest line.
  package func show(_ status: Status, _ line: Flight.Line? = nil) {
    state.withLock { state in
      state.loudest = max(state.loudest, status.peaks.max() ?? 0)
      guard ProgressLine.isShown else { return }
      let now = Date()
      Self.hold(status, now, &state)
      state.strip.take(load: status.load, dropouts: status.xruns, at: status.seconds)
      guard now.timeIntervalSince(state.shown) >= 0.1 else { return }
      state.shown = now
      state.isLineOpen = true
      let levels = state.held.map { Self.level($0.peak) + ($0.peak > 1 ? " CLIP" : "") }
      let minutes = Int(status.seconds) / 60
      let seconds = (status.seconds - Double(60 * minutes)).formatted(1)
      ProgressLine.show(
        "\(minutes):\(seconds.count < 4 ? "0" : "")\(seconds)\(status.isPaused ? " paused" : "")"
          + "  \(levels.prefix(8).joined(separator: "  ")) dBFS"
          + "  load \((100 * state.load).formatted(0)) %, worst"
          + " \((100 * status.worstLoad).formatted(0)) %  \(status.xruns.counted("xrun"))"
          + "  \(state.latency.formatted(1)) ms  \(state.strip.text)"
          + (line.map { "  line \($0.line) \($0.opcode) \((100 * $0.share).formatted(0)) %" } ?? "")
      )
    }
  }

  /// Holds peaks and load for two seconds.
  private static func hold(_ status: Status, _ now: Date, _ state: inout State) {
    // A later version may have other channels.
    if state.held.count != status.peaks.count { state.held = status.peaks.map { _ in (0, now) } }
    for (channel, peak) in status.peaks.enumerated()
    where peak >= state.held[channel].peak || now > state.held[channel].until {
      state.held[channel] = (peak, now.addingTimeInterval(2))
    }
    if status.load >= state.load || now > state.loadUntil {
      (state.load, state.loadUntil) = (status.load, now.addingTimeInterval(2))
    }
  }

  package func clear() {
    state.withLock { state in
      if state.isLineOpen { ProgressLine.clear() }
      state.isLineOpen = false
    }
  }

  /// A summary of the whole performance, in one line.
  func summary(_ name: String, _ status: Status) -> String {
    let loudest = state.withLock { state in max(state.loudest, status.peaks.max() ?? 0) }
    let level = loudest > 0 ? "peak \(Self.level(loudest)) dBFS" : "silent"
    let clipped = status.clipped == 0 ? "" : ", \(status.clipped) samples beyond full scale"
    return "\(name): \(status.seconds.formatted(2)) s, \(level)\(clipped), load"
      + " \((100 * status.meanLoad).formatted(1)) % (worst period"
      + " \((100 * status.worstLoad).formatted(0)) %), \(status.xruns.counted("xrun"))"
  }

  static func level(_ peak: Double) -> String {
    peak > 0 ? (20 * log10(peak)).formatted(1) : "-inf"
  }
}

/// The load of the last minute in twelve signs, the last one for now: the height is the highest load, `!` a dropout.
package struct LoadStrip {
  private static let signs = Array("▁▂▃▄▅▆▇█")
  private static let secondsPerSign = 5.0
  private var bins: [Int: (load: Double, hasDropout: Bool)] = [:]
  private var dropouts: Int?
  private var last = 0

  package init() {}

  package mutating func take(load: Double, dropouts: Int, at seconds: Double) {
    last = Int(seconds / Self.secondsPerSign)
    bins = bins.filter { $0.key > last - 12 && $0.key <= last }
    let before = bins[last] ?? (0, false)
    bins[last] = (max(before.load, load), before.hasDropout || dropouts > self.dropouts ?? dropouts)
    self.dropouts = dropouts
  }

  package var text: String {
    String(
      (max(0, last - 11)...last).map { bin -> Character in
        guard let bin = bins[bin] else { return Self.signs[0] }
        return bin.hasDropout
          ? "!" : Self.signs[min(Self.signs.count - 1, Int(bin.load * Double(Self.signs.count)))]
      })
  }
}
