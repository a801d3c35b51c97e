import Foundation
import HarnessBase
import Rendering

extension Pairing {
  package func path(root: String) -> String {
    orchestra.hasPrefix("/") ? orchestra : root + "/" + orchestra
  }

  /// The workers' current directory: that of the CSD, because Csound looks for files and options there;
  /// for a call, the project's root.
  package func directory(root: String) -> String {
    pattern == nil ? path(root: root).parentPath : root
  }

  /// The orchestra at one rate combination. If it is written from a call, its file is written first.
  package func orchestra(
    root: String, rates: Variant, macros: [String: String], sampleRate: Double?, ksmps: Int?,
    plugin: String?, player: CsoundProgram? = nil
  ) throws(Failure) -> Orchestra {
    try writeOrchestra(root: root)
    var orchestra = Orchestra(
      path: path(root: root),
      macros: macros.merging(rates.macros) { $1 }, sampleRate: sampleRate, ksmps: ksmps,
      plugin: subjectProduct.map { "\(root)/build/lib\($0).so" } ?? plugin)
    orchestra.player = player
    return orchestra
  }

  /// The macros that make the orchestra play the rival.
  package var rivalMacros: [String: String] {
    let callsItself = subject == rival
    return ["OPCODE": rival].merging(pattern?.rival == nil || callsItself ? [:] : ["RIVAL": "1"]) {
      $1
    }
  }

  /// Writes the orchestra of a call, unless the file is up to date already. It is written atomically,
  /// because other runs may read it.
  package func writeOrchestra(root: String) throws(Failure) {
    guard let pattern else { return }
    let path = path(root: root)
    let text = CallOrchestra(pattern: pattern, subject: subject, rival: rival, name: name).text
    guard (try? String(contentsOfFile: path, encoding: .utf8)) != text else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: path.parentPath, withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw Failure(
        .unwritableOutput,
        "'\(path)', the orchestra of \(name), cannot be written: \(error.localizedDescription)")
    }
  }
}
