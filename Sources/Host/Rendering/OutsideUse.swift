import CsoundHost
import Foundation
import HarnessBase

/// Finds pieces that use other programs or the network, which is not allowed here. Such pieces are
/// skipped.
enum OutsideUse {
  private static let programs: Set<String> = ["system", "system_i"]
  /// The opcodes whose notes fail without a network.
  private static let network: Set<String> = [
    "OSCinit", "OSCinitM", "OSCsend", "OSCsend_lo", "OSCbundle", "remoteport", "sockrecv",
    "sockrecvs",
    "socksend", "socksends", "strecv", "stsend", "websocket",
  ]

  /// Throws `skipped` if the score of a CSD is made by a program, as in `<CsScore bin="python3">`.
  static func requireNone(inScoreOf csd: String) throws(Failure) {
    let text = (try? String(contentsOfFile: csd, encoding: .isoLatin1)) ?? ""
    guard let tag = text.firstMatch(of: /(?:^|\n)[ \t]*<CsScore\s[^\n]*?bin="([^"\n]*)"/) else {
      return
    }
    throw .skipped(
      "Its score is made by the program '\(tag.1)', which is not run for a piece here; put the score"
        + " itself between the tags.")
  }

  /// Throws `skipped` if a CSD that is not compiled here names such an opcode, or has its score made by a program.
  static func requireNone(in csd: String) throws(Failure) {
    try requireNone(inScoreOf: csd)
    let bytes = Array((try? Data(contentsOf: URL(fileURLWithPath: csd))) ?? Data())
    let words = OrchestraTokens(bytes, in: bytes.indices).tokens.filter { $0.kind == .word }
      .map { String(decoding: bytes[$0.range], as: UTF8.self) }
    if let use = words.lazy.compactMap(sentence).first { throw .skipped(use) }
  }

  /// A sentence that names an opcode of a compiled orchestra that uses programs or the network; nil if
  /// there is none.
  fileprivate static func sentence(of csound: Csound) -> String? {
    // Names in the list may have a suffix, such as `system.S`.
    csound.statements.lazy.map { String($0.opcode.prefix { $0 != "." }) }.compactMap(sentence).first
  }

  private static func sentence(_ name: String) -> String? {
    if programs.contains(name) {
      return
        "It starts programs with '\(name)', which are not run for a piece here; take '\(name)' out."
    }
    return network.contains(name)
      ? "It uses the network with '\(name)', and there is none for a piece here; take '\(name)' out."
      : nil
  }
}

extension Renderer {
  /// The same as `start`, for a piece on its stage. If the piece uses programs or the network, or a file outside of
  /// its folder, this throws `skipped`, before anything of it has run.
  package func startPiece(
    _ orchestra: Orchestra, beforeStart: (Csound) throws(CsoundError) -> Void = { _ in },
    registering more: @escaping Csound.Registration = { _ in }
  ) throws(Failure) -> Csound {
    var use: String?
    do throws(Failure) {
      return try start(
        orchestra,
        beforeStart: { csound throws(CsoundError) in
          use = OutsideUse.sentence(of: csound)
          guard use == nil else { throw .unavailable("A piece is skipped.") }
          try beforeStart(csound)
        }, registering: more)
    } catch {
      if let use { throw .skipped(use) }
      guard error.kind == .badInput,
        let file = MissingFile.name(in: error.message, of: orchestra.path, butThere: true)
      else { throw error }
      throw .skipped(
        "It asks for '\(file)', which lies outside of its folder and is kept from it here; name that folder, too."
      )
    }
  }
}
