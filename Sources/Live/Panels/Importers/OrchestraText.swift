import Foundation
import HarnessBase

/// The orchestra of a CSD without its comments.
struct OrchestraText {
  let text: String

  init(ofCSD csd: String) {
    let section = csd.firstMatch(of: /<CsInstruments>(?s:(.*?))<\/CsInstruments>/)
    text = OrchestraTokens.code(of: section.map { String($0.1) } ?? csd)
  }

  /// Whether it calls one of these opcodes.
  func calls(_ opcodes: Set<String>) -> Bool {
    text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains {
      opcodes.contains(String($0))
    }
  }
}
