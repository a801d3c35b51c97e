public import Foundation

extension String {
  /// The text of a file.
  public init(file path: String) throws { try self.init(contentsOfFile: path, encoding: .utf8) }

  /// Writes it to a file, whose place it takes only when it is whole.
  public func save(to path: String) throws {
    try write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// A CSD of which it is the orchestra. With `ksmps` the orchestra gets a header: 48 kHz, `ksmps`, `channels` and
  /// full scale at 1.
  public func csd(
    score: String, ksmps: Int? = nil, channels: Int = 1, options: String? = nil
  ) -> String {
    let options = options.map { "<CsOptions>\n\($0)\n</CsOptions>\n" } ?? ""
    let header =
      ksmps.map { "sr = 48000\nksmps = \($0)\nnchnls = \(channels)\n0dbfs = 1\n" } ?? ""
    return """
      <CsoundSynthesizer>
      \(options)<CsInstruments>
      \(header)\(self)
      </CsInstruments>
      <CsScore>
      \(score)
      </CsScore>
      </CsoundSynthesizer>
      """
  }
}

extension Data {
  public init(file path: String) throws { try self.init(contentsOf: URL(fileURLWithPath: path)) }
}

extension JSONDecoder {
  public func decode<Value: Decodable>(_ type: Value.Type, file path: String) throws -> Value {
    try decode(type, from: Data(file: path))
  }
}

extension FileManager {
  /// Makes a directory and those it lies in, unless they are there.
  public func createDirectories(_ path: String) throws {
    try createDirectory(atPath: path, withIntermediateDirectories: true)
  }
}
