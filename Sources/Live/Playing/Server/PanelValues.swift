import CCsound
public import CsoundLive
import Foundation
public import HarnessBase
public import Panels
import Synchronization

/// The last values that a panel's channels were set to, with which every version of a piece begins.
public final class PanelValues: Sendable {
  private struct Contents {
    var values: [String: ChannelValue] = [:]
    /// The values of the panel as it was written, and the channels of them that are kept.
    var initial: [String: ChannelValue] = [:]
    var kept: [String: Admitted] = [:]
    /// The channels that were set by somebody, or taken up: the piece's start does not decide about them.
    var chosen: Set<String> = []
    /// The channels whose values at the piece's start a server has looked at.
    var watched: Set<String> = []
    var taken: TakenUp?
    /// Whether `taken` may still change.
    var isBeginning = true
    /// What the file has, and when it was written.
    var written: PanelPreset?
    var writingTime = ContinuousClock.now

    /// The kept channels that have other values than the piece's own.
    var changed: [String: ChannelValue] {
      values.filter { kept[$0.key]?.isText == $0.value.isText && $0.value != initial[$0.key] }
    }
  }

  private let contents = Mutex(Contents())

  let presets: Presets
  private let file: PanelFile?
  private let keeping: KeptValues?
  /// The values with which the piece begins instead of its own: those of the last time.
  private let takenUp: PanelPreset?
  /// Seconds from one writing of the kept values to the next, at least.
  private static let keepingInterval = Duration.seconds(0.5)

  /// Begins with a panel's initial values. `presets` are the saved presets; `file` is where a panel that a user has
  /// rearranged is saved, nil: nowhere. `keeping` is where `keep` writes, nil: nowhere; `takingUp` are values of the
  /// last time that replace the initial ones, as far as the panel can set them.
  public init(
    _ panel: Panel, presets: Presets = .none, file: PanelFile? = nil, keeping: KeptValues? = nil,
    takingUp: PanelPreset? = nil
  ) {
    (self.presets, self.file, self.keeping, takenUp) = (presets, file, keeping, takingUp)
    contents.withLock { contents in
      contents.written = takingUp
      _ = Self.add(panel, to: &contents, takingUp)
    }
  }

  /// Adds the initial values of channels that only the panel of a new version has. Returns the numbers among them.
  public func add(_ panel: Panel) -> [String: Double] {
    contents.withLock { Self.add(panel, to: &$0, takenUp) }
  }

  private static func add(
    _ panel: Panel, to contents: inout Contents, _ takenUp: PanelPreset?
  ) -> [String: Double] {
    contents.kept.merge(Admitted.channels(of: panel)) { $1 }
    var new = panel.initialValues
    contents.initial.merge(new) { $1 }
    if let takenUp {
      var taken = TakenUp(time: takenUp.name)
      for (name, value) in takenUp.all {
        guard let nearest = contents.kept[name]?.nearest(to: value) else {
          taken.left.append(name)
          continue
        }
        new[name] = nearest
        contents.chosen.insert(name)
        taken.count += 1
        if nearest != value { taken.limited.append(name) }
      }
      taken.limited.sort()
      taken.left.sort()
      if contents.isBeginning { contents.taken = taken }
    }
    // A new version may have a text where the last one had a number.
    new = new.filter { contents.values[$0.key]?.isText != $0.value.isText }
    contents.values.merge(new) { $1 }
    return new.compactMapValues(\.number)
  }

  /// What was taken up of the values of the last time; nil if there were none, or once that is settled.
  public var taken: TakenUp? { contents.withLock { $0.taken } }

  /// Notes that the panel with which the piece begins is complete: `taken` stays as it is from now on.
  public func endBeginning() { contents.withLock { $0.isBeginning = false } }

  /// What a channel was set to by somebody, or taken up of the last time; nil: neither.
  func chosen(_ name: String) -> ChannelValue? {
    contents.withLock { $0.chosen.contains(name) ? $0.values[name] : nil }
  }

  /// Notes that a server looks what the piece's start leaves in a channel. Returns whether none did before.
  func noteWatched(_ name: String) -> Bool {
    contents.withLock { $0.watched.insert(name).inserted }
  }

