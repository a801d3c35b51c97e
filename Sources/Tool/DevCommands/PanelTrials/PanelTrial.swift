import CCsound
import CsoundHost
import CsoundLive
import Foundation
import HarnessBase
import Panels
import Rendering
import WidgetOpcodes

/// Plays a piece twice, with noise that peaks at -20 dBFS in its inputs and, if it takes keys, ten keys pressed. The
/// second time it moves the controls. If that changes the output or a channel, it plays the piece once more without
/// moving them, to know whether the piece is the same each time.
struct PanelTrial {
  let renderer: Renderer
  let path: String
  let callsWidgets: Bool
  let duration: Double
  var panel: Panel
  /// Nil if the piece takes no keys.
  let keys: TrialKeys?

  /// The result of playing the piece once.
  private struct Outcome {
    var seconds = 0.0
    var isSilent = true
    var sound = Hasher()
    var hash: Int {
      let copy = sound
      return copy.finalize()
    }
    var channels: [String: Double] = [:]
  }

  mutating func run(on stage: PieceStage) throws(Failure) -> PanelTake {
    var take = PanelTake(source: panel.source)
    var orchestra = Orchestra(path: path)
    orchestra.opensMIDI = false
    let still: Outcome
    do throws(Failure) {
      try stage.enter(toPlay: orchestra)
      still = try play(orchestra)
    } catch  where error.kind == .skipped {
      take.skipped = error.message
      describe(&take)
      return take
    } catch {
      guard error.kind == .badInput || error.kind == .missingInput else { throw error }
      take.refusal = error.message
      describe(&take)
      return take
    }
    describe(&take)
    take.seconds = still.seconds
    take.pressesKeys = keys != nil
    take.sounds = !still.isSilent
    guard still.seconds > 0 else { return take }
    let controls = Self.controls(of: panel)
    take.controls = controls.count
    var moved: Set<String> = []
    let after = try play(orchestra, at: still.seconds / 2) { csound in
      for control in controls where Self.move(control, csound) { moved.insert(control.channel) }
    }
    take.working = moved.count
    take.deaf = controls.map(\.channel).filter { !moved.contains($0) }
    let untouched = { (channels: [String: Double]) in channels.filter { !moved.contains($0.key) } }
    func isDifferent(_ other: Outcome) -> Bool {
      still.hash != other.hash || untouched(still.channels) != untouched(other.channels)
    }
    take.responds = isDifferent(after)
    if take.responds, try isDifferent(play(orchestra)) {
      (take.repeats, take.responds) = (false, false)
    }
    take.sounds = take.sounds || !after.isSilent
    return take
  }

  private func describe(_ take: inout PanelTake) {
    take.source = panel.source
    for widget in panel.widgets { take.widgets[widget.kind.rawValue, default: 0] += 1 }
    take.leftOut = panel.leftOut
    take.panel = panel
  }

  /// Plays the piece and calls `move` once, `time` seconds after the start.
  private mutating func play(
    _ orchestra: Orchestra, at time: Double = 0, _ move: ((Csound) -> Void)? = nil
  ) throws(Failure) -> Outcome {
    var board: WidgetBoard?
    let csound = try renderer.startPiece(
      orchestra,
      beforeStart: { [panel] csound in
        for (channel, value) in panel.initialNumbers {
          csoundSetControlChannel(csound.engine, channel, value)
        }
        for (channel, text) in panel.initialTexts {
          text.withCString {
            csoundSetStringChannel(csound.engine, channel, UnsafeMutablePointer(mutating: $0))
          }
        }
      },
      registering: { [callsWidgets, keys] engine in
        keys?.announce(engine)
        if callsWidgets { board = WidgetBoard.install(in: engine) }
        ValueOpcodes.connect(engine)
      })
    if let made = board?.panel.panel, !made.widgets.isEmpty, panel.source == .channels {
      panel = made
    }
    var queue = MIDIQueue()
    defer { queue.deallocate() }
    return try withUnsafeMutablePointer(to: &queue) { queue throws(Failure) in
      MIDIInput.connect(csound.engine, queue)
      defer { MIDIInput.disconnect(csound.engine) }
      return perform(csound, queue, at: time, move)
    }
  }

  private func perform(
    _ csound: Csound, _ queue: UnsafeMutablePointer<MIDIQueue>, at time: Double,
    _ move: ((Csound) -> Void)?
  ) -> Outcome {
    var outcome = Outcome()
    var pressed = 0
    var heartbeat = renderer.heartbeat()
    var hasMoved = false
    var noise = SeededGenerator(seed: 1)
    func feed() {
      let input = csound.input
      for index in input.indices {
        input[index] = Double.random(in: -0.1...0.1, using: &noise) * csound.fullScale
      }
    }
    feed()
    func press() {
      guard let keys, pressed < TrialKeys.count, outcome.seconds >= Double(pressed) * keys.step
      else { return }
      keys.press(pressed, csound.engine, &queue.pointee)
      pressed += 1
    }
    press()
    while outcome.seconds < duration, csound.performKsmps() {
      defer {
        feed()
        press()
      }
      outcome.seconds += Double(csound.ksmps) / csound.sampleRate
      heartbeat.beat(seconds: outcome.seconds)
      for sample in csound.output {
        outcome.sound.combine(sample)
        if sample != 0 { outcome.isSilent = false }
      }
      if !hasMoved && outcome.seconds >= time {
        hasMoved = true
        move?(csound)
      }
    }
    FloatMode.current = .precise
    for channel in Set(panel.widgets.flatMap(\.channels)) {
      outcome.channels[channel] = csoundGetControlChannel(csound.engine, channel, nil)
    }
    return outcome
  }

  /// A channel that a widget sets. `target` gives the value to move it to, from the value that it has.
  private struct Control {
    let channel: String
    let kind: WidgetKind
    let target: (Double) -> Double
  }

  private static func controls(of panel: Panel) -> [Control] {
    var known: Set<String> = []
    return panel.widgets.flatMap { widget -> [Control] in
      guard !widget.isReadOnly else { return [] }
      return widget.channels.enumerated().compactMap { index, channel in
        guard !channel.isEmpty, let target = target(of: widget, index),
          known.insert(channel).inserted
        else { return nil }
        return Control(channel: channel, kind: widget.kind, target: target)
      }
    }
  }

  private static func target(of widget: PanelWidget, _ index: Int) -> ((Double) -> Double)? {
    switch widget.kind {
    case .slider, .knob, .number, .range, .pad, .surface:
      let range = widget.range(index)
      return { old in
        let (high, low) = (range.value(at: 0.7), range.value(at: 0.3))
        return abs(high - old) >= abs(low - old) ? high : low
      }
    case .switch, .button: return { $0 == widget.on ? widget.off : widget.on }
    case .momentary: return { _ in 1 }
    case .menu, .radio:
      let values = widget.options.filter { $0.text == nil }.map(\.value)
      guard !values.isEmpty else { return nil }
      return { old in values.first { $0 != old } ?? old }
    default: return nil
    }
  }

  /// Moves a control. Returns false if its channel does not hold a number.
  private static func move(_ control: Control, _ csound: Csound) -> Bool {
    var place: UnsafeMutablePointer<Double>?
    let type =
      CSOUND_CONTROL_CHANNEL.rawValue | CSOUND_INPUT_CHANNEL.rawValue
      | CSOUND_OUTPUT_CHANNEL.rawValue
    guard ccs_channel(csound.engine, &place, control.channel, Int32(type)) == 0, let place
    else { return false }
    place.pointee = control.target(place.pointee)
    return true
  }
}
