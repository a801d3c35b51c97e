import CsoundHost
import CsoundLive
import Foundation
import HarnessBase

/// Writes what happened before a dropout beside the piece, and says the likely cause.
struct DropoutWatch {
  /// At most one file in so many seconds, which each file covers; and at most so many files.
  private static let seconds = 10.0
  private static let most = 20

  private let piece: String
  private let performance: Performance
  private let say: @Sendable (String) -> Void
  private var xruns = 0
  private var written: Date?
  private var count = 0

  init(_ piece: String, _ performance: Performance, say: @escaping @Sendable (String) -> Void) {
    (self.piece, self.performance, self.say) = (piece, performance, say)
  }

  /// To be called twenty times a second.
  mutating func look(_ status: Status) {
    guard status.xruns > xruns else { return }
    let isFirst = written.map { Date().timeIntervalSince($0) >= Self.seconds } ?? true
    // The period after the dropout must be in the record, which tells that there was one.
    guard isFirst, count < Self.most, let record = performance.flight(last: Self.seconds),
      let cause = record.cause
    else { return }
    xruns = status.xruns
    written = Date()
    count += 1
    let (piece, say) = (piece, say)
    let time = (status.seconds * 10).rounded(.down) / 10
    Thread {
      var flight = record
      flight.findLines(in: (try? String(contentsOfFile: piece, encoding: .isoLatin1)) ?? "")
      // With the right lines.
      let sentence =
        "\(piece): dropout before \(time.formatted(1)) s: \(flight.cause?.sentence ?? cause.sentence)"
      let path = Self.path(piece)
      do throws(Failure) {
        try OutputFile(path).write(flight.trace(of: piece, remark: sentence))
        say("\(sentence) The last \(Int(Self.seconds)) s are in \(path).")
      } catch {
        say("\(sentence) \(error.message)")
      }
    }.start()
  }

  private static func path(_ piece: String) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.dateFormat = "yyyyMMdd-HHmmss"
    let stem = piece.lowercased().hasSuffix(".csd") ? String(piece.dropLast(4)) : piece
    return "\(stem)-\(format.string(from: Date())).trace.json"
  }
}
