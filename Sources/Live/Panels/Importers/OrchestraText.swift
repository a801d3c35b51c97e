import Foundation

/// The orchestra of a CSD without its comments.
struct OrchestraText {
  let text: String

  init(ofCSD csd: String) {
    let section = csd.firstMatch(of: /<CsInstruments>(?s:(.*?))<\/CsInstruments>/)
    text = Self.withoutComments(section.map { String($0.1) } ?? csd)
  }

  /// Comments become spaces; strings stay as they are.
  static func withoutComments(_ text: String) -> String {
    var result: [UInt8] = []
    let bytes = Array(text.utf8)
    var index = 0
    func next() -> UInt8? { index + 1 < bytes.count ? bytes[index + 1] : nil }
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") {
        result.append(byte)
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\""),
          bytes[index] != UInt8(ascii: "\n")
        {
          if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count {
            result.append(bytes[index])
            index += 1
          }
          result.append(bytes[index])
          index += 1
        }
        if index < bytes.count {
          result.append(bytes[index])
          index += 1
        }
      } else if byte == UInt8(ascii: ";")
        || byte == UInt8(ascii: "/") && next() == UInt8(ascii: "/")
      {
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") { index += 1 }
      } else if byte == UInt8(ascii: "/"), next() == UInt8(ascii: "*") {
        index += 2
        while index < bytes.count,
          !(bytes[index] == UInt8(ascii: "*") && next() == UInt8(ascii: "/"))
        {
          if bytes[index] == UInt8(ascii: "\n") { result.append(bytes[index]) }
          index += 1
        }
        index += 2
        result.append(UInt8(ascii: " "))
      } else {
        result.append(byte)
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Whether it calls one of these opcodes.
  func calls(_ opcodes: Set<String>) -> Bool {
    text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains {
      opcodes.contains(String($0))
    }
  }
}
