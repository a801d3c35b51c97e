import CCsound
public import CsoundLive
import HarnessBase
public import Panels
import Synchronization

/// The last values that a panel's channels were set to, with which every version of a piece begins.
public final class PanelValues: Sendable {
  private struct Contents {
    var numbers: [String: Double] = [:]
    var texts: [String: String] = [:]
  }

  private let contents = Mutex(Contents())

  let presets: Presets
  private let file: PanelFile?

  /// Begins with a panel's initial values. `presets` are the saved presets; `file` is where a panel that a user has
  /// rearranged is saved, nil: nowhere.
  public init(_ panel: Panel, presets: Presets = .none, file: PanelFile? = nil) {
    (self.presets, self.file) = (presets, file)
    contents.withLock {
      $0.numbers = panel.initialNumbers
      $0.texts = panel.initialTexts
    }
  }

  /// Adds the initial values of channels that only the panel of a new version has. Returns the numbers among them.
  public func add(_ panel: Panel) -> [String: Double] {
    contents.withLock { contents in
      let new = panel.initialNumbers.filter { contents.numbers[$0.key] == nil }
      contents.numbers.merge(new) { old, _ in old }
      contents.texts.merge(panel.initialTexts) { old, _ in old }
      return new
    }
  }

  /// Saves a panel that a page has rearranged.
  func keep(_ panel: Panel) throws(Failure) {
    guard let file else {
      throw Failure(.unavailable, "This piece has no file to keep its panel in.")
    }
    try file.write(panel)
  }

  var numbers: [String: Double] { contents.withLock { $0.numbers } }
  var texts: [String: String] { contents.withLock { $0.texts } }

  func set(_ channel: String, to value: Double) {
    contents.withLock { $0.numbers[channel] = value }
  }

  func set(_ channel: String, to text: String) { contents.withLock { $0.texts[channel] = text } }

  /// The piece with its channels set before its first instrument begins. Csound itself leaves channels 0, even if
  /// `chn_k` declares a default.
  public func begin(_ piece: Piece) -> Piece {
    var piece = piece
    let register = piece.register
    piece.register = { [self] engine in
      register(engine)
      let (numbers, texts) = contents.withLock { ($0.numbers, $0.texts) }
      for (name, value) in numbers { csoundSetControlChannel(engine, name, value) }
      for (name, text) in texts {
        var text = text.utf8CString
        text.withUnsafeMutableBufferPointer {
          csoundSetStringChannel(engine, name, $0.baseAddress)
        }
      }
    }
    return piece
  }
}
