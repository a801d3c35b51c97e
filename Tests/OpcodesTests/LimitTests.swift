import Testing

/// What opcodes make of arguments beyond their range and of NaN.
@Suite("Arguments beyond their range, in Csound", .serialized)
struct LimitTests {
  /// A call of which X is replaced, and what sounds the same as what; nil is silence.
  static let calls: [(line: String, same: [(found: String, expected: String?)])] = [
    ("a1, a0 FREEVERB asignal, asignal, 0.5, X", [("7", "1"), ("-1", "0"), ("knan", "0")]),
    (
      "a1, a0 FREEVERB asignal, asignal, X, 0", [("knan", "0"), ("1e300", "1.0714285714285714")]
    ),
    (
      "a1, a0 REVERBSC asignal, asignal, X, 5000",
      [("1e300", "1"), ("-9", "-1"), ("knan", nil)]
    ),
    (
      "a1, a0 REVERBSC asignal, asignal, 0.5, X",
      [("1e300", "24000"), ("-1e300", "24000"), ("-5000", "5000"), ("knan", nil)]
    ),
    ("a1 PHASER asignal, 500, 5, X", [("3", "1"), ("-1e300", "-1"), ("knan", "0")]),
    ("a1 PHASER asignal, X, 5, 0.5", [("knan", "0")]),
    (
      "a1 PHASER2 asignal, X",
      [
        ("-500, -1, 5, 1, -1, 7", "500, 1, 5, 1, 1, 1"),
        ("500, 1, 9, 0, 2, knan", "500, 1, 9, 2, 2, 0"), ("1e300, 0, 0, 2, 1e300, 0.5", nil),
      ]
    ),
    ("a1 DIODELADDER asignal, 1000, X", [("-3", "0"), ("knan", "0"), ("0, 1, 0", "0")]),
    (
      "a1 DIODELADDER asignal, X, 5",
      [("upsamp(k(1e9))", "sr * 0.4999"), ("-100", nil), ("knan", nil)]
    ),
    ("a1 LPF18 asignal, X, 0.5, 1", [("1e9", "0.44 * sr"), ("-1e9", "0")]),
    (
      "a1 MOOGLADDER asignal, X, 0.5",
      [("40000", "36000"), ("kinfinity", "36000"), ("-100", nil), ("knan", nil)]
    ),
    ("a1 MOOGLADDER asignal, 1000, X", [("-1", "0")]),
    (
      "a1 VCS3FILTER asignal, X, 0.5",
      [
        ("24000", "21600"), ("1e300", "21600"), ("kinfinity", "21600"), ("-100", nil),
        ("knan", nil),
      ]
    ),
    (
      "a1 VCS3FILTER asignal, 1000, X",
      [("-1", "0"), ("3", "2"), ("kinfinity", "2"), ("-kinfinity", "0"), ("knan", "0")]
    ),
    ("a1 ONEPOLE asignal, k(X)", [("-900", "900")]),
    (
      "a1 VCS3RING asignal, a(0)X",
      [(", 7", ", 1"), (", -3", ", 0.001"), ("", ", 0.001"), (", knan", nil)]
    ),
    (
      "a1 VDELAY asignal, X, 10",
      [
        ("knan", "0"), ("-1e300 * k(1)", "0"), ("kinfinity", "10"), ("upsamp(knan)", "0"),
        ("upsamp(-kinfinity)", "0"), ("upsamp(kinfinity)", "10"),
      ]
    ),
  ]

  @Test("They count as the nearest in it, or as what the page says", arguments: calls, [1, 7, 64])
  func counts(call: (line: String, same: [(found: String, expected: String?)]), ksmps: Int) throws {
    for (found, expected) in call.same {
      let other = expected.map { call.line.replacing("X", with: $0).replacing("a1", with: "a2") }
      let heard = try performNote(
        """
        asignal rand 1, 0.3, 1
        kminus init -1
        knan = log(kminus)
        kinfinity = -log(0 * kminus)
        \(call.line.replacing("X", with: found))
        \(other ?? "a2 = a(0)")
        """, heard: "a1, a2", note: "0.2", ksmps: ksmps)
      #expect(largestDifference(heard[0], heard[1]) < 1e-12, "\(found)")
      #expect(heard[1].contains { abs($0) > 1e-4 } == (other != nil), "\(found)")
    }
  }
}