  /// Notes what the piece's own start has left in a channel: its own value, and not that of the panel.
  func noteOwn(_ name: String, _ value: ChannelValue) {
    contents.withLock { $0.initial[name] = value }
  }

  /// The numbers that the piece began with, and the panel does not say.
  func firstNumbers(beside panel: Panel) -> [String: Double] {
    let said = panel.initialNumbers
    return contents.withLock { contents in
      contents.initial.compactMapValues(\.number).filter {
        contents.kept[$0.key] != nil && said[$0.key] != $0.value
      }
    }
  }

  /// Notes that the piece itself has set a channel again whose value was taken up.
  func noteOverwritten(_ name: String) {
    contents.withLock { contents in
      guard contents.taken?.overwritten.contains(name) == false else { return }
      contents.taken?.overwritten.append(name)
    }
  }

  /// Notes that the user has decided about the values that were taken up.
  func settleTaken() {
    contents.withLock { contents in
      contents.isBeginning = false
      contents.taken = nil
    }
  }

  /// The piece's own values of the channels that now have others. A channel without a value of its own has 0, or an
  /// empty text.
  var ownValues: PanelPreset {
    contents.withLock { contents in
      let own = contents.changed.map { name, value in
        (name, contents.initial[name] ?? (value.isText ? .text("") : .number(0)))
      }
      return PanelPreset("", Dictionary(own) { $1 }.filter { contents.values[$0.key] != $0.value })
    }
  }

  /// Writes the values that differ from the piece's own, if they have changed and the last writing is half a second ago;
  /// with `atOnce` however long ago it is. A file that is there stays as it is until the new one is complete. After a
  /// failure the next call tries again. Returns whether it has written.
  @discardableResult
  public func keep(atOnce: Bool = false) throws(Failure) -> Bool {
    guard let keeping else { return false }
    let (new, old): (PanelPreset?, PanelPreset?) = contents.withLock { contents in
      guard atOnce || contents.writingTime.duration(to: .now) >= Self.keepingInterval else {
        return (nil, nil)
      }
      var new = PanelPreset("", contents.changed)
      let old = contents.written
      guard new.values != old?.values ?? [:] || new.texts != old?.texts ?? [:] else {
        return (nil, nil)
      }
      new.name = Date.now.formatted(.iso8601)
      (contents.written, contents.writingTime) = (new, .now)
      return (new, old)
    }
    guard let new else { return false }
    do throws(Failure) {
      if new.values.isEmpty && new.texts.isEmpty {
        try keeping.remove()
      } else {
        try keeping.write(new)
      }
      return true
    } catch {
      contents.withLock { $0.written = old }
      throw error
    }
  }

  /// Saves a panel that a page has rearranged.
  func keep(_ panel: Panel) throws(Failure) {
    guard let file else { throw .unavailable("This piece has no file to keep its panel in.") }
    try file.write(panel)
  }

  package var all: [String: ChannelValue] { contents.withLock { $0.values } }

  package func set(_ channel: String, to value: ChannelValue) {
    contents.withLock { contents in
      contents.values[channel] = value
      contents.chosen.insert(channel)
    }
  }

  /// Notes the value of a channel that something else than a page or OSC has set, if the panel has that channel.
  public func note(_ channel: String, _ value: Double) {
    let isKept = contents.withLock { $0.kept[channel]?.isText == false }
    if isKept, value.isFinite { set(channel, to: .number(value)) }
  }

  /// The piece with its channels set before its first instrument begins. Csound itself leaves channels 0, even if
  /// `chn_k` declares a default.
  public func begin(_ piece: Piece) -> Piece {
    var piece = piece
    let register = piece.register
    piece.register = { [self] engine in
      register(engine)
      for (name, value) in all {
        switch value {
        case .number(let number): csoundSetControlChannel(engine, name, number)
        case .text(let text):
          var text = text.utf8CString
          text.withUnsafeMutableBufferPointer {
            csoundSetStringChannel(engine, name, $0.baseAddress)
          }
        }
      }
    }
    return piece
  }
}
