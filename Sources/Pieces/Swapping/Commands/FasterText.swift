import CommandKit
import Comparing
import Foundation
import HarnessBase

/// The text that `faster` prints.
enum FasterText {
  /// The line for one of several pieces.
  static func line(_ piece: FasterPiece) -> String {
    let name = Project.short(piece.path)
    var text = "\(name): "
    switch piece.outcome {
    case .swapped:
      text += [
        times(piece.speed), "null \(depth(piece.nullDepthDecibels))",
        piece.swaps.map(\.opcode).joined(separator: ", "),
      ].joined(separator: "; ")
    case .unchanged: text += "nothing to swap"
    case .originalFails: text += "does not play as it is: \((piece.reason ?? "").suffix(200))"
    case .skipped: text += "skipped: \((piece.reason ?? "").suffix(200))"
    case .silent:
      text += "silent, which shows nothing" + (piece.reason.map { ": \($0.suffix(200))" } ?? "")
    case .doesNotRepeat: text += "does not sound the same twice"
    case .notTimed: text += "cannot be timed: \((piece.reason ?? "").suffix(200))"
    }
    return ([text] + piece.leftOut.map { "  " + leftOut($0, in: piece) }).joined(separator: "\n")
  }

  /// The text for a single piece.
  static func whole(_ piece: FasterPiece) -> String {
    let name = Project.short(piece.path)
    var parts: [String] = []
    switch piece.outcome {
    case .swapped:
      parts.append(table(piece))
      if let speed = piece.speed {
        parts.append("\(name) with them: \(whole(piece, speed))")
      }
    case .unchanged:
      parts.append("\(name): no opcode of Csound's in it is swapped.")
    case .silent:
      parts.append(
        "\(name) is silent for \(piece.seconds.formatted(1)) s, which shows nothing"
          + (piece.reason.map { ". Csound says: \($0)" } ?? "; --duration renders more."))
    case .doesNotRepeat:
      parts.append(
        "\(name) does not sound the same twice, so nothing can be compared with it."
          + (piece.reason.map { " " + $0 } ?? ""))
    case .notTimed:
      parts.append("\(name) cannot be timed, so that nothing is swapped: \(piece.reason ?? "")")
    case .originalFails, .skipped: break
    }
    let left = piece.leftOut.map { leftOut($0, in: piece) }
    if !left.isEmpty { parts.append("Left as they are:\n" + left.joined(separator: "\n")) }
    if let ports = piece.ports, let first = ports.first {
      let rows = ports.map { port in
        [
          port.opcode, (port.share * 100).formatted(1),
          (1 / (1 - port.share * (1 - 1 / FasterPiece.Port.usualRatio))).formatted(2),
        ]
      }
      parts.append(
        """
        User-defined opcodes that can be written in Swift, their share of the time, and an estimate: how many times \
        as fast the piece would be if the port ran \(FasterPiece.Port.usualRatio.formatted(0)) times as fast, as is usual:
        \(Table(rows: rows, alignment: [.left, .right, .right]).text)
        To port and measure one: opcodekit port \(name.shellWord) \(first.opcode) --new DIR
        """)
    }
    return parts.joined(separator: "\n\n")
  }

  /// How fast a piece became, and how close it sounds.
  static func whole(_ piece: FasterPiece, _ speed: Comparing.Measurement) -> String {
    let part =
      piece.timedSeconds < piece.seconds
      ? ", timed for \(piece.timedSeconds.formatted(1)) s of sound" : ""
    return "\(times(speed)), \(speed.subject.formatted(1)) ns for each sample time"
      + " where it took \(speed.rival.formatted(1))\(part); null depth"
      + " \(depth(piece.nullDepthDecibels)) over \(piece.seconds.formatted(1)) s."
  }

  /// How many pieces became faster, and how many sound the same to within -80 dB.
  static func summary(_ pieces: [FasterPiece]) -> String {
    let swapped = pieces.filter { $0.outcome == .swapped }
    let speeds = swapped.compactMap(\.speed).filter(\.hasRatio)
    let faster = speeds.count { $0.verdict == .faster }
    let slower = speeds.count { $0.verdict == .slower }
    let close = swapped.count { ($0.nullDepthDecibels ?? -.infinity) < -80 }
    var counts: [String: Int] = [:]
    for piece in pieces where piece.outcome != .swapped {
      counts[piece.outcome.rawValue, default: 0] += 1
    }
    let others = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    var text =
      ([
        "Of \(pieces.count.counted("piece")) \(swapped.count)"
          + " \(swapped.count == 1 ? "has" : "have") opcodes swapped"
      ] + others)
      .joined(separator: ", ") + "."
    if !speeds.isEmpty {
      let mean = exp(speeds.reduce(0) { $0 + log($1.ratio.value) } / Double(speeds.count))
      text +=
        "\nOf those \(faster) are faster, \(slower) slower, the others the same or too noisy to tell; on the"
        + " geometric mean they run \(mean.formatted(2)) times as fast; \(close) null below -80 dB."
    }
    return text
  }

  private static func table(_ piece: FasterPiece) -> String {
    let rows = piece.swaps.map { swap in
      [
        swap.opcode, swap.counterpart, "\(swap.places.count)", depth(swap.nullDepthDecibels),
        swap.speed?.ratio.value.formatted(3) ?? "", interval(swap.speed),
        swap.speed?.verdict.rawValue ?? "",
      ]
    }
    return Table(
      rows: [["opcode", "swapped for", "calls", "null dB", "times as fast", "99 %", "alone"]]
        + rows,
      alignment: [.left, .left, .right, .right, .right, .right]
    ).text
  }

  private static func leftOut(_ left: FasterPiece.LeftOut, in piece: FasterPiece) -> String {
    let lines = left.places.map { place in
      (place.path == piece.path ? "" : (place.path as NSString).lastPathComponent + ":")
        + "\(place.line)"
    }
    let at =
      lines.isEmpty
      ? "" : " in line\(lines.count == 1 ? "" : "s") " + lines.joined(separator: ", ")
    let why =
      switch left.reason {
      case .hidden: "the piece has a user-defined opcode of that name"
      case .counterpartHidden:
        "the piece has a user-defined opcode of its counterpart's name, \(left.counterpart)"
      case .notCompiled: "nothing that is compiled has it"
      case .unclear: "the piece does not compile with another name there"
      case .notPlayed: "no note with it starts in the seconds rendered"
      case .formMissing: "\(left.counterpart) has no such overload"
      case .differs:
        "\(left.counterpart) differs, null depth \(left.nullDepthDecibels.map(depth) ?? "none")"
      case .fails: "it fails with \(left.counterpart)"
      case .crashes: "it crashes with \(left.counterpart)"
      case .hangs: "it hangs with \(left.counterpart)"
      case .slower: "with \(left.counterpart) it is slower, \(times(left.speed))"
      case .doesNotRepeat: "the piece does not sound the same twice"
      }
    return "\(left.opcode)\(at): \(why)" + (left.detail.map { " (\($0.suffix(200)))" } ?? "")
  }

  private static func times(_ speed: Comparing.Measurement?) -> String {
    guard let speed, speed.hasRatio else { return "too noisy to tell" }
    return "\(speed.ratio.value.formatted(3)) times as fast (\(interval(speed)))"
  }

  private static func interval(_ speed: Comparing.Measurement?) -> String {
    guard let speed, speed.hasRatio else { return "" }
    return "\(speed.ratio.low.formatted(3))–\(speed.ratio.high.formatted(3))"
  }

  private static func depth(_ decibels: Double?) -> String {
    decibels.map { $0.formatted(1) } ?? "identical"
  }
}
