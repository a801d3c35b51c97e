import HarnessBase

/// Why a message is refused: a sentence.
struct OscRefusal: Error {
  enum Kind { case malformed, unknown, wrongType, refused, tooMany, tooFar }

  var kind: Kind
  var sentence: String

  init(_ sentence: String, _ kind: Kind = .wrongType) {
    (self.sentence, self.kind) = (sentence, kind)
  }

  /// A refusal, or what else a request fails with, which is a `Failure`.
  init(_ error: any Error) {
    self =
      error as? OscRefusal ?? OscRefusal((error as? Failure)?.message ?? "\(error)", .refused)
  }
}

/// Says what is wrong with messages: of each kind the first at once, and further ones once a minute, by their number.
struct OscReports {
  private struct Count {
    var unsaid = 0
    var saidAt: Double?
  }

  private var counts: [OscRefusal.Kind: Count] = [:]
  private static let interval = 60.0

  /// Counts a fault at `now`, in seconds. Returns what is to be said of it; nil: nothing now.
  mutating func note(_ refusal: OscRefusal, at now: Double) -> String? {
    let count = counts[refusal.kind, default: Count()]
    if let saidAt = count.saidAt, now - saidAt < Self.interval {
      counts[refusal.kind]!.unsaid += 1
      return nil
    }
    counts[refusal.kind] = Count(unsaid: 0, saidAt: now)
    let more = count.unsaid == 0 ? "" : " \(count.unsaid) more were refused like this one."
    return "OSC: \(Self.printable(refusal.sentence))\(more)\n"
  }

  /// What is still to be said at the end; nil if nothing is.
  var rest: String? {
    let unsaid = counts.values.reduce(0) { $0 + $1.unsaid }
    let messages = unsaid == 1 ? "message was" : "messages were"
    return unsaid == 0 ? nil : "OSC: \(unsaid) more \(messages) refused.\n"
  }

  /// A text of another program, without what would change the terminal.
  static func printable(_ text: String) -> String {
    let shown = String(
      String.UnicodeScalarView(
        text.unicodeScalars.map {
          switch $0.properties.generalCategory {
          case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            "\u{FFFD}"
          default: $0
          }
        }))
    return shown.count > 300 ? shown.prefix(300) + "…" : shown
  }
}
