import Foundation
import HarnessBase

/// The lines of an opcode's source that a debug build was at when it stopped.
enum SourceLine {
  /// The modules of OpcodeKit that opcodes call; what happened in them is told by the line that called them.
  private static var kit: Regex<(Substring, Substring)> {
    #/\/Sources\/Kit\/(CCsound|OpcodeKit)\//#
  }

  /// What a debug build says of a mistake, with the line of the source in place of the code's addresses, which stand at
  /// the end: "… At /path/libechoes.so+0x1234+0x5678".
  static func told(_ account: String) -> String {
    guard let places = account.firstMatch(of: #/ At (\S.*?)((\+0x[0-9a-f]+)+)$/#) else {
      return account
    }
    let line = of(String(places.1), places.2.split(separator: "+").map(String.init))
    return account[..<places.range.lowerBound] + (line.map { " It was in \($0)." } ?? "")
  }

  /// "Delay.swift, line 44": the innermost place that is not in the kit; nil where the library does not know it. Where
  /// the optimiser has merged what several lines do, "code that Delay.swift, line 36, calls".
  static func of(_ library: String, _ addresses: [String]) -> String? {
    struct Address: Decodable {
      struct Frame: Decodable {
        var fileName: String
        var line: Int
        enum CodingKeys: String, CodingKey { case fileName = "FileName", line = "Line" }
      }
      var frames: [Frame]?
      enum CodingKeys: String, CodingKey { case frames = "Symbol" }
    }
    guard let symbolizer = programOfSwift("llvm-symbolizer"),
      let said = try? ChildProcess.run(
        symbolizer, ["--obj=\(library)", "--output-style=JSON"] + addresses, timeLimit: 20),
      said.isGood,
      let found = try? JSONDecoder().decode([Address].self, from: Data(said.output.utf8))
    else { return nil }
    let own = found.flatMap { $0.frames ?? [] }.filter {
      $0.fileName.hasPrefix("/") && !$0.fileName.contains(kit)
        && FileManager.default.fileExists(atPath: $0.fileName)
    }
    guard let frame = own.first(where: { $0.line > 0 }) else { return nil }
    let place = "\((frame.fileName as NSString).lastPathComponent), line \(frame.line)"
    return own[0].line > 0 ? place : "code that \(place), calls"
  }
}
