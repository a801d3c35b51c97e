import Foundation
import Profiling
import Testing

private let mayLook =
  (try? run(
    "/usr/bin/env",
    ["perf", "record", "--quiet", "--event=cycles", "--output=/dev/null", "true"]))?.exitCode == 0

@Suite(
  "profile --perf", .serialized,
  .enabled(if: mayLook, "perf is not installed, or may not look at programs"))
struct ProfileSampleTests {
  func sample(_ body: String) throws -> SampledProfile {
    let directory = try temporaryDirectory()
    try """
    instr 1
      \(body)
    endin
    """.csd(score: "i1 0 100", ksmps: 64).save(to: directory + "/piece.csd")
    try run(
      tool, ["profile", "piece.csd", "--perf", "--json", "samples.json"], directory: directory
    ).good().says("samples in the k-cycles")
    let profile = try JSONDecoder().decode(SampledProfile.self, file: directory + "/samples.json")
    #expect(profile.samples > 50)
    #expect(profile.rows.reduce(0) { $0 + $1.samples } == profile.samples)
    return profile
  }

  /// The share of the samples that an opcode has.
  func share(_ opcode: String, _ profile: SampledProfile) -> Double {
    let rows = profile.rows.filter { $0.opcodes == opcode }
    return Double(rows.reduce(0) { $0 + $1.samples }) / Double(profile.samples)
  }

  @Test("Csound's own opcodes have their names although its library has no symbols for them")
  func builtins() throws {
    let reverb = try sample(
      "aL, aR reverbsc oscili:a(0.1, 440), a(0), 0.9, 9000\nout butterlp(aL, 900)")
    #expect(share("reverbsc", reverb) > 0.4, "\(reverb.rows.prefix(5))")
    #expect(reverb.rows.first { $0.opcodes == "reverbsc" }?.object.hasPrefix("libcsound64") == true)
    #expect(share("butterlp", reverb) < share("reverbsc", reverb))
    let filter = try sample("out butterlp(oscili:a(0.1, 440), 900)")
    #expect(share("reverbsc", filter) == 0 && share("butterlp", filter) > 0.05)
  }
}
