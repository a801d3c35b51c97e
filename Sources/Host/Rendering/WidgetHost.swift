public import CCsound
import Foundation
public import HarnessBase
import Synchronization

/// What pieces of FLTK and of Cabbage find in Csound there: the opcodes of their widgets, and channels with the widgets'
/// initial values. A program that has the opcodes sets `current` before it plays.
public struct WidgetHost: Sendable {
  /// The values of channels when a piece begins, by their names.
  public struct Channels: Sendable {
    var numbers: [String: Double]
    var texts: [String: String]

    public init(numbers: [String: Double], texts: [String: String]) {
      (self.numbers, self.texts) = (numbers, texts)
    }
  }

  let register: @Sendable (UnsafeMutablePointer<CSOUND>, _ csd: String) -> Void
  let channels: @Sendable (_ csd: String) throws(Failure) -> Channels

  /// - Parameters:
  ///   - register: registers the opcodes with an engine that is going to compile a CSD with this text.
  ///   - channels: the initial values of the widgets in the text of a CSD.
  public init(
    register: @escaping @Sendable (UnsafeMutablePointer<CSOUND>, _ csd: String) -> Void,
    channels: @escaping @Sendable (_ csd: String) throws(Failure) -> Channels
  ) {
    (self.register, self.channels) = (register, channels)
  }

  private static let host = Mutex<WidgetHost?>(nil)

  /// Nil in a program without the opcodes.
  public static var current: WidgetHost? {
    get { host.withLock { $0 } }
    set { host.withLock { $0 = newValue } }
  }

  /// Whether a CSD needs a host of widgets.
  package static func isNeeded(by path: String) -> Bool {
    guard (try? requireReadableFile(path)) != nil,
      let text = try? String(contentsOfFile: path, encoding: .isoLatin1)
    else { return false }
    return OtherWidgets.isNeeded(by: text) || text.contains("<Cabbage>")
  }
}
