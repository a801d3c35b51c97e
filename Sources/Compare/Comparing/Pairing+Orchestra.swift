import Foundation
import HarnessBase
import Rendering

extension Pairing {
  package func path(root: String) -> String {
    if orchestra.hasPrefix("/") { return orchestra }
    return (pattern == nil ? root : Self.written(root)) + "/" + orchestra
  }

  /// In whose folder `build` orchestras are written: the project's root, but of an installed tool the user's own folder.
  private static func written(_ root: String) -> String {
    isInstalled && root == kitDirectory ? kitBuildDirectory : root
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

  /// Writes the orchestra of a call.
  package func writeOrchestra(root: String) throws(Failure) {
    guard let pattern else { return }
    try write(
      CallOrchestra(pattern: pattern, subject: subject, rival: rival, name: name).text,
      to: path(root: root))
  }

  /// The orchestra with so many more calls in each note, which the macro `EMPTY` leaves out: one call stays.
  /// Each block from `#ifndef EMPTY` to its `#end` is repeated, in a CSD that is written for it.
  package func repeatingCalls(
    _ calls: Int, of orchestra: Orchestra, root: String
  ) throws(Failure) -> Orchestra {
    guard let text = try? String(contentsOfFile: orchestra.path, encoding: .utf8) else {
      throw .missingInput("'\(orchestra.path)' cannot be read as UTF-8 text.")
    }
    var lines: [Substring] = []
    var block: [Substring]?
    var depth = 0
    var isElse = false
    for line in text.textLines {
      let word = line.trimmingPrefix(while: \.isWhitespace)
      guard block != nil else {
        if word.hasPrefix("#ifndef EMPTY") { block = [] } else { lines.append(line) }
        continue
      }
      depth += word.hasPrefix("#if") ? 1 : word.hasPrefix("#end") ? -1 : 0
      // What stands in the place of the call when there is none.
      if depth == 0, word.hasPrefix("#else") { isElse = true }
      guard depth < 0, let once = block else {
        if !isElse { block?.append(line) }
        continue
      }
      let added = Array(repeating: once, count: calls).flatMap(\.self)
      lines += once + ["#ifndef EMPTY"] + added + [line]
      (block, depth, isElse) = (nil, 0, false)
    }
    var repeated = orchestra
    repeated.path = "\(Self.written(root))/build/orchestras/\(name)-\(calls)-calls.csd"
    try write(lines.joined(separator: "\n"), to: repeated.path)
    return repeated
  }

  /// Writes an orchestra, unless the file is up to date already. It is written atomically, because other runs may read
  /// it.
  private func write(_ text: String, to path: String) throws(Failure) {
    guard (try? String(contentsOfFile: path, encoding: .utf8)) != text else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: path.parentPath, withIntermediateDirectories: true)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
    } catch {
      throw .unwritableOutput(
        "'\(path)', the orchestra of \(name), cannot be written: \(error.localizedDescription)")
    }
  }
}
