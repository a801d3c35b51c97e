import Foundation
import Testing

@Suite("profile: its page and its trial by removal")
struct ProfileCommandTests {
  private func piece(_ name: String) throws -> String {
    try """
    instr 1
      anoise rand 0.1
      aladder moogladder anoise, 1000, 0.5
      out aladder
    endin
    """.csd(score: "i1 0 1", ksmps: 32).saved(name)
  }

  @Test("A piece whose name is a word of the page's template has a page like any other")
  func page() throws {
    let path = try piece("PROFILE TITLE.csd")
    let page = path + ".html"
    #expect(try opcodekit("profile", path, "--renders", "1", "--html", page).exitCode == 0)
    let text = try String(file: page)
    #expect(text.contains("<h1>PROFILE TITLE.csd</h1>"))
    let data = try #require(
      text.firstMatch(of: /(?s)<script id="data" type="application\/json">(.*?)<\/script>/))
    let profile = try JSONSerialization.jsonObject(with: Data(String(data.1).utf8))
    #expect((profile as? [String: Any])?["path"] as? String == path)
  }

  @Test("--removal leaves lines out, says what that saves, and refuses --counts and --perf")
  func removal() throws {
    let path = try piece("piece.csd")
    let json = path + ".json"
    let ending = try opcodekit(
      "profile", path, "--renders", "1", "--removal", "--top", "2", "--json", json
    ).good()
    // The heading's columns are as wide as their widest number.
    let heading = try #require(
      ending.output.firstRange(
        of: /profile % +± % +saved % +± % +difference +in proportion +verdict/))
    let rows = ending.output[heading.upperBound...].split(separator: "\n").dropFirst()
    #expect(rows.contains { $0.contains("aladder moogladder") && !$0.contains("cannot") })
    let trial = try #require(jsonObject(json)["removal"] as? [String: Any])
    #expect((trial["rows"] as? [[String: Any]])?.count == 2 && trial["turns"] as? Int ?? 0 > 0)
    for option in ["--counts", "--perf"] {
      try opcodekit("profile", path, option, "--removal").refused(64, "--removal does not go with")
    }
  }

  @Test("--removal goes over several pieces; without it one is taken")
  func removals() throws {
    let pieces = [try piece("one.csd"), try piece("two.csd")]
    let json = pieces[0] + ".json"
    let ending = try opcodekit(
      ["profile"] + pieces + ["--renders", "1", "--removal", "--top", "1", "--json", json]
    ).good()
    for piece in pieces { #expect(ending.output.contains("\(piece): 1.00 s of sound")) }
    #expect(ending.output.contains("2 lines of 2 pieces: "))
    let trials = try JSONSerialization.jsonObject(
      with: Data(file: json))
    #expect((trials as? [[String: Any]])?.map { $0["path"] as? String } == pieces)
    #expect(try opcodekit(["profile"] + pieces).exitCode == 64)
    try opcodekit(["profile"] + pieces + ["--removal", "--html", json]).refused(
      64, "--html is for one piece")
  }
}
