import Foundation
import TestSupport
import Testing

@Suite("Faults of Csound's own opcodes")
struct FindingTests {
  static let play = root + "/Benchmarks/builtins/play"

  @Test("The page says of some faults what the Csounds do, and what they do otherwise is noticed")
  func page() throws {
    // One that crashes, one with wrong values.
    let names = ["syncloop-skip-crash", "svfilter-not-reset"]
    let files = ["play", "findings.json"] + names.map { "findings/\($0).csd" }
    let folder =
      try Files.ofKit(files.map { "Benchmarks/builtins/" + $0 }) + "/Benchmarks/builtins"
    let play = folder + "/play"
    try run(play, ["--check", "--json", folder + "/findings.json"]).good()
    let recorded = try String(file: folder + "/findings.json")
    try recorded.replacing("\"there\"", with: "\"fine\"").save(to: folder + "/findings.json")
    try run(play, ["--check"]).refused(1).says("Csound 6.18: crash; recorded is: crash.")

    let csd = "\(folder)/findings/\(names[1]).csd"
    let text = try String(file: csd)
    for (line, other, sentence) in [
      ("; Seen: ", "; Saw: ", "'; Seen: …' is missing"), ("Right: ", "", "'; Right: …' is missing"),
      ("; Seen: wrong", "; Seen: odd", "'Seen' is 'odd values'; it takes crash"),
      ("v1 = v2", "v1 > v2", "'Expected' is 'v1 > v2', which is not understood"),
    ] {
      try text.replacing(line, with: other).save(to: csd)
      try run(play, []).refused(65, sentence)
    }
    try run(play, ["tonex-skip-crush"]).refused(64, "tonex-skip-crush")
  }

  @Test("The page says of every fault what the Csounds do", .onlyAmongAll)
  func wholePage() throws {
    try run(Self.play, ["--check"]).good()
  }
}
